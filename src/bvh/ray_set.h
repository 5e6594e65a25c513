// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <string>
#include <vector>

#include "compaction/simt/span.h"
#include "math/morton.h"
#include "math/packed.h"
#include "math/ray.h"

namespace winnow {

/// The rays that `winnow bench-rays` traces.
enum class RayKind : uint32_t {
  kPrimary,   ///< from the camera; coherent
  kDiffuse1,  ///< from hits of primary rays, cosine-weighted
  kDiffuse2,  ///< from hits of diffuse1 rays, cosine-weighted
  kShadow1,   ///< from hits of primary rays to a random point of a light
  kShadow2,   ///< from hits of diffuse1 rays to a random point of a light
};
inline constexpr size_t kRayKindCount = 5;
inline constexpr std::array<const char*, kRayKindCount> kRayKindNames = {
    "primary", "diffuse1", "diffuse2", "shadow1", "shadow2"};

/// Returns whether the rays test for any hit.
constexpr bool is_shadow(RayKind kind) {
  return kind == RayKind::kShadow1 || kind == RayKind::kShadow2;
}

/// Rays in two columns, on any device. Does not own them.
struct RayColumns {
  simt::Span<const Packed> origins;     ///< [ray], w is unused
  simt::Span<const Packed> directions;  ///< [ray], w is t_max

  SIMT_HOST_DEVICE Ray ray(size_t i) const {
    const Packed origin = origins[i], direction = directions[i];
    return {.origin = origin.xyz, .direction = direction.xyz, .t_max = direction.w};
  }
};

/// All rays of one kind, on the host.
struct RaySet {
  RayKind kind = RayKind::kPrimary;
  bool sorted = false;  ///< whether in the order of RayOrder; otherwise in pixel order
  std::vector<Packed> origins, directions;
  size_t size() const { return origins.size(); }
  std::string name() const {
    return std::string(kRayKindNames[size_t(kind)]) + (sorted ? " (s)" : "");
  }
  RayColumns columns() const {
    return {{origins.data(), origins.size()}, {directions.data(), directions.size()}};
  }
  void add(const Ray& ray) {
    origins.push_back({ray.origin, 0.0f});
    directions.push_back({ray.direction, ray.t_max});
  }
};

/// Sorts rays by the grid cell of their origin, then by the octant of their direction, so that
/// neighbours traverse similar nodes.
struct RayOrder {
  /// Bits of a cell's coordinates. With 5, tracing on an H200 gains up to 5 %, sorting loses 10 %.
  static constexpr int kCellBits = 4;
  static constexpr int kKeyBits = 3 * kCellBits + 3;

  glm::vec3 corner;       ///< m, lower corner of the grid
  glm::vec3 cells_per_m;  ///< cells per m along each axis

  /// @param corner, size  m, lower corner and size of the scene's bounds
  RayOrder(glm::vec3 corner, glm::vec3 size)
      : corner(corner),
        cells_per_m(float(1 << kCellBits) / glm::max(size, std::numeric_limits<float>::min())) {}

  /// Returns the cell's position on the Morton curve, then the octant.
  SIMT_HOST_DEVICE uint32_t key(const Ray& ray) const {
    constexpr float kLast = float((1 << kCellBits) - 1);
    const glm::uvec3 cell(
        glm::clamp((ray.origin - corner) * cells_per_m, glm::vec3(0.0f), glm::vec3(kLast)));
    auto key = uint32_t(morton_code(cell));
    for (int axis = 0; axis < 3; ++axis) key = key << 1 | uint32_t(ray.direction[axis] > 0.0f);
    return key;
  }
};

}  // namespace winnow
