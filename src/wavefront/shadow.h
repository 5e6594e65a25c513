#pragma once

#include "geometry/accel.h"
#include "wavefront/paths.h"

namespace winnow {

/// Adds a light sample that nothing hides to its path.
///
/// reads  shadow ray    writes  result
template <Accel A>
struct TraceShadowRays {
  static constexpr Stage kStage = Stage::kShadow;
  /// Of path state, for each ray that reaches its light.
  static constexpr size_t kStateBytes = 2 * sizeof(PathResult);

  A accel;
  ShadowRays shadow_rays;
  Paths paths;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    ShadowRay shadow = shadow_rays.load(slot);
    if (!accel.occluded(shadow.ray))
      paths.results[shadow_rays.id(slot)].radiance += shadow.contribution;
  }
};

}  // namespace winnow
