// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/ray_set_stages.h"
#include "bvh/wide_bvh.h"

namespace winnow {

// Arguments of the OptiX programs in optix_programs.cu. Those of stages are in optix_stages.h.

/// What rays are traced through.
struct OptixScene {
  uint64_t traversable = 0;    ///< an OptixTraversableHandle; 0 without geometry
  Span<const Sphere> spheres;  ///< [sphere]
  glm::vec3 center{0.0f};      ///< m, origin of the coordinates in which OptiX traces
};

// The arguments of each launch: rays and where their results go.

/// Finds the closest hits of rays of `winnow bench-rays`.
struct FindHitsOfSet {
  static constexpr const char* kProgram = "__raygen__find_hits_of_set";

  OptixScene scene;
  uint32_t count;
  TraceClosest<WideBvh> rays;  ///< its accel is not used
};

/// Finds whether anything occludes rays of `winnow bench-rays`.
struct FindOccludedOfSet {
  static constexpr const char* kProgram = "__raygen__find_occluded_of_set";

  OptixScene scene;
  uint32_t count;
  TraceAny<WideBvh> rays;  ///< its accel is not used
};

/// Room for the arguments of any program.
struct alignas(16) OptixArguments {
  std::byte bytes[1024];

  template <class Arguments>
  SIMT_HOST_DEVICE const Arguments& as() const {
    static_assert(sizeof(Arguments) <= sizeof bytes);
    return *reinterpret_cast<const Arguments*>(bytes);
  }
};

}  // namespace winnow
