#pragma once

#include "bvh/accel.h"
#include "bvh/ray_order.h"
#include "bvh/ray_set.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/wave.h"

namespace winnow {

// The stages that `winnow bench-rays` times: a ray is read, traced and its hit written, nothing
// else; and those of sorting them.

/// Finds what each ray of a set meets first.
template <Accel A>
struct TraceClosest {
  static constexpr Stage kStage = Stage::kIntersect;

  A accel;
  RayColumns rays;
  Span<Hit> hits;         ///< [ray]
  bool coherent = false;  ///< neighbouring rays stay close together

  SIMT_HOST_DEVICE bool incoherent(const WaveState&) const { return !coherent; }

  SIMT_HOST_DEVICE Ray ray(uint32_t item) const { return rays.ray(item); }
  SIMT_HOST_DEVICE void store(uint32_t item, const Hit& hit) const { hits[item] = hit; }
  SIMT_HOST_DEVICE void operator()(uint32_t item) const { store(item, accel.intersect(ray(item))); }
};

/// Finds whether each ray of a set meets anything.
template <Accel A>
struct TraceAny {
  static constexpr Stage kStage = Stage::kShadow;
  static constexpr bool kAnyHit = true;

  A accel;
  RayColumns rays;
  Span<uint32_t> occluded;  ///< [ray]

  SIMT_HOST_DEVICE Ray ray(uint32_t item) const { return rays.ray(item); }
  SIMT_HOST_DEVICE void store(uint32_t item, bool hit) const { occluded[item] = hit; }
  SIMT_HOST_DEVICE void operator()(uint32_t item) const { store(item, accel.occluded(ray(item))); }
};

/// Writes the key of each ray, and its number.
struct KeyRays {
  static constexpr Stage kStage = Stage::kGenerate;
  static constexpr bool kUniformCost = true;

  RayColumns rays;
  RayOrder order;
  Span<uint32_t> keys, numbers;  ///< [ray]

  SIMT_HOST_DEVICE void operator()(uint32_t item) const {
    keys[item] = order.key(rays.ray(item));
    numbers[item] = item;
  }
};

/// Fetches rays in the order of their numbers.
struct GatherRays {
  static constexpr Stage kStage = Stage::kGenerate;
  static constexpr bool kUniformCost = true;

  RayColumns rays;
  Span<const uint32_t> numbers;       ///< [ray]
  Span<RayHalf> origins, directions;  ///< [ray]

  SIMT_HOST_DEVICE void operator()(uint32_t item) const {
    origins[item] = rays.origins[numbers[item]];
    directions[item] = rays.directions[numbers[item]];
  }
};

}  // namespace winnow
