// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

namespace winnow {

struct PolygonTriangles {
  std::vector<glm::uvec3> triangles;  ///< triangles of indices into the corners
  /// Triangles overlap, so that they cover more than the polygon.
  bool overlap = false;
};

/// Cuts a simple polygon, convex or not, into corners.size() - 2 triangles of the same winding.
///
/// If no ear is left (the outline intersects itself or has no area), or if finding ears takes too
/// long for the number of corners, the rest becomes a fan.
/// @param corners  [>= 3], approximately in one plane
/// Ear clipping: Meisters, "Polygons Have Ears", 1975. Each ear is compared with the corners in the
/// cells of a grid that it touches.
PolygonTriangles triangulate_polygon(const std::vector<glm::vec3>& corners);

/// Returns the warning about a number of faces whose triangles overlap.
std::string overlap_warning(size_t faces);

}  // namespace winnow
