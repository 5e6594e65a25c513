#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "compaction/simt/span.h"
#include "math/ray.h"

namespace winnow {

/// The rays that `winnow bench-rays` traces, from those that stay close together to those that do
/// not.
enum class RayKind : uint32_t {
  kPrimary,   ///< from the camera
  kDiffuse1,  ///< from what a primary ray met, cosine-weighted
  kDiffuse2,  ///< from what a diffuse1 ray met
  kShadow1,   ///< from what a primary ray met, to a random point of a light
  kShadow2,   ///< from what a diffuse1 ray met
};
inline constexpr size_t kRayKindCount = 5;
inline constexpr std::array<const char*, kRayKindCount> kRayKindNames = {
    "primary", "diffuse1", "diffuse2", "shadow1", "shadow2"};

/// Whether any hit is enough.
constexpr bool is_shadow(RayKind kind) {
  return kind == RayKind::kShadow1 || kind == RayKind::kShadow2;
}

/// Half of a ray, in the 16 bytes that one access moves.
struct alignas(16) RayHalf {
  glm::vec3 xyz;
  float w;
};

/// Rays in two columns, on some device. Does not own them.
struct RayColumns {
  simt::Span<const RayHalf> origins;     ///< [ray], w is spare
  simt::Span<const RayHalf> directions;  ///< [ray], w is t_max

  SIMT_HOST_DEVICE Ray ray(size_t i) const {
    const RayHalf origin = origins[i], direction = directions[i];
    return {.origin = origin.xyz, .direction = direction.xyz, .t_max = direction.w};
  }
};

/// All rays of one kind, on the host.
struct RaySet {
  RayKind kind = RayKind::kPrimary;
  bool sorted = false;  ///< else in the order of the pixels
  std::vector<RayHalf> origins, directions;

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

}  // namespace winnow
