// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/ray_tracer.h"
#include "bvh/ray_set.h"
#include "scene/host_scene.h"

namespace winnow {

struct RayCheck {
  uint64_t differ = 0;  ///< rays whose results disagree
  // Results for these rays of a brute-force test in double precision:
  uint64_t wrong = 0;            ///< refuted
  uint64_t reference_wrong = 0;  ///< the reference is refuted
  /// Rays so close to an edge or a vertex that double precision cannot determine the side. A hit
  /// and a miss of such a triangle are both right.
  uint64_t on_edge = 0;
};

/// A tracer fails if a larger fraction of its rays is wrong.
inline constexpr double kMaxWrong = 1e-5;

/// Two closest hits agree if both or none exist and their distances have at most this relative
/// difference. Coincident surfaces are interchangeable.
inline constexpr float kDistanceTolerance = 1e-4f;

/// Compares `results` with `reference`, ray by ray. Tests the first rays that differ against every
/// primitive, with all threads of oneTBB.
RayCheck check_rays(const HostScene& scene, const RaySet& rays, const RayResults& results,
                    const RayResults& reference);

}  // namespace winnow
