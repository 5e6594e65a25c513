// SPDX-License-Identifier: MIT
#include "backend/cuda/found_hits.h"

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <xxhash.h>

#include <utility>

namespace winnow {
namespace {

uint64_t hash_of_point(glm::vec3 p) {
  p += 0.0f;  // -0 becomes 0
  return XXH3_64bits(&p, sizeof p);
}

}  // namespace

glm::vec3 optix_center(const Bounds& bounds) {
  glm::vec3 center(0.0f);
  for (int axis = 0; axis < 3; ++axis) {
    const float min = bounds.min[axis], max = bounds.max[axis];
    if ((min > 0.0f && max <= 2.0f * min) || (max < 0.0f && min >= 2.0f * max))
      center[axis] = bounds.center()[axis];
  }
  return center;
}

std::vector<uint32_t> twins_of(const Mesh& mesh, const SharedMesh& part) {
  // Sums do not depend on the order of the vertices. Other triangles that share a hash do no harm:
  // their hits are computed as well, and OptiX has found a nearer one.
  std::vector<std::pair<uint64_t, uint32_t>> hashes(part.triangle_count);
  tbb::parallel_for(uint32_t(0), part.triangle_count, [&](uint32_t i) {
    const glm::uvec3 t = mesh.triangles[part.first_triangle + i];
    hashes[i] = {hash_of_point(mesh.positions[t.x]) + hash_of_point(mesh.positions[t.y]) +
                     hash_of_point(mesh.positions[t.z]),
                 i};
  });
  tbb::parallel_sort(hashes);
  std::vector<uint32_t> twins;
  for (size_t first = 0, end = 0; first < hashes.size(); first = end) {
    for (end = first + 1; end < hashes.size() && hashes[end].first == hashes[first].first;) ++end;
    if (end == first + 1) continue;
    if (twins.empty()) {
      twins.resize(part.triangle_count);
      for (uint32_t i = 0; i < part.triangle_count; ++i) twins[i] = part.first_triangle + i;
    }
    for (size_t i = first; i < end; ++i)
      twins[hashes[i].second] = part.first_triangle + hashes[i + 1 < end ? i + 1 : first].second;
  }
  return twins;
}

}  // namespace winnow
