// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// Reads a scene in Winnow's own format, which scenes/README.md describes.
/// Throws Error, in one line that names the file and the place in it.
HostScene load_winnow_json(const std::filesystem::path& file);

/// A mesh in memory, beside the text of a scene.
struct SceneMesh {
  std::string name;      ///< among "meshes", which "instances" place; empty: it is a shape itself
  std::string material;  ///< of the scene
  Mesh mesh;             ///< normals of any length; colours linear; without triangle_materials
};

/// Reads a scene in that format that is in memory, with further meshes.
///
/// @param name    of the scene, for messages
/// @param folder  that file names are relative to
/// Throws Error, in one line that names the scene and the place in it, or the mesh.
HostScene read_winnow_json(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder,
                           const std::vector<SceneMesh>& meshes = {});

/// Writes a scene in Winnow's own format, its triangles and images to the files below. The scene
/// that is read from there has the same film hash. Throws Error if a file cannot be written, or a
/// number is beyond the range of the format.
void write_winnow_json(const std::filesystem::path& file, const HostScene& scene);

/// The PLY files that write_winnow_json() writes next to `file`: for scene.json, scene-world.ply
/// and, for each mesh that instances share, scene-mesh-0.ply and so on.
std::vector<std::filesystem::path> winnow_json_meshes(const std::filesystem::path& file,
                                                      const HostScene& scene);

/// The images next to it: scene-image-0.png, or .exr, and so on, and scene-sky.exr last.
std::vector<std::filesystem::path> winnow_json_images(const std::filesystem::path& file,
                                                      const HostScene& scene);

}  // namespace winnow
