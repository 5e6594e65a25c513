// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/known_keys.h"
#include "scene/host_scene.h"
#include "scene/mesh.h"
#include "scene/vertex_attributes.h"

namespace winnow {

struct Ply {
  /// `triangle_materials` holds the property "material_index" of the faces, if they have it.
  Mesh mesh;
  std::vector<glm::vec4> face_colors;            ///< [triangle], linear rgb and coverage; or empty
  std::vector<std::string> texture_files = {};   ///< images that its comments name
  std::vector<uint32_t> triangle_textures = {};  ///< [triangle], index of an image; or empty
  /// True if the file has colours, even if they are left out because all are white.
  bool has_vertex_colors = false, has_face_colors = false;
  size_t quadrilaterals = 0;  ///< faces that became two triangles
  bool is_by_blender = false;
  std::vector<std::string> warnings;  ///< one line each
};

/// Reads a PLY file in text or binary: vertices (x, y, z; nx, ny, nz if the file has all three;
/// texture coordinates; colours), faces (vertex_indices or vertex_index, polygons of any number of
/// corners; texture coordinates of corners) and strips of triangles (tristrips, in which -1 starts
/// another strip). Without normals the surface is flat. Other elements and properties are ignored,
/// with a warning unless ply_keys() says that they are harmless.
/// Does not allocate memory for more rows than the bytes of the file can hold.
/// Throws Error, in one line, if the file is malformed or has no face.
/// @param file    name of the file, for messages
/// @param floats  encoding of floating-point colours; integers are sRGB
Ply parse_ply(std::string_view bytes, const std::string& file,
              ColorEncoding floats = ColorEncoding::kSrgb);
Ply read_ply(const std::filesystem::path& file, ColorEncoding floats = ColorEncoding::kSrgb);

/// Returns the elements of PLY files, with the owner "element", and their properties, with the name
/// of the element as owner.
const KeyTable& ply_keys();

/// Reads `file` as a scene with a framed camera and a soft sky. The mesh has the textures that its
/// comments name, or the colours of its vertices, or else of its faces, or is grey.
HostScene load_ply_scene(const std::filesystem::path& file);

/// A part of a mesh that write_ply() writes.
struct PlyPart {
  std::span<const glm::vec3> positions, normals;  ///< [vertex]
  std::span<const glm::vec2> uvs, second_uvs;     ///< [vertex], or empty
  std::span<const glm::vec4> colors;              ///< [vertex], or empty
  std::span<const glm::uvec3> triangles;          ///< vertex indices in the whole mesh
  std::span<const uint32_t> materials;            ///< [triangle], the material_index; or empty
  uint32_t first_vertex = 0;                      ///< first vertex of the part in the mesh
};

/// Writes a binary PLY file with exact numbers. Flat vertices have the normal zero; if all are
/// flat, the file has no normals. Throws Error, which names the file.
void write_ply(const std::filesystem::path& file, const PlyPart& part);

}  // namespace winnow
