// SPDX-License-Identifier: MIT
#pragma once

#include "backend/cuda/found_hits.h"
#include "backend/cuda/optix_arguments.h"
#include "bvh/wide_bvh.h"
#include "wavefront/stage/intersect.h"
#include "wavefront/state/queue.h"

namespace winnow {

// Arguments of the OptiX programs that trace the rays of stages.

/// Finds the closest hits of the paths of a queue.
struct FindHits {
  static constexpr const char* kProgram = "__raygen__find_hits";

  OptixScene scene;
  WaveState* state;
  WorkQueue work;
  IntersectClosest<WideBvh> rays;  ///< its accel is not used
};

/// Finds what occludes shadow rays: any primitive between their ends.
struct FindOccluders {
  static constexpr const char* kProgram = "__raygen__find_occluders";

  OptixScene scene;
  WaveState* state;
  ShadowRays rays;
  Span<FoundHit> occluders;  ///< [ray]
};

}  // namespace winnow
