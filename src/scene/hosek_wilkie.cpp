// SPDX-License-Identifier: MIT
#include "scene/hosek_wilkie.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/trigonometric.hpp>

#include "math/constants.h"
#include "scene/hosek_wilkie_table.h"

namespace winnow {
namespace {

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

}  // namespace winnow
