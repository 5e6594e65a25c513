// SPDX-License-Identifier: MIT
#include "image/tone_mapping.h"

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <vector>

#include "image/agx.h"
#include "image/srgb.h"
#include "math/sampling.h"

namespace winnow {
namespace {

glm::mat3 mat3_of_rows(glm::vec3 red, glm::vec3 green, glm::vec3 blue) {
  return glm::transpose(glm::mat3(red, green, blue));
}

template <class Curve>
glm::vec3 for_each_channel(glm::vec3 color, Curve curve) {
  return {curve(color.x), curve(color.y), curve(color.z)};
}

/// Applies the reference rendering and output device transforms to one channel.
float aces_fit(float x) {
  return (x * (x + 0.0245786f) - 0.000090537f) / (x * (0.983729f * x + 0.4329510f) + 0.238081f);
}

/// Radiance at which every curve is white; its square does not overflow.
constexpr float kMaxCurveRadiance = 0x1p16f;

float within_curves(float radiance) {
  return radiance > 0.0f ? std::min(radiance, kMaxCurveRadiance) : 0.0f;  // NaN becomes 0
}

glm::vec3 apply_curve(glm::vec3 radiance, ToneCurve curve) {
  if (curve == ToneCurve::kSrgb) return radiance;
  for (int channel = 0; channel < 3; ++channel)
    radiance[channel] = within_curves(radiance[channel]);
  return curve == ToneCurve::kAces ? aces_curve(radiance) : agx_curve(radiance);
}

/// Returns the value below which a share of the values lies. Reorders them.
float quantile(std::vector<float>& values, double share) {
  const auto place = values.begin() + ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

}  // namespace

glm::vec3 aces_curve(glm::vec3 radiance) {
  static const glm::mat3 kFromRec709 =  // through AP1, with desaturation
      mat3_of_rows({0.59719f, 0.35458f, 0.04823f}, {0.07600f, 0.90834f, 0.01566f},
                   {0.02840f, 0.13383f, 0.83777f});
  static const glm::mat3 kToRec709 =
      mat3_of_rows({1.60475f, -0.53108f, -0.07367f}, {-0.10208f, 1.10813f, -0.00605f},
                   {-0.00327f, -0.07276f, 1.07602f});
  return kToRec709 * for_each_channel(kFromRec709 * radiance, aces_fit);
}

std::array<uint8_t, 3> tone_map(glm::vec3 radiance, const ToneMapping& mapping) {
  const glm::vec3 shown = apply_curve(std::exp2(mapping.exposure) * radiance, mapping.curve);
  return {tone_map(shown.x), tone_map(shown.y), tone_map(shown.z)};
}

float auto_exposure(const Image& image) {
  constexpr double kMedian = 0.5, kBright = 0.95;  // quantiles
  constexpr float kMostHeldBack = 3.0f, kMostStops = 24.0f, kStepsPerStop = 100.0f;
  std::vector<float> light, largest;  // log2 of luminance, and of the brightest channel
  for (const glm::vec3& pixel : image.pixels) {
    const float y = luminance(pixel), most = std::max({pixel.x, pixel.y, pixel.z});
    if (!(y > 0.0f && std::isfinite(most))) continue;
    light.push_back(std::log2(y));
    largest.push_back(std::log2(most));
  }
  if (light.empty()) return 0.0f;
  const float to_grey = std::log2(float(kMiddleGrey)) - quantile(light, kMedian);
  const float to_white = -quantile(largest, kBright);
  const float exposure =
      to_grey > 0.0f ? std::clamp(to_white, std::max(to_grey - kMostHeldBack, 0.0f), to_grey)
                     : std::clamp(to_white, to_grey, 0.0f);
  return std::round(kStepsPerStop * std::clamp(exposure, -kMostStops, kMostStops)) / kStepsPerStop;
}

}  // namespace winnow
