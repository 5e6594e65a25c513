#pragma once

#include "geometry/accel.h"
#include "geometry/ray_set.h"
#include "wavefront/queue.h"
#include "wavefront/wave_state.h"

namespace winnow {

// The stages that `winnow bench-rays` times: a ray is read, traced and its hit written, nothing
// else.

/// Finds what each ray of a set meets first.
template <Accel A>
struct TraceClosest {
  static constexpr Stage kStage = Stage::kIntersect;

  A accel;
  RayColumns rays;
  Span<Hit> hits;         ///< [ray]
  bool coherent = false;  ///< neighbouring rays stay close together

  SIMT_HOST_DEVICE bool rays_part(const WaveState&) const { return !coherent; }

  SIMT_HOST_DEVICE Ray ray(uint32_t item) const { return rays.ray(item); }
  SIMT_HOST_DEVICE void store(uint32_t item, const Hit& hit) const { hits[item] = hit; }
  SIMT_HOST_DEVICE void operator()(uint32_t item) const { store(item, accel.intersect(ray(item))); }
};

/// Finds whether each ray of a set meets anything.
template <Accel A>
struct TraceAny {
  static constexpr Stage kStage = Stage::kShadow;

  A accel;
  RayColumns rays;
  Span<uint32_t> occluded;  ///< [ray]

  SIMT_HOST_DEVICE Ray ray(uint32_t item) const { return rays.ray(item); }
  SIMT_HOST_DEVICE void store(uint32_t item, bool hit) const { occluded[item] = hit; }
  SIMT_HOST_DEVICE void operator()(uint32_t item) const { store(item, accel.occluded(ray(item))); }
};

}  // namespace winnow
