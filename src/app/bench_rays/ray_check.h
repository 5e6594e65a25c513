#pragma once

#include <cstdint>

#include "backend/ray_tracer.h"
#include "bvh/ray_set.h"
#include "scene/host_scene.h"

namespace winnow {

/// How the results of one tracer compare with those of another.
struct RayCheck {
  uint64_t differ = 0;  ///< rays whose results disagree
  uint64_t wrong = 0;   ///< of these, where a test of all primitives in double precision disagrees
};

/// Where more than this share of the rays is wrong, the tracer is.
inline constexpr double kMaxWrong = 1e-5;

/// Two closest hits agree if both or none exist, and their distances agree to this part; which of
/// two surfaces in one place is reported does not matter.
inline constexpr float kDistanceTolerance = 1e-4f;

/// Compares `results` with `reference`, ray by ray. Rays that differ are tested against every
/// primitive, with all of oneTBB's threads: they are few, or the first of them tell enough.
RayCheck check_rays(const HostScene& scene, const RaySet& rays, const RayResults& results,
                    const RayResults& reference);

}  // namespace winnow
