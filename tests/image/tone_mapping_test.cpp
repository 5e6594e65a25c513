// SPDX-License-Identifier: MIT
#include "image/tone_mapping.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "image/srgb.h"
#include "math/constants.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

using Bytes = std::array<uint8_t, 3>;

constexpr ToneCurve kCurves[] = {ToneCurve::kSrgb, ToneCurve::kAces, ToneCurve::kAgx};
constexpr float kMax = std::numeric_limits<float>::max();

TEST(ToneMapping, IsPlainSrgbByDefault) {
  for (float radiance : {-kInfinity, -1.0f, -0.0f, 0.0f, 1e-40f, 0.001f, 0.18f, 0.7f, 1.0f, 3.0f,
                         kMax, kInfinity, NAN})
    EXPECT_EQ(tone_map({radiance, 0.5f, 0.25f}, {}),
              (Bytes{tone_map(radiance), tone_map(0.5f), tone_map(0.25f)}))
        << radiance;
}

TEST(ToneMapping, KnownValues) {
  EXPECT_EQ(tone_map(glm::vec3(0.18f), {.curve = ToneCurve::kSrgb}), (Bytes{118, 118, 118}));
  EXPECT_EQ(tone_map(glm::vec3(0.18f), {.curve = ToneCurve::kAces}), (Bytes{91, 91, 91}));
  EXPECT_EQ(tone_map(glm::vec3(0.18f), {.curve = ToneCurve::kAgx}), (Bytes{118, 118, 118}));
  EXPECT_EQ(tone_map({8.0f, 1.0f, 0.1f}, {.curve = ToneCurve::kSrgb}), (Bytes{255, 255, 89}));
  EXPECT_EQ(tone_map({8.0f, 1.0f, 0.1f}, {.curve = ToneCurve::kAces}), (Bytes{255, 221, 149}));
  EXPECT_EQ(tone_map({8.0f, 1.0f, 0.1f}, {.curve = ToneCurve::kAgx}), (Bytes{255, 202, 183}));
  EXPECT_EQ(tone_map({1.0f, 0.0f, 0.0f}, {.curve = ToneCurve::kAces}), (Bytes{216, 0, 9}));
  EXPECT_EQ(tone_map({1.0f, 0.0f, 0.0f}, {.curve = ToneCurve::kAgx}), (Bytes{219, 57, 33}));
}

TEST(ToneMapping, KeepsBlackBlackAndReachesWhite) {
  for (ToneCurve curve : kCurves) {
    EXPECT_EQ(tone_map(glm::vec3(0.0f), {.curve = curve}), (Bytes{0, 0, 0}));
    for (float bright : {100.0f, 1e6f, kMax, kInfinity})
      EXPECT_EQ(tone_map(glm::vec3(bright), {.curve = curve}), (Bytes{255, 255, 255})) << bright;
  }
}

TEST(ToneMapping, GrowsWithTheRadianceOfAGrey) {
  constexpr float kDarkest = -14.0f, kBrightest = 10.0f, kStep = 1.0f / 64.0f;  // stops
  for (ToneCurve curve : kCurves) {
    Bytes previous{};
    for (float stops = kDarkest; stops <= kBrightest; stops += kStep) {
      Bytes now = tone_map(glm::vec3(std::exp2(stops)), {.curve = curve});
      for (int channel = 0; channel < 3; ++channel) {
        EXPECT_GE(now[channel], previous[channel]) << stops;
        EXPECT_NEAR(now[channel], now[0], 1) << stops;  // grey stays grey
      }
      previous = now;
    }
  }
}

TEST(ToneMapping, TakesWhatIsNoNumberForBlack) {
  for (ToneCurve curve : kCurves)
    for (float none : {NAN, -1.0f, -kMax, -kInfinity}) {
      EXPECT_EQ(tone_map({none, 0.5f, 2.0f}, {.curve = curve}),
                tone_map({0.0f, 0.5f, 2.0f}, {.curve = curve}));
      EXPECT_EQ(tone_map({3.0f, none, none}, {.curve = curve}),
                tone_map({3.0f, 0.0f, 0.0f}, {.curve = curve}));
    }
}

TEST(ToneMapping, ShowsTheBrightestInEveryMixture) {
  for (ToneCurve curve : kCurves)
    for (float bright : {1e6f, kMax, kInfinity})
      for (float stops : {-kMaxStops, 0.0f, kMaxStops}) {
        if (bright * std::exp2(stops) < 1e6f) continue;  // brought back
        Bytes shown = tone_map({bright, 0.0f, NAN}, {.curve = curve, .exposure = stops});
        EXPECT_EQ(shown[0], 255) << bright << ", " << stops;
      }
}

TEST(ToneMapping, StopsDoubleRadiance) {
  for (ToneCurve curve : kCurves) {
    const glm::vec3 color(0.02f, 0.3f, 0.11f);
    EXPECT_EQ(tone_map(color, {.curve = curve, .exposure = 2.0f}),
              tone_map(4.0f * color, {.curve = curve}));
    EXPECT_EQ(tone_map(color, {.curve = curve, .exposure = -1.0f}),
              tone_map(0.5f * color, {.curve = curve}));
    EXPECT_NE(tone_map(color, {.curve = curve, .exposure = 0.5f}),
              tone_map(color, {.curve = curve}));
  }
}

/// An image of one row, with `counts[i]` pixels of the radiance `values[i]`.
Image image_of(const std::vector<std::pair<int, float>>& parts) {
  Image image{0, 1, {}};
  for (auto [count, value] : parts)
    image.pixels.insert(image.pixels.end(), size_t(count), glm::vec3(value));
  image.width = uint32_t(image.pixels.size());
  return image;
}

TEST(AutoExposure, ShowsTheMedianAsMiddleGrey) {
  EXPECT_EQ(auto_exposure(image_of({{100, 0.18f}})), 0.0f);
  EXPECT_EQ(auto_exposure(image_of({{100, 0.18f / 4.0f}})), 2.0f);
  EXPECT_EQ(auto_exposure(image_of({{100, 0.0f}, {51, 0.09f}, {49, 0.02f}})), 1.0f);
  const float stops = auto_exposure(image_of({{100, 0.18f * 1000.0f}}));
  EXPECT_LT(1000.0f * 0.18f * std::exp2(stops), 1.01f);  // no longer white
}

TEST(AutoExposure, KeepsABlackModelBeforeALightBackground) {
  const Image dark = image_of({{60, 0.004f}, {40, 0.165f}});
  EXPECT_NEAR(auto_exposure(dark), std::log2(1.0f / 0.165f), 0.01f);  // the background is white
}

TEST(AutoExposure, KeepsAWhiteModelWhite) {
  EXPECT_EQ(auto_exposure(image_of({{60, 0.8f}, {40, 0.165f}})), 0.0f);
  EXPECT_NEAR(auto_exposure(image_of({{60, 1.6f}, {40, 0.165f}})), -std::log2(1.6f), 0.01f);
}

TEST(AutoExposure, DoesNotClipTheRedOfARedModel) {
  const glm::vec3 background(0.05f), red(0.8f, 0.02f, 0.01f);
  Image image{100, 1, std::vector<glm::vec3>(60, background)};
  image.pixels.resize(100, red);
  EXPECT_NEAR(auto_exposure(image), -std::log2(0.8f), 0.01f);  // 1.85 for the median alone
}

TEST(AutoExposure, ShowsADarkRoomThoughItsWindowsAreBright) {
  EXPECT_NEAR(auto_exposure(image_of({{80, 0.18f / 64.0f}, {20, 50.0f}})), 3.0f, 0.01f);
}

TEST(AutoExposure, IsLimitedAndNeedsNoLight) {
  EXPECT_EQ(auto_exposure(image_of({{10, 0.0f}})), 0.0f);
  EXPECT_EQ(auto_exposure(Image{}), 0.0f);
  EXPECT_EQ(auto_exposure(image_of({{9, NAN}, {5, kInfinity}, {1, -1.0f}})), 0.0f);
  EXPECT_EQ(auto_exposure(image_of({{10, 1e-30f}})), 24.0f);
  EXPECT_EQ(auto_exposure(image_of({{10, 1e30f}})), -24.0f);
}

// The values are those of the same formulas in double precision.
TEST(AcesCurve, KnownValues) {
  expect_near(aces_curve(glm::vec3(0.0f)), glm::vec3(-0.00038f), 1e-5f);
  expect_near(aces_curve(glm::vec3(0.18f)), glm::vec3(0.10559f), 2e-5f);
  expect_near(aces_curve(glm::vec3(1.0f)), glm::vec3(0.61912f), 2e-5f);
  expect_near(aces_curve({1.0f, 0.0f, 0.0f}), {0.68803f, -0.01450f, 0.00264f}, 2e-5f);
  expect_near(aces_curve({0.2f, 0.5f, 2.0f}), {0.21402f, 0.38073f, 0.80513f}, 2e-5f);
  expect_near(aces_curve({8.0f, 1.0f, 0.1f}), {1.07925f, 0.72330f, 0.30220f}, 2e-5f);
}

}  // namespace
}  // namespace winnow
