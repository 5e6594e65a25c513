// SPDX-License-Identifier: MIT
#include "scene/smooth_normals.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <unordered_map>

namespace winnow {
namespace {

/// Returns the angle between two edges, rad; 0 if one has no length.
double angle_between(glm::dvec3 a, glm::dvec3 b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

}  // namespace

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
