#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"
#include "scene/mesh.h"

namespace winnow {

/// What a PLY file says.
struct Ply {
  /// `triangle_materials` holds the property "material_index" of the faces, where they have it.
  Mesh mesh;
  std::vector<std::string> warnings;  ///< what was left out, one line each
};

/// Reads the vertices (x, y, z and, if all three are there, nx, ny, nz) and faces (vertex_indices
/// or vertex_index, polygons of any number of corners) of a PLY file in text or binary. Without
/// normals the surface is flat. Other elements and properties are read past.
///
/// Nothing is allocated for more rows than the file has bytes for.
/// Throws Error, in one line, where the file is malformed or has no face.
/// @param bytes  of the whole file
/// @param file   its name, for messages
Ply parse_ply(std::string_view bytes, const std::string& file);
Ply read_ply(const std::filesystem::path& file);

/// Reads `file` as a whole scene: grey, framed, under a soft sky.
HostScene load_ply_scene(const std::filesystem::path& file);

}  // namespace winnow
