// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/accel.h"
#include "device_scene/device_scene.h"
#include "shading/light/sky_guide.h"
#include "wavefront/stage/alpha_test.h"

namespace winnow {

/// Builds the guide of the sky for a scene; empty if the scene has no sky.
///
/// @param scene  DeviceScene of `host` in host memory
/// @param accel  its acceleration structure in host memory
template <Features kFeatures, Accel A>
SkyGuideTable guide_sky(const HostScene& host, const DeviceScene<kFeatures>& scene,
                        const A& accel) {
  const auto& lights = scene.lights;
  const bool has_map = !host.environment.image.pixels.empty();
  if (!(sky_probability(lights) > 0.0f) || (!has_map && is_black(lights.sky))) return {};
  const auto direction = [&](glm::uvec2 u) {
    const EnvironmentSample sample = sample_sky_at(lights, u);
    return sample.found.pdf > 0.0f ? sample.w : glm::vec3(0.0f);
  };
  const auto is_occluded = [&](const Ray& ray) { return occluded(scene, accel, ray); };
  return build_sky_guide(host, {.direction = direction, .is_occluded = is_occluded});
}

}  // namespace winnow
