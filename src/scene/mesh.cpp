#include "scene/mesh.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/limits.h"
#include "scene/unit_length.h"

namespace winnow {
namespace {

glm::vec3 unit_or_zero(glm::vec3 n) {
  float length = glm::length(n);
  return length > std::numeric_limits<float>::min() && std::isfinite(length)
             ? with_unit_length(n, length)
             : glm::vec3(0.0f);
}

}  // namespace

bool is_near(glm::vec3 p) {
  constexpr float kFar = float(kMaxSceneValue);  // false for NaN, too
  return std::abs(p.x) <= kFar && std::abs(p.y) <= kFar && std::abs(p.z) <= kFar;
}

bool is_solid_triangle(glm::vec3 a, glm::vec3 b, glm::vec3 c) {
  if (!is_near(a) || !is_near(b) || !is_near(c)) return false;
  glm::vec3 n = glm::cross(b - a, c - a);
  return glm::dot(n, n) > std::numeric_limits<float>::min();
}

size_t add_mesh(Mesh& to, const Mesh& mesh, const glm::mat4& transform, uint32_t material) {
  if (to.positions.size() + mesh.positions.size() > std::numeric_limits<uint32_t>::max())
    throw std::length_error("more vertices than 32-bit indices reach");
  uint32_t first = static_cast<uint32_t>(to.positions.size());
  to.positions.reserve(first + mesh.positions.size());
  // Without a transform every bit stays, the sign of a zero among them.
  const bool moves = transform != glm::mat4(1.0f);
  for (glm::vec3 p : mesh.positions)
    to.positions.push_back(moves ? glm::vec3(transform * glm::vec4(p, 1.0f)) : p);

  glm::mat3 linear(transform);
  glm::mat3 to_normals = glm::transpose(glm::inverse(linear));
  to.normals.reserve(first + mesh.positions.size());
  for (glm::vec3 n : mesh.normals) to.normals.push_back(unit_or_zero(moves ? to_normals * n : n));
  to.normals.resize(to.positions.size(), glm::vec3(0.0f));
  if (!mesh.uvs.empty()) {
    to.uvs.resize(first, glm::vec2(0.0f));
    to.uvs.insert(to.uvs.end(), mesh.uvs.begin(), mesh.uvs.end());
  }
  if (!to.uvs.empty()) to.uvs.resize(to.positions.size(), glm::vec2(0.0f));

  bool mirrored = glm::determinant(linear) < 0.0f;
  size_t left_out = 0;
  to.triangles.reserve(to.triangles.size() + mesh.triangles.size());
  to.triangle_materials.reserve(to.triangles.size() + mesh.triangles.size());
  for (size_t i = 0; i < mesh.triangles.size(); ++i) {
    glm::uvec3 triangle = mesh.triangles[i] + first;
    if (mirrored) std::swap(triangle.y, triangle.z);
    if (!is_solid_triangle(to.positions[triangle.x], to.positions[triangle.y],
                           to.positions[triangle.z])) {
      ++left_out;
      continue;
    }
    to.triangles.push_back(triangle);
    to.triangle_materials.push_back(mesh.triangle_materials.empty() ? material
                                                                    : mesh.triangle_materials[i]);
  }
  return left_out;
}

}  // namespace winnow
