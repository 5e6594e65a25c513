// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <glm/vec3.hpp>

#include "scene/host_scene.h"

namespace winnow {

enum class SkyModel {
  kPreetham,     ///< Preetham, Shirley & Smits, "A Practical Analytic Model for Daylight", 1999
  kHosekWilkie,  ///< HosekWilkieSky; also valid at and after sunset, and above bright ground
};

struct Daylight {
  static constexpr float kMinTurbidity = 2.0f, kMaxTurbidity = 10.0f;
  /// Factor from radiance weighted by the colour matching functions to W sr^-1 m^-2: 683 lm W^-1
  /// over the luminous efficacy of daylight.
  static constexpr float kWattsOfWeighted = 683.0f / 179.0f;

  SkyModel model = SkyModel::kPreetham;
  glm::vec3 to_sun{0.0f, 1.0f, 0.0f};  ///< unit length, above the horizon
  glm::vec3 up{0.0f, 1.0f, 0.0f};      ///< unit length
  float turbidity = 3.0f;  ///< haziness of the air: 2 is very clear, 10 is hazy; the Hosek-Wilkie
                           ///< model also accepts 1
  float sky_scale = 1.0f, sun_scale = 1.0f;
  float sun_angle = 0.533f;    ///< degrees, diameter of the sun
  float ground_albedo = 0.2f;  ///< albedo of the ground below the horizon; 0 is black
  glm::vec3 sky_albedo{0.2f};  ///< albedo of the ground that lights the Hosek-Wilkie sky
};

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

struct PlaceAndTime {
  int year = 2010, month = 7, day = 10;
  double hour = 15.0;                               ///< local time in hours, with a fraction
  double latitude = 35.6894, longitude = 139.6917;  ///< degrees, north and east
  double timezone = 9.0;                            ///< hours, local time minus universal time
};

/// Returns the direction towards the sun, of unit length: x is south, y west, z up. z is negative
/// below the horizon.
/// Blanco-Muriel et al., "Computing the Solar Vector", Solar Energy 70 (5), 2001.
glm::vec3 sun_direction(const PlaceAndTime& when);

/// Returns the irradiance of a surface that faces the sun, attenuated by the atmosphere, W m^-2.
glm::vec3 sun_irradiance(const Daylight& daylight);

/// Returns a function of the direction above the horizon: the radiance of the sky, W sr^-1 m^-2.
std::function<glm::vec3(glm::vec3)> make_sky(const Daylight& daylight);

/// Sets the environment map of the scene to the sky, above a grey ground lit by sun and sky, and
/// adds the sun, a directional light with the angle of its disk. A sky or sun of scale 0 is not
/// added; the map is added if the ground or the sky is not black.
void add_daylight(const Daylight& daylight, HostScene& scene);

}  // namespace winnow
