// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

#include "scene/mesh.h"

namespace winnow {

/// A corner of a triangle: a position, and the smoothing group of its face (0 is flat).
struct SmoothCorner {
  uint32_t position;
  uint32_t group;
};

/// Normals of smoothing groups: at each position, the mean of the normals of the group's triangles
/// weighted by their angles at that position.
struct SmoothNormals {
  std::vector<glm::vec3> normals;  ///< unit length
  std::vector<uint32_t> corners;   ///< [corner], index in `normals`; kFlat for group 0
  static constexpr uint32_t kFlat = ~0u;
};

/// Computes the normals of smoothing groups.
/// @param corners  [3 x triangle]
/// Thürmer & Wüthrich, "Computing Vertex Normals from Polygonal Facets", 1998.
SmoothNormals compute_smooth_normals(std::span<const glm::vec3> positions,
                                     std::span<const SmoothCorner> corners);

/// Gives each vertex the mean normal of the triangles around it.
void add_smooth_normals(Mesh& mesh);

}  // namespace winnow
