// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "load/mitsuba/convert.h"
#include "math/bounds.h"
#include "math/constants.h"
#include "scene/open_edges.h"

namespace winnow {
namespace {

/// The balance of edges between positions that are rounded to a grid, since both sides of a seam
/// may differ in their last digits.
class EdgesOnGrid {
 public:
  /// @param offset  of the grid, in cells
  EdgesOnGrid(glm::vec3 least, float extent, float offset)
      : least_(least), per_meter_(extent > 0.0f ? kCells / extent : 0.0f), offset_(offset) {}

  void add(const glm::vec3 (&corners)[3]) {
    glm::vec3 cells[3];
    for (int k = 0; k < 3; ++k) cells[k] = glm::floor((corners[k] - least_) * per_meter_ + offset_);
    balance_.add(cells);
  }
  bool is_closed() const { return balance_.is_closed(); }

 private:
  static constexpr float kCells = 1024.0f;
  glm::vec3 least_;
  float per_meter_, offset_;
  EdgeBalance balance_;
};

/// Returns the solid angle of a triangle, positive if its front is seen. Van Oosterom & Strackee,
/// "The Solid Angle of a Plane Triangle", 1983.
/// @param a, b, c  corners, from the eye
double solid_angle(glm::dvec3 a, glm::dvec3 b, glm::dvec3 c) {
  const double la = glm::length(a), lb = glm::length(b), lc = glm::length(c);
  const double below =
      la * lb * lc + glm::dot(a, b) * lc + glm::dot(b, c) * la + glm::dot(c, a) * lb;
  return -2.0 * std::atan2(glm::dot(a, glm::cross(b, c)), below);
}

}  // namespace

bool backs_are_seen(const Mesh& mesh, size_t first_triangle, const std::optional<glm::vec3>& eye,
                    bool is_perforated) {
  Bounds bounds;
  for (size_t i = first_triangle; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) bounds.extend(mesh.positions[mesh.triangles[i][k]]);
  const glm::vec3 extent = bounds.max - bounds.min;
  const float longest = std::max({extent.x, extent.y, extent.z});
  EdgesOnGrid edges[] = {{bounds.min, longest, 0.0f}, {bounds.min, longest, 0.5f}};
  bool any_back = false;
  double seen = 0.0;    // sr, fronts less backs
  double volume = 0.0;  // m^3, six times that of a closed mesh; negative if it is turned inside out
  for (size_t i = first_triangle; i < mesh.triangles.size(); ++i) {
    const glm::uvec3 corners = mesh.triangles[i];
    const glm::vec3 p[] = {mesh.positions[corners.x], mesh.positions[corners.y],
                           mesh.positions[corners.z]};
    for (EdgesOnGrid& grid : edges) grid.add(p);
    const glm::dvec3 a(p[0] - bounds.min), b(p[1] - bounds.min), c(p[2] - bounds.min);
    volume += glm::dot(a, glm::cross(b, c));
    if (!eye) continue;
    const double angle = solid_angle(p[0] - *eye, p[1] - *eye, p[2] - *eye);
    any_back = any_back || angle < 0.0;
    seen += angle;
  }
  const bool is_closed = edges[0].is_closed() || edges[1].is_closed();
  if (is_perforated || !is_closed) return any_back || !eye;
  const bool is_inside = std::abs(seen) > 2.0 * kPi;
  return (is_inside ? seen : volume) < 0.0;
}

}  // namespace winnow
