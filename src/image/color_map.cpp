// SPDX-License-Identifier: MIT
#include "image/color_map.h"

#include <algorithm>
#include <array>

#include "image/srgb.h"

namespace winnow {

glm::vec3 color_of_bytes(uint8_t red, uint8_t green, uint8_t blue) {
  return {invert_tone_map(red), invert_tone_map(green), invert_tone_map(blue)};
}

glm::vec3 false_color(float value) {
  // Hues in even steps from violet to yellow, with CIE 1976 lightness L* = 18, 31, 44, ... 95 and
  // about the largest chroma that sRGB allows.
  constexpr unsigned kAnchors = 7;
  static constexpr std::array<glm::vec3, kAnchors> kColors = {{{61, 19, 107},
                                                               {40, 66, 149},
                                                               {2, 111, 152},
                                                               {24, 150, 156},
                                                               {37, 191, 145},
                                                               {164, 220, 123},
                                                               {255, 242, 167}}};

  float place = value > 0.0f ? std::min(value, 1.0f) * float(kAnchors - 1) : 0.0f;
  unsigned below = std::min(unsigned(place), kAnchors - 2);
  glm::vec3 encoded =
      kColors[below] + (place - float(below)) * (kColors[below + 1] - kColors[below]);
  constexpr float kMaxByte = 255.0f;
  glm::vec3 color;
  for (int channel = 0; channel < 3; ++channel)
    color[channel] = linear_from_srgb(encoded[channel] / kMaxByte);
  return color;
}

}  // namespace winnow
