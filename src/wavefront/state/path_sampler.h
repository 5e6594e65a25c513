// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "math/sampler.h"
#include "wavefront/state/wave.h"

namespace winnow {

// Every dimension of a path's sampler gives four random numbers and is used for one purpose, so the
// numbers do not depend on other paths or on the schedule.

inline constexpr uint32_t kCameraDimension = 0;  ///< film x y, lens u v

/// BSDF sampling (three numbers) and Russian roulette.
SIMT_HOST_DEVICE constexpr uint32_t scatter_dimension(uint32_t bounce) {
  return 1 + 2 * bounce;
}

/// Light sampling.
SIMT_HOST_DEVICE constexpr uint32_t light_dimension(uint32_t bounce) {
  return 2 + 2 * bounce;
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
