// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>

#include "base/names.h"
#include "image/image.h"

namespace winnow {

enum class ToneCurve {
  kSrgb,  ///< no curve: clips values above 1
  kAces,  ///< aces_curve()
  kAgx,   ///< agx_curve() of agx.h
};

template <>
inline constexpr std::array<const char*, 3> kEnumNames<ToneCurve> = {"srgb", "aces", "agx"};

inline constexpr float kMaxStops = 64.0f;  ///< largest magnitude of the exposure

struct ToneMapping {
  ToneCurve curve = ToneCurve::kSrgb;
  float exposure = 0.0f;  ///< stops, [-kMaxStops, kMaxStops]; one stop doubles radiance
};

/// Converts linear radiance to 8-bit sRGB: red, green, blue. NaN counts as 0.
std::array<uint8_t, 3> tone_map(glm::vec3 radiance, const ToneMapping& mapping);

/// Returns the exposure, in stops rounded to hundredths, that maps the median of all pixels that
/// are not black to middle grey, 0.18.
///
/// The exposure is nearer to 0 where that would spoil bright parts: an image is brightened only
/// until 5 % of its pixels reach white, unless the median would then stay more than 3 stops too
/// dark, and darkened only until 95 % of them are below white. At most 24 stops; 0 for a black
/// image.
float auto_exposure(const Image& image);

/// Applies Stephen Hill's fit of the ACES reference rendering and sRGB output transforms: high
/// contrast; bright colours become white. Grey 0.18 becomes 0.106. Converts scene-linear Rec.709
/// radiance, each channel in [0, 2^16], to display-linear Rec.709, which may lie slightly outside
/// [0, 1].
/// Pettineo & Neubelt, BakingLab, ACES.hlsl, 2016.
glm::vec3 aces_curve(glm::vec3 radiance);

}  // namespace winnow
