// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "bvh/accel.h"
#include "bvh/ray_set.h"
#include "wavefront/state/queue.h"
#include "wavefront/state/wave.h"

namespace winnow {

// Stages that `winnow bench-rays` measures: tracing (reads a ray, writes its hit) and sorting.

template <Accel A>
struct TraceClosest {
  static constexpr Stage kStage = Stage::kIntersect;

  A accel;
  RayColumns rays;
  Span<Hit> hits;         ///< [ray]
  bool coherent = false;  ///< neighbouring rays are similar

  SIMT_HOST_DEVICE bool incoherent(const WaveState&) const { return !coherent; }
  SIMT_HOST_DEVICE Ray ray(uint32_t item) const { return rays.ray(item); }
  SIMT_HOST_DEVICE void store(uint32_t item, const Hit& hit) const { hits[item] = hit; }
  SIMT_HOST_DEVICE void operator()(uint32_t item) const { store(item, accel.intersect(ray(item))); }
};

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

/// Writes the sort key and the index of each ray.
struct KeyRays {
  static constexpr Stage kStage = Stage::kGenerate;
  static constexpr bool kUniformCost = true;

  RayColumns rays;
  RayOrder order;
  Span<uint32_t> keys, indices;  ///< [ray]

  SIMT_HOST_DEVICE void operator()(uint32_t item) const {
    keys[item] = order.key(rays.ray(item));
    indices[item] = item;
  }
};

struct GatherRays {
  static constexpr Stage kStage = Stage::kGenerate;
  static constexpr bool kUniformCost = true;

  RayColumns rays;
  Span<const uint32_t> indices;      ///< [ray]
  Span<Packed> origins, directions;  ///< [ray]

  SIMT_HOST_DEVICE void operator()(uint32_t item) const {
    origins[item] = rays.origins[indices[item]];
    directions[item] = rays.directions[indices[item]];
  }
};

}  // namespace winnow
