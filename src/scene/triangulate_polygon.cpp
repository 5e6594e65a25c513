// SPDX-License-Identifier: MIT
#include "scene/triangulate_polygon.h"

#include <cassert>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <numeric>

namespace winnow {
namespace {

/// Returns twice the polygon's area times its normal, by Newell's method.
glm::dvec3 area_vector(const std::vector<glm::vec3>& corners) {
  glm::dvec3 origin(corners[0]), sum(0.0);
  for (size_t i = 0; i < corners.size(); ++i)
    sum += glm::cross(glm::dvec3(corners[i]) - origin,
                      glm::dvec3(corners[(i + 1) % corners.size()]) - origin);
  return sum;
}

/// Returns the corners projected along the axis of the largest projected area, counter-clockwise.
std::vector<glm::dvec2> project(const std::vector<glm::vec3>& corners) {
  glm::dvec3 n = area_vector(corners);
  glm::dvec3 size = glm::abs(n);
  int axis = size.x > size.y && size.x > size.z ? 0 : size.y > size.z ? 1 : 2;
  int u = (axis + 1) % 3, v = (axis + 2) % 3;
  if (n[axis] < 0.0) std::swap(u, v);

  std::vector<glm::dvec2> flat;
  for (glm::vec3 p : corners) flat.emplace_back(p[u], p[v]);
  return flat;
}

/// Returns twice the signed area of a triangle; positive if counter-clockwise.
double cross(glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool is_inside(glm::dvec2 p, glm::dvec2 a, glm::dvec2 b, glm::dvec2 c) {
  if (p == a || p == b || p == c) return false;  // an outline may touch itself at a corner
  return cross(a, b, p) >= 0.0 && cross(b, c, p) >= 0.0 && cross(c, a, p) >= 0.0;
}

}  // namespace

std::vector<glm::uvec3> triangulate_polygon(const std::vector<glm::vec3>& corners) {
  assert(corners.size() >= 3);
  std::vector<glm::uvec3> triangles;
  std::vector<glm::dvec2> flat = project(corners);
  std::vector<uint32_t> rest(corners.size());
  std::iota(rest.begin(), rest.end(), 0u);

  auto is_ear = [&](size_t i) {
    uint32_t a = rest[(i + rest.size() - 1) % rest.size()];
    uint32_t b = rest[i], c = rest[(i + 1) % rest.size()];
    if (cross(flat[a], flat[b], flat[c]) <= 0.0) return false;
    for (uint32_t other : rest)
      if (is_inside(flat[other], flat[a], flat[b], flat[c])) return false;
    return true;
  };
  auto clip = [&](size_t i) {
    triangles.emplace_back(rest[(i + rest.size() - 1) % rest.size()], rest[i],
                           rest[(i + 1) % rest.size()]);
    rest.erase(rest.begin() + std::ptrdiff_t(i));
  };

  constexpr size_t kMaxCorners = 1000;  // above, ear clipping takes too long
  size_t i = 1, refused = corners.size() > kMaxCorners ? corners.size() : 0;
  while (rest.size() > 3 && refused < rest.size()) {
    i %= rest.size();
    if (is_ear(i)) {
      clip(i);
      refused = 0;
    } else {
      ++refused;
    }
    ++i;  // skips a corner after each clipped one: ears in a row would form a fan of slivers
  }
  for (size_t k = 1; k + 1 < rest.size(); ++k)
    triangles.emplace_back(rest[0], rest[k], rest[k + 1]);
  return triangles;
}

}  // namespace winnow
