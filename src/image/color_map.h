// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

namespace winnow {

// Colours that represent values other than light. They are linear, like all pixels; conversion to 8
// bits (srgb.h) gives the intended bytes.

/// Returns the linear colour that an 8-bit image stores as these sRGB values.
glm::vec3 color_of_bytes(uint8_t red, uint8_t green, uint8_t blue);

/// Returns the false colour of a value. Lightness increases linearly, so the image can also be read
/// in grey and with colour vision deficiency.
/// @param value  clamped to [0, 1]; NaN counts as 0
glm::vec3 false_color(float value);

/// Names of the colours of 0, of values in between, and of 1.
inline constexpr const char *kLowestColor = "dark violet", *kColorsBetween = "blue, teal and green",
                            *kHighestColor = "pale yellow";

}  // namespace winnow
