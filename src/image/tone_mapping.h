#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>

#include "base/enum_names.h"

namespace winnow {

enum class ToneCurve {
  kSrgb,  ///< none: what is brighter than 1 is cut off
  kAces,  ///< tone_curve.h, as is the next
  kAgx,
};

template <>
inline constexpr std::array<const char*, 3> kEnumNames<ToneCurve> = {"srgb", "aces", "agx"};

inline constexpr float kMaxStops = 64.0f;  ///< of exposure, either way

/// How an image becomes one of 8 bits.
struct ToneMapping {
  ToneCurve curve = ToneCurve::kSrgb;
  float exposure = 0.0f;  ///< stops, [-kMaxStops, kMaxStops]; each doubles radiance
};

/// Linear radiance to 8-bit sRGB: red, green, blue. NaN counts as 0.
std::array<uint8_t, 3> tone_map(glm::vec3 radiance, const ToneMapping& mapping);

}  // namespace winnow
