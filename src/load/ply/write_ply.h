// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <span>

#include "scene/mesh.h"

namespace winnow {

/// A part of a mesh, to be written to a file.
struct PlyPart {
  std::span<const glm::vec3> positions, normals;  ///< [vertex]
  std::span<const glm::vec2> uvs;                 ///< [vertex], or empty
  std::span<const glm::uvec3> triangles;          ///< of vertices of the whole mesh
  std::span<const uint32_t> materials;            ///< [triangle], for material_index; or empty
  uint32_t first_vertex = 0;                      ///< of the part in the mesh
};

/// Writes a binary PLY file, in which all numbers are exact. Flat vertices have the normal zero; if
/// all are flat the file has no normals. Throws Error, which names the file.
void write_ply(const std::filesystem::path& file, const PlyPart& part);

}  // namespace winnow
