// SPDX-License-Identifier: MIT
#include "film/brightness_layers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace winnow {
namespace {

constexpr uint32_t kBrightest = kBrightnessLayerCount - 1;

TEST(BrightnessLayers, GrowByPowersOfTheirBase) {
  EXPECT_EQ(brightness_of_layer(0), 1.0f / 64.0f);
  EXPECT_EQ(brightness_of_layer(2), 1.0f);
  EXPECT_EQ(brightness_of_layer(3), 8.0f);
  EXPECT_EQ(brightness_of_layer(kBrightest), 32768.0f);
}

TEST(BrightnessLayers, OfASampleAreTheTwoAroundItAndCountItOnce) {
  for (const float sample : {0.016f, 0.05f, 0.125f, 0.9f, 1.0f, 3.0f, 7.99f, 8.0f, 500.0f, 3e4f}) {
    const LayerSplit split = split_by_brightness(sample);
    ASSERT_LT(split.layer, kBrightest) << sample;
    const float low = brightness_of_layer(split.layer), high = brightness_of_layer(split.layer + 1);
    EXPECT_GE(sample, low);
    EXPECT_LT(sample, high);
    EXPECT_GE(split.share, 0.0f);
    EXPECT_LE(split.share, 1.0f);
    const float count = split.share * sample / low + (1.0f - split.share) * sample / high;
    EXPECT_NEAR(count, 1.0f, 1e-5f) << sample;
  }
}

TEST(BrightnessLayers, HoldSamplesOfTheirOwnBrightnessWhole) {
  for (uint32_t layer = 0; layer <= kBrightest; ++layer) {
    const LayerSplit split = split_by_brightness(brightness_of_layer(layer));
    EXPECT_EQ(split.layer, layer);
    EXPECT_EQ(split.share, 1.0f);
  }
}

TEST(BrightnessLayers, AtTheEndsHoldAllThatIsDarkerOrBrighter) {
  for (const float sample : {0.0f, 1e-30f, 0.01f, -1.0f, NAN}) {
    EXPECT_EQ(split_by_brightness(sample).layer, 0u) << sample;
    EXPECT_EQ(split_by_brightness(sample).share, 1.0f) << sample;
  }
  for (const float sample : {32768.0f, 1e9f, INFINITY}) {
    EXPECT_EQ(split_by_brightness(sample).layer, kBrightest) << sample;
    EXPECT_EQ(split_by_brightness(sample).share, 1.0f) << sample;
  }
}

}  // namespace
}  // namespace winnow
