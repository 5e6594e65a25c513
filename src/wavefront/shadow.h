#pragma once

#include "geometry/accel.h"
#include "wavefront/paths.h"

namespace winnow {

/// Adds each light sample that nothing hides to its path.
///
/// reads  shadow ray    writes  radiance
template <Accel A>
struct TraceShadowRays {
  static constexpr Stage kStage = Stage::kShadow;

  A accel;
  ShadowRays shadow_rays;
  Paths paths;

  SIMT_HOST_DEVICE void operator()(PathId path) const {
    ShadowRay shadow = shadow_rays.load(path);
    if (!accel.occluded(shadow.ray)) paths.radiance[path] += shadow.contribution;
  }
};

}  // namespace winnow
