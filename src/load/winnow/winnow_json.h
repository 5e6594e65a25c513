// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// Reads a scene in Winnow's own format, which scenes/README.md describes.
/// @param moment  of what moves, from the opening (0) to the closing of the shutter (1); beyond
///                them, all rests. Nothing: the middle, with the whole motion of the camera
/// Throws Error, in one line that names the file and the place in it.
HostScene load_winnow_json(const std::filesystem::path& file, std::optional<double> moment = {});

/// Reads the member "camera" of a scene in Winnow's own format.
/// @param name  name of the text, for messages
/// Throws Error, in one line that names the text and the place in it.
CameraDescription parse_camera(std::string_view text, const std::string& name);

/// A mesh in memory that is added to the text of a scene.
struct SceneMesh {
  std::string name;      ///< name in "meshes" for "instances"; empty for a shape
  std::string material;  ///< name of a material of the scene
  Mesh mesh;             ///< normals of any length; colours linear; without triangle_materials
};

/// Reads a scene in Winnow's own format from memory, with further meshes.
/// @param name    name of the scene, for messages
/// @param folder  folder to which file names are relative
/// Throws Error, in one line that names the scene and the place in it, or the mesh.
HostScene read_winnow_json(std::string_view text, const std::string& name,
                           const std::filesystem::path& folder,
                           const std::vector<SceneMesh>& meshes = {},
                           std::optional<double> moment = {});

/// Writes a scene in Winnow's own format, its triangles to winnow_json_meshes(), its images to
/// winnow_json_images() and its grids to winnow_json_grids(). Reading the files gives a scene with
/// the same film hash. Throws Error if a file cannot be written, or a number is beyond the range of
/// the format.
void write_winnow_json(const std::filesystem::path& file, const HostScene& scene);

/// Returns the PLY files that write_winnow_json() writes next to `file`: for scene.json,
/// scene-world.ply and, for each mesh that instances share, scene-mesh-0.ply and so on.
std::vector<std::filesystem::path> winnow_json_meshes(const std::filesystem::path& file,
                                                      const HostScene& scene);

/// Returns the images that write_winnow_json() writes next to `file`: scene-image-0.png, or .exr,
/// and so on; scene-sky.exr is the last.
std::vector<std::filesystem::path> winnow_json_images(const std::filesystem::path& file,
                                                      const HostScene& scene);

/// Returns the volumes that write_winnow_json() writes next to `file`: scene-grid-0.vol and so on.
std::vector<std::filesystem::path> winnow_json_grids(const std::filesystem::path& file,
                                                     const HostScene& scene);

}  // namespace winnow
