// SPDX-License-Identifier: MIT
#include "image/color_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "image/srgb.h"
#include "math/constants.h"

namespace winnow {
namespace {

/// L* of CIE 1976, [0, 100].
double lightness(glm::vec3 color) {
  double y = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z;
  return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

TEST(ColorOfBytes, IsWrittenAsTheseBytes) {
  for (int value = 0; value < 256; ++value) {
    glm::vec3 color = color_of_bytes(uint8_t(value), uint8_t(255 - value), 7);
    EXPECT_EQ(tone_map(color.x), value);
    EXPECT_EQ(tone_map(color.y), 255 - value);
    EXPECT_EQ(tone_map(color.z), 7);
  }
}

TEST(FalseColor, GrowsLighterEvenly) {
  constexpr int kSteps = 60;
  double first = lightness(false_color(0.0f)), last = lightness(false_color(1.0f));
  EXPECT_GT(first, 10.0);  // not black, which stands for no sample
  EXPECT_GT(last, 90.0);
  double step = (last - first) / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    double now = lightness(false_color(float(i) / kSteps));
    double next = lightness(false_color(float(i + 1) / kSteps));
    EXPECT_GT(next - now, 0.5 * step) << i;
    EXPECT_LT(next - now, 1.5 * step) << i;
  }
}

TEST(FalseColor, StaysWithinWhatEightBitsShow) {
  for (int i = 0; i <= 100; ++i)
    for (int channel = 0; channel < 3; ++channel) {
      EXPECT_GE(false_color(float(i) / 100.0f)[channel], 0.0f);
      EXPECT_LE(false_color(float(i) / 100.0f)[channel], 1.0f);
    }
}

TEST(FalseColor, WhatIsOutsideCountsAsTheNearerEnd) {
  EXPECT_EQ(false_color(-1.0f), false_color(0.0f));
  EXPECT_EQ(false_color(-kInfinity), false_color(0.0f));
  EXPECT_EQ(false_color(std::nanf("")), false_color(0.0f));
  EXPECT_EQ(false_color(2.0f), false_color(1.0f));
  EXPECT_EQ(false_color(kInfinity), false_color(1.0f));
}

}  // namespace
}  // namespace winnow
