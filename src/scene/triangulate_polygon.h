// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <vector>

namespace winnow {

/// Cuts a simple polygon, convex or not, into corners.size() - 2 triangles of the same winding.
///
/// If no ear is left (the outline intersects itself or has no area) the rest becomes a fan, and so
/// does an outline of more than 1000 corners.
/// @param corners  [>= 3], approximately in one plane
/// @return  triangles of indices into `corners`
/// Ear clipping: Meisters, "Polygons Have Ears", 1975. Quadratic for a convex outline, cubic at
/// worst.
std::vector<glm::uvec3> triangulate_polygon(const std::vector<glm::vec3>& corners);

}  // namespace winnow
