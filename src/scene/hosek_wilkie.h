// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <glm/vec3.hpp>

namespace winnow {

/// A clear sky for one elevation of the sun.
/// Hosek & Wilkie, "An Analytic Model for Full Spectral Sky-Dome Radiance", SIGGRAPH 2012.
class HosekWilkieSky {
 public:
  /// @param turbidity  1 to 10
  /// @param albedo     albedo of the ground per channel, which brightens the sky, [0, 1]
  /// @param elevation  elevation of the sun above the horizon, rad, [0, pi / 2]
  HosekWilkieSky(float turbidity, glm::vec3 albedo, float elevation);

  /// Returns linear Rec.709 radiance weighted by the colour matching functions, W sr^-1 m^-2: its
  /// luminance times 683 lm W^-1 is the luminance of the sky.
  /// @param cos_zenith  cosine of the angle between the direction and the zenith, [0, 1]
  /// @param sun_angle   angle between the direction and the sun, rad
  glm::vec3 radiance(float cos_zenith, float sun_angle) const;

 private:
  /// [parameter], per channel: the mean radiance, then A to I
  std::array<glm::vec3, 10> parameters_;
};

/// Returns the irradiance of a surface that faces the sun. Its unit is that of
/// HosekWilkieSky::radiance() times sr.
/// Hosek & Wilkie, "Adding a Solar-Radiance Function to the Hosek-Wilkie Skylight Model", IEEE
/// Computer Graphics and Applications 33 (3), 2013.
/// @param turbidity  1 to 10
/// @param elevation  elevation of the sun above the horizon, rad, [0, pi / 2]
glm::vec3 hosek_wilkie_sun(float turbidity, float elevation);

}  // namespace winnow
