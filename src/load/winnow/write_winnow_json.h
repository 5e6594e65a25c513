#pragma once

#include <filesystem>
#include <vector>

#include "scene/host_scene.h"

namespace winnow {

/// The PLY files that write_winnow_json puts beside `file`: for scene.json, scene-world.ply and,
/// for each mesh that instances share, scene-mesh-0.ply and so on.
std::vector<std::filesystem::path> winnow_json_meshes(const std::filesystem::path& file,
                                                      const HostScene& scene);

/// The images beside them: scene-image-0.png, or .exr, and so on, and scene-sky.exr last.
std::vector<std::filesystem::path> winnow_json_images(const std::filesystem::path& file,
                                                      const HostScene& scene);

/// Writes a scene in Winnow's own format, its triangles and images to the files above. Read again,
/// it is the same scene to the last bit: its film has the same hash. Throws Error where a file
/// cannot be written, or holds a number beyond what the format allows.
void write_winnow_json(const std::filesystem::path& file, const HostScene& scene);

}  // namespace winnow
