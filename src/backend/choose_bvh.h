#pragma once

#include <cstdint>

#include "bvh/bvh_build.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// What decides between the builds on a GPU.
struct BvhChoice {
  uint64_t primitives = 0;
  uint32_t threads = 1;                 ///< of the CPU, for the quality build
  uint32_t multiprocessors = 1;         ///< of the GPU, for the rays
  uint64_t free_memory = ~uint64_t(0);  ///< on the GPU, bytes
};

/// settings.bvh, or where that is kAuto the build with which the image is likely to be done first:
/// kQuality if its rays save more time than it takes, from what was measured. A render whose
/// samples are not known takes many.
BvhBuild choose_bvh(const RenderSettings& settings, const BvhChoice& choice);

}  // namespace winnow
