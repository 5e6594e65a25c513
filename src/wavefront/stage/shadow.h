#pragma once

#include "bvh/accel.h"
#include "wavefront/stage/see_through.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Adds a light sample that nothing hides to its path.
///
/// reads  shadow ray    writes  result
template <Accel A, class Scene>
struct TraceShadowRays {
  static constexpr Stage kStage = Stage::kShadow;
  static constexpr bool kAnyHit = true;
  /// Of path state, for each ray that reaches its light.
  static constexpr size_t kStateBytes = 2 * sizeof(PathResult::radiance);

  Scene scene;
  A accel;
  ShadowRays shadow_rays;
  Paths paths;

  SIMT_HOST_DEVICE Ray ray(uint32_t i) const { return shadow_rays.load(i).ray; }
  /// @return  whether the light is seen
  SIMT_HOST_DEVICE bool store(uint32_t i, bool hidden) const {
    if (hidden) return false;
    const ShadowRay shadow = shadow_rays.load(i);
    paths.gathered(shadow_rays.id(i), shadow.scatterings) += shadow.contribution;
    return true;
  }

  SIMT_HOST_DEVICE bool operator()(uint32_t i) const {
    return store(i, occluded(scene, accel, ray(i)));
  }

  SIMT_HOST_DEVICE static uint32_t& counter(Iteration& iteration) { return iteration.unoccluded; }
};

}  // namespace winnow
