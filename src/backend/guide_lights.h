// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/accel.h"
#include "device_scene/device_scene.h"
#include "shading/light/build_sky_guide.h"
#include "shading/light/light_guide.h"
#include "shading/light/light_table.h"
#include "wavefront/stage/alpha_test.h"

namespace winnow {

/// Decides how light samples find the sky of a scene, if it has one: builds the guide, or if that
/// is empty calls leave_smooth_sky().
///
/// @param scene   DeviceScene of `host` in host memory, with `lights`
/// @param accel   its acceleration structure in host memory
/// @param cells   cells of the scene `host`
/// @param lights  the table of scene.lights, which must be made anew afterwards
template <Features kFeatures, Accel A>
void guide_sky(const HostScene& host, const DeviceScene<kFeatures>& scene, const A& accel,
               SceneCells& cells, LightTable& lights) {
  const auto& before = scene.lights;
  const bool has_map = !host.environment.image.pixels.empty();
  if (!(before.sky_probability > 0.0f) || (!has_map && is_black(before.sky))) return;
  const auto direction = [&](glm::uvec2 u) {
    const EnvironmentSample sample = sample_sky_at(before, u);
    return sample.found.pdf > 0.0f ? sample.w : glm::vec3(0.0f);
  };
  const auto is_occluded = [&](const Ray& ray) { return occluded(scene, accel, ray); };
  lights.guide = build_sky_guide(cells, {.direction = direction, .is_occluded = is_occluded});
  if (lights.guide.tables.empty()) leave_smooth_sky(host, lights);
}

/// Builds the guides of the sky and of local lights. For the parameters see guide_sky().
template <Features kFeatures, Accel A>
void guide_lights(const HostScene& host, const DeviceScene<kFeatures>& scene, const A& accel,
                  LightTable& lights) {
  SceneCells cells(host);
  guide_sky(host, scene, accel, cells, lights);
  build_light_guide(cells, lights);
}

}  // namespace winnow
