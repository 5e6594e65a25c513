#include "scene/shapes.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>

namespace winnow {

namespace {

constexpr uint32_t kSides = 128;  // of what is round

/// On the unit circle.
glm::vec2 circle_point(uint32_t side) {
  float angle = glm::two_pi<float>() * float(side % kSides) / float(kSides);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Mesh make_rectangle(glm::vec3 corner, glm::vec3 edge_u, glm::vec3 edge_v) {
  Mesh mesh;
  mesh.positions = {corner, corner + edge_u, corner + edge_u + edge_v, corner + edge_v};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
  return mesh;
}

Mesh make_box(glm::vec3 min, glm::vec3 max) {
  Mesh mesh;
  for (int corner = 0; corner < 8; ++corner)  // bit 0 is x, bit 1 is y, bit 2 is z
    mesh.positions.emplace_back(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y,
                                corner & 4 ? max.z : min.z);
  mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
  return mesh;
}

Mesh make_disk(glm::vec3 center, glm::vec3 normal, float radius) {
  glm::vec3 other = std::abs(normal.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
  glm::vec3 u = glm::normalize(glm::cross(other, normal));
  glm::vec3 v = glm::cross(normal, u);

  Mesh mesh;
  mesh.positions = {center};
  for (uint32_t side = 0; side < kSides; ++side) {
    glm::vec2 p = circle_point(side);
    mesh.positions.push_back(center + radius * (p.x * u + p.y * v));
    mesh.triangles.emplace_back(0, 1 + side, 1 + (side + 1) % kSides);
  }
  return mesh;
}

Mesh make_cylinder() {
  Mesh mesh;
  for (uint32_t side = 0; side < kSides; ++side) {
    glm::vec3 p(circle_point(side), 0.0f);
    mesh.positions.insert(mesh.positions.end(), {p, p + glm::vec3(0.0f, 0.0f, 1.0f)});
    mesh.normals.insert(mesh.normals.end(), {p, p});
    uint32_t a = 2 * side, b = 2 * ((side + 1) % kSides);
    mesh.triangles.insert(mesh.triangles.end(), {{a, b, b + 1}, {a, b + 1, a + 1}});
  }
  return mesh;
}

Mesh make_sphere_mesh() {
  constexpr uint32_t kRings = kSides / 2;
  Mesh mesh;
  for (uint32_t ring = 0; ring <= kRings; ++ring)
    for (uint32_t side = 0; side < kSides; ++side) {
      float polar = glm::pi<float>() * float(ring) / float(kRings);
      mesh.positions.emplace_back(std::sin(polar) * circle_point(side), std::cos(polar));
      if (ring == 0) continue;
      uint32_t c = ring * kSides + side, d = ring * kSides + (side + 1) % kSides;
      uint32_t a = c - kSides, b = d - kSides;
      if (ring > 1) mesh.triangles.emplace_back(a, d, b);
      if (ring < kRings) mesh.triangles.emplace_back(a, c, d);
    }
  mesh.normals = mesh.positions;
  return mesh;
}

}  // namespace winnow
