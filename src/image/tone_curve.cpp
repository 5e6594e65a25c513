#include "image/tone_curve.h"

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace winnow {
namespace {

glm::mat3 matrix_of_rows(glm::vec3 red, glm::vec3 green, glm::vec3 blue) {
  return glm::transpose(glm::mat3(red, green, blue));
}

template <class Curve>
glm::vec3 for_each_channel(glm::vec3 color, Curve curve) {
  return {curve(color.x), curve(color.y), curve(color.z)};
}

/// Reference rendering and output device transform of one channel.
float aces_fit(float x) {
  return (x * (x + 0.0245786f) - 0.000090537f) / (x * (0.983729f * x + 0.4329510f) + 0.238081f);
}

// AgX: a sigmoid of the logarithm of radiance, through (0, 0), its pivot and (1, 1).
constexpr float kMiddleGrey = 0.18f;
constexpr float kStopsBelowGrey = 10.0f, kStopsAboveGrey = 6.5f;
constexpr float kPivotX = kStopsBelowGrey / (kStopsBelowGrey + kStopsAboveGrey), kPivotY = 0.5f;
constexpr float kSlope = 2.0f;                             // at the pivot
constexpr float kToePower = 3.0f, kShoulderPower = 3.25f;  // how late it bends
constexpr float kDisplayGamma = 2.2f;  // of a display that the curve is made for

/// One arm of the sigmoid: how far from the pivot it is at distance `x` of it.
///
/// @param x, end  [0, end]; the arm ends at (end, rise)
float sigmoid_arm(float x, float end, float rise, float power) {
  const float scale =
      kSlope * end * std::pow(std::pow(kSlope * end / rise, power) - 1.0f, -1.0f / power);
  const float line = kSlope * x / scale;
  return scale * line / std::pow(1.0f + std::pow(line, power), 1.0f / power);
}

float agx_sigmoid(float radiance) {
  constexpr float kMin = 0x1p-64f;  // any below the toe: zero has no logarithm
  const float stops = std::log2(std::max(radiance, kMin) / kMiddleGrey);
  const float x =
      std::clamp((stops + kStopsBelowGrey) / (kStopsBelowGrey + kStopsAboveGrey), 0.0f, 1.0f);
  return x < kPivotX
             ? kPivotY - sigmoid_arm(kPivotX - x, kPivotX, kPivotY, kToePower)
             : kPivotY + sigmoid_arm(x - kPivotX, 1.0f - kPivotX, 1.0f - kPivotY, kShoulderPower);
}

}  // namespace

glm::vec3 aces_curve(glm::vec3 radiance) {
  static const glm::mat3 kFromRec709 =  // over AP1, desaturated
      matrix_of_rows({0.59719f, 0.35458f, 0.04823f}, {0.07600f, 0.90834f, 0.01566f},
                     {0.02840f, 0.13383f, 0.83777f});
  static const glm::mat3 kToRec709 =
      matrix_of_rows({1.60475f, -0.53108f, -0.07367f}, {-0.10208f, 1.10813f, -0.00605f},
                     {-0.00327f, -0.07276f, 1.07602f});
  return kToRec709 * for_each_channel(kFromRec709 * radiance, aces_fit);
}

glm::vec3 agx_curve(glm::vec3 radiance) {
  static const glm::mat3 kInset =  // primaries closer together
      matrix_of_rows({0.842479062f, 0.078433600f, 0.079223745f},
                     {0.042328242f, 0.878468636f, 0.079166127f},
                     {0.042375655f, 0.078433600f, 0.879142974f});
  static const glm::mat3 kOutset = glm::inverse(kInset);
  const glm::vec3 shown = kOutset * for_each_channel(kInset * radiance, agx_sigmoid);
  return for_each_channel(shown,
                          [](float x) { return std::pow(std::max(x, 0.0f), kDisplayGamma); });
}

}  // namespace winnow
