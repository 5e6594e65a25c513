// SPDX-License-Identifier: MIT
#include "load/text/blender_notes.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "scene/mesh.h"

namespace winnow {

bool has_coarse_normals(const Mesh& mesh) {
  constexpr float kCosOfFlat = 0.9998f, kCosOfCoarse = 0.9272f;  // 1 and 22 degrees
  constexpr double kLeastShare = 0.2;
  if (mesh.normals.empty()) return false;
  double curved = 0.0, coarse = 0.0;  // areas, twice
  for (const glm::uvec3& triangle : mesh.triangles) {
    const glm::vec3 a = mesh.positions[triangle.x];
    const glm::vec3 across =
        glm::cross(mesh.positions[triangle.y] - a, mesh.positions[triangle.z] - a);
    const float area = glm::length(across);
    if (!(area > 0.0f)) continue;
    float least = 1.0f;
    for (int corner = 0; corner < 3; ++corner) {
      const glm::vec3 normal = mesh.normals[triangle[corner]];
      const float length = glm::length(normal);
      if (length > 0.0f) least = std::min(least, glm::dot(normal, across) / (length * area));
    }
    if (least < kCosOfFlat) curved += double{area};
    if (least < kCosOfCoarse) coarse += double{area};
  }
  return coarse > 0.0 && coarse >= kLeastShare * curved;
}

}  // namespace winnow
