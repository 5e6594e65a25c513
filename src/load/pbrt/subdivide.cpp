// SPDX-License-Identifier: MIT
#include <algorithm>

#include "load/pbrt/convert.h"
#include "scene/mesh.h"

namespace winnow {
namespace {

/// An edge between two vertices, with the third corners of its triangles.
struct LoopEdge {
  uint32_t a, b;
  uint32_t opposite[2];
  int triangles = 0;
  bool is_boundary() const { return triangles == 1; }
};

struct LoopEdges {
  explicit LoopEdges(const Mesh& mesh) {
    for (glm::uvec3 triangle : mesh.triangles)
      for (int i = 0; i < 3; ++i) add(triangle[i], triangle[(i + 1) % 3], triangle[(i + 2) % 3]);
  }

  uint32_t index(uint32_t a, uint32_t b) const { return known.at(key(a, b)); }

  static uint64_t key(uint32_t a, uint32_t b) {
    return uint64_t{std::min(a, b)} << 32 | std::max(a, b);
  }
  void add(uint32_t a, uint32_t b, uint32_t opposite) {
    const auto [edge_index, is_new] = known.try_emplace(key(a, b), uint32_t(all.size()));
    if (is_new) all.push_back({a, b, {}, 0});
    LoopEdge& edge = all[edge_index->second];
    if (edge.triangles == 2 || a == b)
      is_manifold = false;
    else
      edge.opposite[edge.triangles++] = opposite;
  }

  std::vector<LoopEdge> all;
  std::unordered_map<uint64_t, uint32_t> known;  ///< indices in `all`
  bool is_manifold = true;
};

/// Sums over the neighbours of each vertex.
struct LoopRing {
  glm::vec3 sum{0.0f}, boundary_sum{0.0f};
  uint32_t count = 0, boundary_count = 0;
};

std::vector<LoopRing> rings_of(const Mesh& mesh, const LoopEdges& edges) {
  std::vector<LoopRing> rings(mesh.positions.size());
  for (const LoopEdge& edge : edges.all)
    for (const auto& [vertex, other] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)}) {
      LoopRing& ring = rings[vertex];
      ring.sum += mesh.positions[other];
      ++ring.count;
      if (!edge.is_boundary()) continue;
      ring.boundary_sum += mesh.positions[other];
      ++ring.boundary_count;
    }
  return rings;
}

/// Returns the weight of each neighbour of a vertex inside of the mesh.
float interior_weight(uint32_t count) {
  return count == 3 ? 3.0f / 16.0f : 3.0f / (8.0f * float(count));
}

/// Returns the weight of each neighbour in the limit of infinitely many subdivisions.
float limit_weight(uint32_t count) {
  return 1.0f / (float(count) + 3.0f / (8.0f * interior_weight(count)));
}

/// Returns the new position of a vertex between its neighbours. Vertices at corners of the boundary
/// stay.
/// @param weight           weight of each neighbour, as a function of their number
/// @param boundary_weight  weight of each of the two neighbours on the boundary
template <class Weight>
glm::vec3 between_neighbours(glm::vec3 position, const LoopRing& ring, Weight weight,
                             float boundary_weight) {
  if (ring.boundary_count == 2)
    return (1.0f - 2.0f * boundary_weight) * position + boundary_weight * ring.boundary_sum;
  if (ring.boundary_count > 0 || ring.count < 3) return position;
  const float w = weight(ring.count);
  return (1.0f - float(ring.count) * w) * position + w * ring.sum;
}

Mesh subdivide_once(const Mesh& mesh, const LoopEdges& edges) {
  constexpr float kBoundaryWeight = 1.0f / 8.0f;
  const auto vertices = uint32_t(mesh.positions.size());
  const std::vector<LoopRing> rings = rings_of(mesh, edges);
  Mesh fine;
  fine.positions.reserve(vertices + edges.all.size());
  for (uint32_t i = 0; i < vertices; ++i)
    fine.positions.push_back(
        between_neighbours(mesh.positions[i], rings[i], interior_weight, kBoundaryWeight));
  const std::vector<glm::vec3>& p = mesh.positions;
  for (const LoopEdge& edge : edges.all)
    fine.positions.push_back(edge.is_boundary()
                                 ? 0.5f * (p[edge.a] + p[edge.b])
                                 : 0.375f * (p[edge.a] + p[edge.b]) +
                                       0.125f * (p[edge.opposite[0]] + p[edge.opposite[1]]));
  fine.triangles.reserve(4 * mesh.triangles.size());
  for (glm::uvec3 t : mesh.triangles) {
    const uint32_t ab = vertices + edges.index(t.x, t.y), bc = vertices + edges.index(t.y, t.z),
                   ca = vertices + edges.index(t.z, t.x);
    fine.triangles.emplace_back(t.x, ab, ca);
    fine.triangles.emplace_back(t.y, bc, ab);
    fine.triangles.emplace_back(t.z, ca, bc);
    fine.triangles.emplace_back(ab, bc, ca);
  }
  return fine;
}

}  // namespace

int subdivision_levels(size_t triangle_count, int levels) {
  constexpr int kMaxLevels = 8;
  levels = std::clamp(levels, 0, kMaxLevels);
  while (levels > 0 && triangle_count << (2 * levels) > kMaxSubdividedTriangles) --levels;
  return levels;
}

std::optional<Mesh> subdivide_loop(const Mesh& mesh, int levels) {
  constexpr float kLimitBoundaryWeight = 1.0f / 5.0f;
  Mesh fine = mesh;
  for (int level = 0; level <= levels; ++level) {
    const LoopEdges edges(fine);
    if (!edges.is_manifold) return {};
    if (level < levels) {
      fine = subdivide_once(fine, edges);
      continue;
    }
    const std::vector<LoopRing> rings = rings_of(fine, edges);
    std::vector<glm::vec3> limit;
    for (size_t i = 0; i < rings.size(); ++i)
      limit.push_back(
          between_neighbours(fine.positions[i], rings[i], limit_weight, kLimitBoundaryWeight));
    fine.positions = std::move(limit);
  }
  add_smooth_normals(fine);
  return fine;
}

}  // namespace winnow
