// SPDX-License-Identifier: MIT
#include "scene/mesh.h"

#include <cassert>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "base/limits.h"

namespace winnow {
namespace {

glm::vec3 unit_or_zero(glm::vec3 n) {
  float length = glm::length(n);
  return length > std::numeric_limits<float>::min() && std::isfinite(length)
             ? with_unit_length(n, length)
             : glm::vec3(0.0f);
}

/// Appends a vertex attribute. If only one of the two meshes has it, the vertices of the other get
/// `missing`; if neither has it, `to` stays empty.
/// @param first  index of the first appended vertex
/// @param count  number of vertices of the result
template <class Item>
void append_attribute(const std::vector<Item>& from, size_t first, size_t count, Item missing,
                      std::vector<Item>& to) {
  if (!from.empty()) {
    to.resize(first, missing);
    to.insert(to.end(), from.begin(), from.end());
  }
  if (!to.empty()) to.resize(count, missing);
}

/// Returns the angle between two edges, rad; 0 if one has no length.
double angle_between(glm::dvec3 a, glm::dvec3 b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

}  // namespace

glm::vec3 with_unit_length(glm::vec3 v, float length) {
  constexpr float kRounding = 4.0f * std::numeric_limits<float>::epsilon();
  return std::abs(length - 1.0f) <= kRounding ? v : v / length;
}

bool is_near(glm::vec3 p) {
  constexpr float kMax = float(kMaxSceneValue);  // comparisons with NaN are false
  return std::abs(p.x) <= kMax && std::abs(p.y) <= kMax && std::abs(p.z) <= kMax;
}

bool is_similarity(const glm::mat3& linear) {
  constexpr float kTolerance = 1e-4f;
  const float square = glm::dot(linear[0], linear[0]);
  auto close = [&](float a, float b) { return std::abs(a - b) <= kTolerance * square; };
  return close(glm::dot(linear[0], linear[1]), 0.0f) &&
         close(glm::dot(linear[1], linear[2]), 0.0f) &&
         close(glm::dot(linear[2], linear[0]), 0.0f) &&
         close(glm::dot(linear[1], linear[1]), square) &&
         close(glm::dot(linear[2], linear[2]), square);
}

bool is_rotated(const glm::mat3& linear) {
  constexpr float kTolerance = 1e-4f;
  const glm::mat3 change = linear / glm::length(linear[0]) - glm::mat3(1.0f);
  return glm::length(change[0]) + glm::length(change[1]) + glm::length(change[2]) > kTolerance;
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
  // Only the first mesh reserves memory: later, each reserve() would copy all earlier meshes.
  if (first == 0) {
    to.positions.reserve(mesh.positions.size());
    to.normals.reserve(mesh.positions.size());
    to.triangles.reserve(mesh.triangles.size());
    to.triangle_materials.reserve(mesh.triangles.size());
  }
  // The identity is skipped: multiplying by it would change the sign of zeros.
  const bool moves = transform != glm::mat4(1.0f);
  for (glm::vec3 p : mesh.positions)
    to.positions.push_back(moves ? glm::vec3(transform * glm::vec4(p, 1.0f)) : p);

  glm::mat3 linear(transform);
  glm::mat3 to_normals = glm::transpose(glm::inverse(linear));
  for (glm::vec3 n : mesh.normals) to.normals.push_back(unit_or_zero(moves ? to_normals * n : n));
  to.normals.resize(to.positions.size(), glm::vec3(0.0f));
  const size_t count = to.positions.size();
  append_attribute(mesh.uvs, first, count, glm::vec2(0.0f), to.uvs);
  append_attribute(mesh.second_uvs, first, count, glm::vec2(0.0f), to.second_uvs);
  append_attribute(mesh.colors, first, count, glm::vec4(1.0f), to.colors);

  bool mirrored = glm::determinant(linear) < 0.0f;
  size_t left_out = 0;
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

SmoothNormals compute_smooth_normals(std::span<const glm::vec3> positions,
                                     std::span<const SmoothCorner> corners) {
  SmoothNormals smooth;
  smooth.corners.assign(corners.size(), SmoothNormals::kFlat);
  std::vector<glm::dvec3> sums;
  std::unordered_map<uint64_t, uint32_t> normal_of;  // by position and group

  for (size_t i = 0; i < corners.size(); ++i) {
    if (corners[i].group == 0) continue;
    size_t triangle = i / 3 * 3;
    glm::dvec3 p(positions[corners[i].position]);
    glm::dvec3 to_next = glm::dvec3(positions[corners[triangle + (i + 1) % 3].position]) - p;
    glm::dvec3 to_previous = glm::dvec3(positions[corners[triangle + (i + 2) % 3].position]) - p;
    glm::dvec3 n = glm::cross(to_next, to_previous);
    double length = glm::length(n);

    uint64_t key = uint64_t(corners[i].group) << 32 | corners[i].position;
    auto [entry, is_new] = normal_of.try_emplace(key, uint32_t(sums.size()));
    if (is_new) sums.emplace_back(0.0);
    smooth.corners[i] = entry->second;
    if (length > 0.0) sums[entry->second] += angle_between(to_next, to_previous) / length * n;
  }

  smooth.normals.reserve(sums.size());
  for (glm::dvec3 sum : sums) {
    double length = glm::length(sum);
    smooth.normals.push_back(length > 0.0 ? glm::vec3(sum / length) : glm::vec3(0.0f));
  }
  return smooth;
}

void add_smooth_normals(Mesh& mesh) {
  std::vector<SmoothCorner> corners;
  corners.reserve(3 * mesh.triangles.size());
  for (glm::uvec3 triangle : mesh.triangles)
    for (int i = 0; i < 3; ++i) corners.push_back({triangle[i], 1});
  const SmoothNormals smooth = compute_smooth_normals(mesh.positions, corners);
  mesh.normals.assign(mesh.positions.size(), glm::vec3(0.0f));
  for (size_t i = 0; i < corners.size(); ++i)
    if (smooth.corners[i] != SmoothNormals::kFlat)
      mesh.normals[corners[i].position] = smooth.normals[smooth.corners[i]];
}

}  // namespace winnow
