// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <glm/vec3.hpp>

namespace winnow {

/// A clear sky with the sun at one elevation.
/// Hosek & Wilkie, "An Analytic Model for Full Spectral Sky-Dome Radiance", SIGGRAPH 2012.
class HosekWilkieSky {
 public:
  /// @param turbidity  1 to 10
  /// @param albedo     of the ground per channel, which brightens the sky, [0, 1]
  /// @param elevation  rad, of the sun above the horizon, [0, pi / 2]
  HosekWilkieSky(float turbidity, glm::vec3 albedo, float elevation);

  /// Linear Rec.709, W sr^-1 m^-2 weighted by the colour matching functions: the luminance is 683
  /// lm W^-1 times that of the result.
  /// @param cos_zenith  of the direction, [0, 1]
  /// @param sun_angle   rad, between the direction and the sun
  glm::vec3 radiance(float cos_zenith, float sun_angle) const;

 private:
  /// [parameter]: the mean radiance and A to I, per channel
  std::array<glm::vec3, 10> parameters_;
};

/// Irradiance of a surface that faces the sun, in the units of HosekWilkieSky::radiance.
/// Hosek & Wilkie, "Adding a Solar-Radiance Function to the Hosek-Wilkie Skylight Model", IEEE
/// Computer Graphics and Applications 33 (3), 2013.
/// @param turbidity  1 to 10
/// @param elevation  rad, of the sun above the horizon, [0, pi / 2]
glm::vec3 hosek_wilkie_sun(float turbidity, float elevation);

}  // namespace winnow
