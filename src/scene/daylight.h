// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>

#include "scene/host_scene.h"

namespace winnow {

/// A clear sky with a sun.
struct Daylight {
  static constexpr float kMinTurbidity = 2.0f, kMaxTurbidity = 10.0f;

  glm::vec3 to_sun{0.0f, 1.0f, 0.0f};  ///< unit length, above the horizon
  glm::vec3 up{0.0f, 1.0f, 0.0f};      ///< unit length
  float turbidity = 3.0f;              ///< haziness of the air: 2 is very clear, 10 is hazy
  float sky_scale = 1.0f, sun_scale = 1.0f;
};

/// Irradiance of a surface that faces the sun, attenuated by the atmosphere, W m^-2.
glm::vec3 sun_irradiance(const Daylight& daylight);

/// Radiance of the sky in direction `w` above the horizon, W sr^-1 m^-2.
/// Preetham, Shirley & Smits, "A Practical Analytic Model for Daylight", SIGGRAPH 1999.
glm::vec3 sky_radiance(const Daylight& daylight, glm::vec3 w);

/// Sets the environment map of the scene to the sky, above a grey ground lit by sun and sky, and
/// adds the sun, a directional light with the angle of its disk.
void add_daylight(const Daylight& daylight, HostScene& scene);

}  // namespace winnow
