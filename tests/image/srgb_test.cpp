// SPDX-License-Identifier: MIT
#include "image/srgb.h"

#include <gtest/gtest.h>

#include <limits>

namespace winnow {
namespace {

TEST(ToneMap, KnownValues) {
  EXPECT_EQ(tone_map(0.0f), 0);
  EXPECT_EQ(tone_map(1.0f), 255);
  EXPECT_EQ(tone_map(0.18f), 118);       // middle grey
  EXPECT_EQ(tone_map(0.2158605f), 128);  // the middle of the encoded range
  EXPECT_EQ(tone_map(0.001f), 3);        // in the linear segment
}

TEST(ToneMap, ClampsWhatAnEightBitImageCannotShow) {
  float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(tone_map(1.5f), 255);
  EXPECT_EQ(tone_map(infinity), 255);
  EXPECT_EQ(tone_map(-0.5f), 0);
  EXPECT_EQ(tone_map(-infinity), 0);
  EXPECT_EQ(tone_map(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST(ToneMap, InverseReturnsEveryEightBitValue) {
  for (int encoded = 0; encoded < 256; ++encoded)
    EXPECT_EQ(tone_map(invert_tone_map(uint8_t(encoded))), encoded);
}

TEST(ToneMap, GrowsWithRadiance) {
  int previous = 0;
  for (float radiance = 0.0f; radiance <= 1.0f; radiance += 1.0f / 4096.0f) {
    EXPECT_GE(tone_map(radiance), previous);
    previous = tone_map(radiance);
  }
}

TEST(ToneMap, TransferFunctionIsContinuousAndInvertible) {
  EXPECT_NEAR(srgb_from_linear(0.0031307f), srgb_from_linear(0.0031309f), 1e-5f);
  for (float linear = 0.0f; linear <= 1.0f; linear += 1.0f / 1024.0f)
    EXPECT_NEAR(linear_from_srgb(srgb_from_linear(linear)), linear, 2e-6f);
}

}  // namespace
}  // namespace winnow
