// SPDX-License-Identifier: MIT
#include "scene/shapes.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>

#include "base/limits.h"

namespace winnow {

namespace {

glm::vec2 circle_point(uint32_t side, uint32_t sides) {
  float angle = glm::two_pi<float>() * float(side % sides) / float(sides);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

uint32_t circle_sides_after(size_t triangles) {
  constexpr uint32_t kCoarse = 32, kCoarsest = 8;
  if (triangles < kMaxRoundTriangles / 4) return kCircleSides;
  if (triangles < kMaxRoundTriangles / 2) return kCoarse;
  return triangles < kMaxRoundTriangles ? kCoarsest : 0;
}

Mesh make_rectangle(glm::vec3 corner, glm::vec3 edge_u, glm::vec3 edge_v) {
  Mesh mesh;
  mesh.positions = {corner, corner + edge_u, corner + edge_u + edge_v, corner + edge_v};
  mesh.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

Mesh make_box(glm::vec3 min, glm::vec3 max) {
  // The corners of each face as an outside viewer sees them: lower left, lower right, upper right,
  // upper left. Bit 0 is x, bit 1 is y, bit 2 is z.
  constexpr int kFaces[6][4] = {{0, 4, 6, 2}, {5, 1, 3, 7}, {0, 1, 5, 4},
                                {6, 7, 3, 2}, {1, 0, 2, 3}, {4, 5, 7, 6}};
  Mesh mesh;
  for (const auto& face : kFaces) {
    const auto first = uint32_t(mesh.positions.size());
    for (int corner : face)
      mesh.positions.emplace_back(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y,
                                  corner & 4 ? max.z : min.z);
    mesh.uvs.insert(mesh.uvs.end(), {{0, 1}, {1, 1}, {1, 0}, {0, 0}});
    mesh.triangles.emplace_back(first, first + 1, first + 2);
    mesh.triangles.emplace_back(first, first + 2, first + 3);
  }
  return mesh;
}

Mesh make_disk(glm::vec3 center, glm::vec3 normal, float radius, uint32_t sides) {
  glm::vec3 other = std::abs(normal.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
  glm::vec3 u = glm::normalize(glm::cross(other, normal));
  glm::vec3 v = glm::cross(normal, u);

  Mesh mesh;
  mesh.positions = {center};
  mesh.uvs = {{0.5f, 0.5f}};
  for (uint32_t side = 0; side < sides; ++side) {
    glm::vec2 p = circle_point(side, sides);
    mesh.positions.push_back(center + radius * (p.x * u + p.y * v));
    mesh.uvs.push_back(0.5f + 0.5f * glm::vec2(p.x, -p.y));
    mesh.triangles.emplace_back(0, 1 + side, 1 + (side + 1) % sides);
  }
  return mesh;
}

Mesh make_cylinder(uint32_t sides) {
  Mesh mesh;
  for (uint32_t side = 0; side <= sides; ++side) {  // the vertices of the seam are duplicated
    glm::vec3 p(circle_point(side, sides), 0.0f);
    mesh.positions.insert(mesh.positions.end(), {p, p + glm::vec3(0.0f, 0.0f, 1.0f)});
    mesh.normals.insert(mesh.normals.end(), {p, p});
    const float u = float(side) / float(sides);
    mesh.uvs.insert(mesh.uvs.end(), {{u, 1}, {u, 0}});
    if (side == sides) break;
    uint32_t a = 2 * side, b = a + 2;
    mesh.triangles.insert(mesh.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}});
  }
  return mesh;
}

Mesh make_sphere_mesh(uint32_t sides) {
  const uint32_t rings = sides / 2;
  Mesh mesh;
  for (uint32_t ring = 0; ring <= rings; ++ring)
    for (uint32_t side = 0; side <= sides; ++side) {  // the vertices of the seam are duplicated
      float polar = glm::pi<float>() * float(ring) / float(rings);
      mesh.positions.emplace_back(std::sin(polar) * circle_point(side, sides), std::cos(polar));
      mesh.uvs.emplace_back(float(side) / float(sides), float(ring) / float(rings));
      if (ring == 0 || side == sides) continue;
      uint32_t c = ring * (sides + 1) + side, d = c + 1;
      uint32_t a = c - (sides + 1), b = d - (sides + 1);
      if (ring > 1) mesh.triangles.emplace_back(a, d, b);
      if (ring < rings) mesh.triangles.emplace_back(a, c, d);
    }
  mesh.normals = mesh.positions;
  return mesh;
}

}  // namespace winnow
