// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/accel.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/stage/media.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Tests a shadow ray and adds its contribution to the path if it is unoccluded, attenuated by the
/// media on its way.
///
/// reads  shadow ray    writes  result
/// @tparam Media  HomogeneousMedia or GridMedia
template <Accel A, class Scene, class Media = HomogeneousMedia>
struct TraceShadowRays {
  static constexpr Stage kStage = Stage::kShadow;
  static constexpr bool kAnyHit = true;
  /// Traffic of path state per unoccluded ray.
  static constexpr size_t kStateBytes = 2 * sizeof(PathResult::radiance);

  Scene scene;
  A accel;
  ShadowRays shadow_rays;
  Paths paths;
  Media media = {};

  SIMT_HOST_DEVICE Ray ray(uint32_t i) const { return shadow_rays.load(i).ray; }
  /// @return  whether the light is visible
  SIMT_HOST_DEVICE bool store(uint32_t i, bool is_occluded) const {
    if (is_occluded) return false;
    const ShadowRay shadow = shadow_rays.load(i);
    glm::vec3& gathered = paths.gathered(shadow_rays.id(i), shadow.scatterings);
    if constexpr (Scene::kFeatures.media)
      gathered +=
          transmittance_within(scene, shadow.ray, shadow_rays.medium(i)) * shadow.contribution;
    else
      gathered += shadow.contribution;
    return true;
  }

  SIMT_HOST_DEVICE bool operator()(uint32_t i) const {
    if constexpr (Scene::kFeatures.media) {
      const ShadowRay shadow = shadow_rays.load(i);
      const PathId id = shadow_rays.id(i);
      const glm::vec3 visible = media.transmittance(scene, accel, shadow.ray, shadow_rays.medium(i),
                                                    id, shadow.scatterings);
      paths.gathered(id, shadow.scatterings) += visible * shadow.contribution;
      return visible != glm::vec3(0.0f);
    } else {
      return store(i, occluded(scene, accel, ray(i)));
    }
  }

  SIMT_HOST_DEVICE static uint32_t& counter(Iteration& iteration) { return iteration.unoccluded; }
};

}  // namespace winnow
