// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/sampler.h"
#include "wavefront/state/wave.h"

namespace winnow {

// A path is a list of segments. The first two numbers of a dimension are for the direction of one
// segment, and two more for the light sample where that segment ends: together they are evenly
// distributed in four dimensions, as the lit point depends on the one and its light on the other.
// Every number is used for one purpose, so it does not depend on other paths or on the schedule.

inline constexpr uint32_t kFilmDimension = 0;         ///< film x y
inline constexpr uint32_t kLensDimension = 1u << 30;  ///< lens u v

/// BSDF sampling and Russian roulette, see Sampler::direction4().
SIMT_HOST_DEVICE constexpr uint32_t scatter_dimension(uint32_t bounce) {
  return 1 + bounce;
}

/// Light sampling, see Sampler::light3(): with the direction in which the path came.
SIMT_HOST_DEVICE constexpr uint32_t light_dimension(uint32_t bounce) {
  return bounce;
}

/// Free flight through media after so many scatterings: channel and distance.
SIMT_HOST_DEVICE constexpr uint32_t medium_dimension(uint32_t bounce) {
  return (1u << 31) + bounce;
}

/// The sampler of a path of the wave.
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
