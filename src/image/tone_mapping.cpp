#include "image/tone_mapping.h"

#include <algorithm>
#include <cmath>

#include "image/tone_curve.h"
#include "image/tone_map.h"

namespace winnow {
namespace {

/// Beyond this every curve is white, and its squares are no infinities.
constexpr float kBrightestShown = 0x1p16f;

float within_curves(float radiance) {
  return radiance > 0.0f ? std::min(radiance, kBrightestShown) : 0.0f;  // NaN, too, becomes 0
}

glm::vec3 apply_curve(glm::vec3 radiance, ToneCurve curve) {
  if (curve == ToneCurve::kSrgb) return radiance;
  for (int channel = 0; channel < 3; ++channel)
    radiance[channel] = within_curves(radiance[channel]);
  return curve == ToneCurve::kAces ? aces_curve(radiance) : agx_curve(radiance);
}

}  // namespace

std::array<uint8_t, 3> tone_map(glm::vec3 radiance, const ToneMapping& mapping) {
  const glm::vec3 shown = apply_curve(std::exp2(mapping.exposure) * radiance, mapping.curve);
  return {tone_map(shown.x), tone_map(shown.y), tone_map(shown.z)};
}

}  // namespace winnow
