// SPDX-License-Identifier: MIT
#include "scene/daylight.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "math/constants.h"
#include "math/frame.h"
#include "scene/hosek_wilkie_table.h"
#include "scene/spectra/spectrum.h"

namespace winnow {
namespace {

/// Luminous efficacy of daylight, lm W^-1, which converts luminance to radiance.
constexpr float kEfficacy = 179.0f;

/// The five coefficients of the Perez formula for a channel, and the channel at the zenith.
struct Channel {
  float a, b, c, d, e;
  float zenith;
};

/// Perez, Seals & Michalsky, "All-weather Model for Sky Luminance Distribution", 1993.
float distribution(const Channel& channel, float cos_zenith, float sun_angle) {
  const float cos_sun = std::cos(sun_angle);
  return (1.0f + channel.a * std::exp(channel.b / cos_zenith)) *
         (1.0f + channel.c * std::exp(channel.d * sun_angle) + channel.e * cos_sun * cos_sun);
}

/// Returns a channel in a direction; angles are in rad.
float evaluate(const Channel& channel, float sun_zenith, float cos_zenith, float sun_angle) {
  return channel.zenith * distribution(channel, cos_zenith, sun_angle) /
         distribution(channel, 1.0f, sun_zenith);
}

float cubic(float x, float a, float b, float c, float d) {
  return ((a * x + b) * x + c) * x + d;
}

/// Returns the luminance, cd m^-2.
Channel luminance_channel(float turbidity, float sun_zenith) {
  constexpr float kPerKilo = 1000.0f;
  const float t = turbidity;
  const float chi = (4.0f / 9.0f - t / 120.0f) * (kPi - 2.0f * sun_zenith);
  const float zenith = kPerKilo * ((4.0453f * t - 4.9710f) * std::tan(chi) - 0.2155f * t + 2.4192f);
  return {0.1787f * t - 1.4630f, -0.3554f * t + 0.4275f, -0.0227f * t + 5.3251f,
          0.1206f * t - 2.5771f, -0.0670f * t + 0.3703f, std::max(zenith, 0.0f)};
}

/// Returns the CIE 1931 chromaticity x.
Channel x_channel(float turbidity, float sun_zenith) {
  const float t = turbidity, s = sun_zenith;
  const float zenith = t * t * cubic(s, 0.00166f, -0.00375f, 0.00209f, 0.0f) +
                       t * cubic(s, -0.02903f, 0.06377f, -0.03202f, 0.00394f) +
                       cubic(s, 0.11693f, -0.21196f, 0.06052f, 0.25886f);
  return {-0.0193f * t - 0.2592f, -0.0665f * t + 0.0008f, -0.0004f * t + 0.2125f,
          -0.0641f * t - 0.8989f, -0.0033f * t + 0.0452f, zenith};
}

/// Returns the CIE 1931 chromaticity y.
Channel y_channel(float turbidity, float sun_zenith) {
  const float t = turbidity, s = sun_zenith;
  const float zenith = t * t * cubic(s, 0.00275f, -0.00610f, 0.00317f, 0.0f) +
                       t * cubic(s, -0.04214f, 0.08970f, -0.04153f, 0.00516f) +
                       cubic(s, 0.15346f, -0.26756f, 0.06670f, 0.26688f);
  return {-0.0167f * t - 0.2608f, -0.0950f * t + 0.0092f, -0.0079f * t + 0.2102f,
          -0.0441f * t - 1.6537f, -0.0109f * t + 0.0529f, zenith};
}

/// Converts a CIE xyY colour to linear Rec.709.
glm::vec3 rgb_of(float x, float y, float luminance) {
  return rgb_of_xyz({x / y * luminance, luminance, (1.0f - x - y) / y * luminance});
}

float angle_between(glm::vec3 a, glm::vec3 b) {
  return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

/// Returns the radiance of the Preetham sky as linear Rec.709 luminance, cd m^-2.
glm::vec3 preetham_sky(const Daylight& daylight, float cos_zenith, float sun_angle) {
  const float sun_zenith = angle_between(daylight.to_sun, daylight.up);
  auto value = [&](const Channel& channel) {
    return evaluate(channel, sun_zenith, cos_zenith, sun_angle);
  };
  const float luminance = value(luminance_channel(daylight.turbidity, sun_zenith));
  return rgb_of(value(x_channel(daylight.turbidity, sun_zenith)),
                value(y_channel(daylight.turbidity, sun_zenith)), std::max(luminance, 0.0f));
}

constexpr int kTurbidities = 10;

/// The two tabulated turbidities around a turbidity, and the weight of the second.
struct TurbidityStep {
  int first;
  float weight;
};

TurbidityStep turbidity_step(float turbidity) {
  const float above = std::clamp(turbidity - 1.0f, 0.0f, float(kTurbidities - 1));
  const int first = std::min(int(above), kTurbidities - 2);
  return {first, above - float(first)};
}

/// Returns a parameter of the sky at a tabulated turbidity and albedo.
/// @param turbidity  index in the table
/// @param albedo     0 or 1
/// @param x          position on the curve of the control points, [0, 1]
float sky_parameter(int turbidity, int albedo, float x, int channel, int parameter) {
  constexpr float kBinomials[kSkyControlPoints] = {1, 5, 10, 10, 5, 1};
  constexpr int kDegree = kSkyControlPoints - 1;
  float sum = 0.0f;
  for (int point = 0; point < kSkyControlPoints; ++point) {
    const int row = (turbidity * 2 + albedo) * kSkyControlPoints + point;
    sum += kBinomials[point] * std::pow(x, float(point)) *
           std::pow(1.0f - x, float(kDegree - point)) *
           kHosekWilkieSky[(row * 3 + channel) * kSkyParameters + parameter];
  }
  return sum;
}

/// Returns the optical path through the air relative to the path towards the zenith.
/// Kasten & Young, "Revised Optical Air Mass Tables", Applied Optics 28 (22), 1989.
float air_mass(float elevation) {
  return 1.0f /
         (std::sin(elevation) + 0.50572f * std::pow(glm::degrees(elevation) + 6.07995f, -1.6364f));
}

/// Returns the elevation of the sun above the horizon, rad.
float sun_elevation(const Daylight& daylight) {
  return 0.5f * kPi - angle_between(daylight.to_sun, daylight.up);
}

}  // namespace

HosekWilkieSky::HosekWilkieSky(float turbidity, glm::vec3 albedo, float elevation) {
  const TurbidityStep step = turbidity_step(turbidity);
  const float x = std::cbrt(std::clamp(elevation / (0.5f * kPi), 0.0f, 1.0f));
  for (int parameter = 0; parameter < kSkyParameters; ++parameter)
    for (int channel = 0; channel < 3; ++channel) {
      auto over = [&](int ground) {
        return glm::mix(sky_parameter(step.first, ground, x, channel, parameter),
                        sky_parameter(step.first + 1, ground, x, channel, parameter), step.weight);
      };
      parameters_[size_t(parameter)][channel] =
          glm::mix(over(0), over(1), glm::clamp(albedo[channel], 0.0f, 1.0f));
    }
}

glm::vec3 HosekWilkieSky::radiance(float cos_zenith, float sun_angle) const {
  const auto& [mean, a, b, c, d, e, f, g, h, i] = parameters_;
  const float cos_sun = std::cos(sun_angle);
  const glm::vec3 horizon = 1.0f + a * glm::exp(b / (cos_zenith + 0.01f));
  const glm::vec3 aureole =
      (1.0f + cos_sun * cos_sun) / glm::pow(1.0f + i * i - 2.0f * cos_sun * i, glm::vec3(1.5f));
  const glm::vec3 sun = c + d * glm::exp(e * sun_angle) + f * (cos_sun * cos_sun) + g * aureole +
                        h * std::sqrt(cos_zenith);
  return glm::max(horizon * sun * mean, 0.0f);
}

glm::vec3 hosek_wilkie_sun(float turbidity, float elevation) {
  // The fit is valid from this elevation on; below it, irradiance falls linearly to 0.
  constexpr float kLowest = 2.0f * kPi / 180.0f;
  const float mass = air_mass(std::max(elevation, kLowest));
  const auto [first, weight] = turbidity_step(turbidity);
  auto irradiance = [&](int turbidity_index, int channel) {
    const float(&k)[4] = kHosekWilkieSun[turbidity_index][channel];
    return std::exp(k[0] + mass * (k[1] + mass * (k[2] + mass * k[3])));
  };
  glm::vec3 sun;
  for (int channel = 0; channel < 3; ++channel)
    sun[channel] = glm::mix(irradiance(first, channel), irradiance(first + 1, channel), weight);
  return std::clamp(elevation / kLowest, 0.0f, 1.0f) * sun;
}

std::function<glm::vec3(glm::vec3)> make_sky(const Daylight& daylight) {
  // The models are undefined below the horizon.
  auto cos_zenith = [up = daylight.up](glm::vec3 w) { return std::max(glm::dot(w, up), 1e-3f); };
  if (daylight.model == SkyModel::kHosekWilkie)
    return [=, sky = HosekWilkieSky(daylight.turbidity, daylight.sky_albedo,
                                    sun_elevation(daylight))](glm::vec3 w) {
      return daylight.sky_scale * Daylight::kWattsOfWeighted *
             sky.radiance(cos_zenith(w), angle_between(w, daylight.to_sun));
    };
  return [=](glm::vec3 w) {
    return daylight.sky_scale / kEfficacy *
           preetham_sky(daylight, cos_zenith(w), angle_between(w, daylight.to_sun));
  };
}

glm::vec3 sun_irradiance(const Daylight& daylight) {
  if (daylight.model == SkyModel::kHosekWilkie)
    return daylight.sun_scale * Daylight::kWattsOfWeighted *
           hosek_wilkie_sun(daylight.turbidity, sun_elevation(daylight));
  // Sunlight above the atmosphere: 128 klx from a black body of 5778 K.
  constexpr float kIlluminance = 128'000.0f, kX = 0.3262f, kY = 0.3354f;
  const glm::vec3 above = rgb_of(kX, kY, kIlluminance / kEfficacy);
  // Relative optical air mass: Kasten 1966, as in Preetham et al.
  const float sun_zenith = angle_between(daylight.to_sun, daylight.up);
  const float mass =
      1.0f / (std::cos(sun_zenith) + 0.15f * std::pow(93.885f - glm::degrees(sun_zenith), -1.253f));
  // Rayleigh and Angstrom (haze) extinction. Ozone, other gases and vapour are neglected.
  const glm::vec3 wavelengths(0.610f, 0.550f, 0.465f);  // micrometres, of the three channels
  const float haze = 0.04608f * daylight.turbidity - 0.04586f;
  glm::vec3 through;
  for (int channel = 0; channel < 3; ++channel)
    through[channel] = std::exp(-mass * (0.008735f * std::pow(wavelengths[channel], -4.08f) +
                                         haze * std::pow(wavelengths[channel], -1.3f)));
  return daylight.sun_scale * through * above;
}

glm::vec3 sun_direction(const PlaceAndTime& when) {
  const double hour = when.hour - when.timezone;  // universal time
  // Julian day of a Gregorian date; divisions truncate.
  const int64_t year = when.year, month = when.month;
  const int64_t shift = (month - 14) / 12;
  const int64_t day = 1461 * (year + 4800 + shift) / 4 + 367 * (month - 2 - 12 * shift) / 12 -
                      3 * ((year + 4900 + shift) / 100) / 4 + when.day - 32075;
  const double days = double(day) - 0.5 + hour / 24.0 - 2451545.0;  // since noon of 2000-01-01
  // Ecliptic coordinates of the sun, radians.
  const double node = 2.1429 - 0.0010394594 * days;
  const double mean_longitude = 4.8950630 + 0.017202791698 * days;
  const double mean_anomaly = 6.2400600 + 0.0172019699 * days;
  const double longitude = mean_longitude + 0.03341607 * std::sin(mean_anomaly) +
                           0.00034894 * std::sin(2.0 * mean_anomaly) - 0.0001134 -
                           0.0000203 * std::sin(node);
  const double obliquity = 0.4090928 - 6.2140e-9 * days + 0.0000396 * std::cos(node);
  // Celestial coordinates.
  const double ascension =
      std::atan2(std::cos(obliquity) * std::sin(longitude), std::cos(longitude));
  const double declination = std::asin(std::sin(obliquity) * std::sin(longitude));
  // Local coordinates.
  const double sidereal_hours = 6.6974243242 + 0.0657098283 * days + hour;
  const double hour_angle = glm::radians(15.0 * sidereal_hours + when.longitude) - ascension;
  const double latitude = glm::radians(when.latitude);
  const double cos_zenith = std::cos(latitude) * std::cos(hour_angle) * std::cos(declination) +
                            std::sin(declination) * std::sin(latitude);
  const double azimuth = std::atan2(  // from north, clockwise
      -std::sin(hour_angle),
      std::tan(declination) * std::cos(latitude) - std::sin(latitude) * std::cos(hour_angle));
  double zenith = std::acos(glm::clamp(cos_zenith, -1.0, 1.0));
  constexpr double kParallax = 6371.01 / 149597890.0;  // radius of the earth over its distance, km
  zenith += kParallax * std::sin(zenith);
  return glm::vec3(-std::cos(azimuth) * std::sin(zenith), -std::sin(azimuth) * std::sin(zenith),
                   std::cos(zenith));
}

void add_daylight(const Daylight& daylight, HostScene& scene) {
  constexpr uint32_t kHeight = 256;  // rows; the sky is smooth
  const Frame frame(daylight.up);
  const glm::mat3 to_world(frame.s, frame.n, -frame.t);

  EnvironmentMap map{.image = {2 * kHeight, kHeight, {}}, .to_world = to_world};
  glm::dvec3 irradiance(glm::max(glm::dot(daylight.to_sun, daylight.up), 0.0f) *
                        sun_irradiance(daylight));
  const auto sky = make_sky(daylight);
  const float step = kPi / float(kHeight);
  for (uint32_t y = 0; y < kHeight / 2; ++y)
    for (uint32_t x = 0; x < 2 * kHeight; ++x) {
      const float theta = step * (float(y) + 0.5f), phi = step * (float(x) + 0.5f);
      const float sine = std::sin(theta), cosine = std::cos(theta);
      const glm::vec3 radiance =
          sky(to_world * glm::vec3(sine * std::sin(phi), cosine, -sine * std::cos(phi)));
      irradiance += glm::dvec3(radiance) * double(sine * cosine * step * step);
      map.image.pixels.push_back(radiance);
    }
  const glm::vec3 ground = daylight.ground_albedo * kInvPi * glm::vec3(irradiance);
  map.image.pixels.resize(size_t(2 * kHeight) * kHeight, ground);
  if (daylight.sky_scale > 0.0f || daylight.ground_albedo > 0.0f)
    scene.environment = std::move(map);
  if (daylight.sun_scale > 0.0f)
    scene.delta_lights.push_back({.type = DeltaLightType::kDirectional,
                                  .direction = -daylight.to_sun,
                                  .intensity = sun_irradiance(daylight),
                                  .disk_angle = daylight.sun_angle});
}

}  // namespace winnow
