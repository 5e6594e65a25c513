// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// The contents of a PLY file.
struct Ply {
  /// `triangle_materials` is the property "material_index" of the faces, if they have it.
  Mesh mesh;
  std::vector<std::string> warnings;  ///< one line each
};

/// Reads the vertices (x, y, z and, if the file has all three, nx, ny, nz) and faces
/// (vertex_indices or vertex_index, polygons of any number of corners) of a PLY file in text or
/// binary. Without normals the surface is flat. Other elements and properties are ignored.
///
/// Does not allocate memory for more rows than the bytes of the file can hold.
/// Throws Error, in one line, if the file is malformed or has no face.
/// @param bytes  of the whole file
/// @param file   its name, for messages
Ply parse_ply(std::string_view bytes, const std::string& file);
Ply read_ply(const std::filesystem::path& file);

/// Reads `file` as a scene: grey, with a framed camera and a soft sky.
HostScene load_ply_scene(const std::filesystem::path& file);

}  // namespace winnow
