// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/host_scene.h"
#include "scene/mesh.h"
#include "scene/vertex_attributes.h"

namespace winnow {

/// The contents of a PLY file.
struct Ply {
  /// `triangle_materials` is the property "material_index" of the faces, if they have it.
  Mesh mesh;
  std::vector<glm::vec4> face_colors;  ///< [triangle], linear rgb and coverage; or empty
  /// Whether the file has colours. Those that are all white are left out.
  bool has_vertex_colors = false, has_face_colors = false;
  std::vector<std::string> warnings;  ///< one line each
};

/// Reads the vertices (x, y, z and, if the file has all three, nx, ny, nz; texture coordinates;
/// colours), faces (vertex_indices
/// or vertex_index, polygons of any number of corners) and strips of triangles (tristrips, in which
/// -1 starts another strip) of a PLY file in text or binary. Without normals the surface is flat.
/// Other elements and properties are ignored.
///
/// Does not allocate memory for more rows than the bytes of the file can hold.
/// Throws Error, in one line, if the file is malformed or has no face.
/// @param bytes   of the whole file
/// @param file    its name, for messages
/// @param floats  how colours of floating point are encoded; integers are sRGB
Ply parse_ply(std::string_view bytes, const std::string& file,
              ColorEncoding floats = ColorEncoding::kSrgb);
Ply read_ply(const std::filesystem::path& file, ColorEncoding floats = ColorEncoding::kSrgb);

/// Reads `file` as a scene: in the colours of its vertices or else of its faces, or grey, with a
/// framed camera and a soft sky.
HostScene load_ply_scene(const std::filesystem::path& file);

/// A part of a mesh, to be written to a file.
struct PlyPart {
  std::span<const glm::vec3> positions, normals;  ///< [vertex]
  std::span<const glm::vec2> uvs, second_uvs;     ///< [vertex], or empty
  std::span<const glm::vec4> colors;              ///< [vertex], or empty
  std::span<const glm::uvec3> triangles;          ///< of vertices of the whole mesh
  std::span<const uint32_t> materials;            ///< [triangle], for material_index; or empty
  uint32_t first_vertex = 0;                      ///< of the part in the mesh
};

/// Writes a binary PLY file, in which all numbers are exact. Flat vertices have the normal zero; if
/// all are flat the file has no normals. Throws Error, which names the file.
void write_ply(const std::filesystem::path& file, const PlyPart& part);

}  // namespace winnow
