// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/sampler.h"
#include "wavefront/state/wave.h"

namespace winnow {

// The first two numbers of a dimension choose the direction of a path segment, two more the light
// sample at the end of that segment. The four are evenly distributed together, as the direction
// determines the lit point and the other two its light. Every number is used for one purpose, so it
// does not depend on other paths or on the schedule.

inline constexpr uint32_t kFilmDimension = 0;         ///< film x y, time
inline constexpr uint32_t kLensDimension = 1u << 30;  ///< lens u v

/// Returns the dimension for BSDF sampling and Russian roulette, see Sampler::direction4().
SIMT_HOST_DEVICE constexpr uint32_t scatter_dimension(uint32_t bounce) {
  return 1 + bounce;
}

/// Returns the dimension for light sampling, see Sampler::light3(): that of the incoming segment.
SIMT_HOST_DEVICE constexpr uint32_t light_dimension(uint32_t bounce) {
  return bounce;
}

/// Returns the dimension for the free flight after `bounce` scatterings: channel and distance.
SIMT_HOST_DEVICE constexpr uint32_t medium_dimension(uint32_t bounce) {
  return (1u << 31) + bounce;
}

/// Returns the dimension for the shadow ray of a light, in grids.
///
/// @param scatterings  ShadowRay::scatterings, less than 2^30
SIMT_HOST_DEVICE constexpr uint32_t shadow_dimension(uint32_t scatterings) {
  return (3u << 30) + scatterings;
}

SIMT_HOST_DEVICE inline Sampler sampler_of(const Wave& wave, const SamplerSettings& settings,
                                           uint32_t path) {
  return {.seed = settings.seed,
          .pixel = wave.pixel_of(path),
          .sample = wave.sample_of(path),
          .type = settings.type,
          .log2_samples = settings.log2_samples,
          .width = wave.width};
}

}  // namespace winnow
