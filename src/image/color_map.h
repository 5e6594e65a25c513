#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

namespace winnow {

// Colours that stand for something else than light. They are linear like all pixels, and made such
// that writing 8 bits (tone_map.h) gives just the bytes that were chosen.

/// The colour that an image of 8 bits shows as these sRGB values.
glm::vec3 color_of_bytes(uint8_t red, uint8_t green, uint8_t blue);

/// Colour of a number. Its lightness grows evenly, so that the picture reads the same in grey and
/// to those who see fewer hues.
///
/// @param value  [0, 1]; what is outside, or no number, counts as the nearer end or as 0
glm::vec3 false_color(float value);

/// The colours of 0, of what lies between, and of 1.
inline constexpr const char *kLowestColor = "dark violet", *kColorsBetween = "blue, teal and green",
                            *kHighestColor = "pale yellow";

}  // namespace winnow
