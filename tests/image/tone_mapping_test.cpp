#include "image/tone_mapping.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "image/tone_map.h"

namespace winnow {
namespace {

using Bytes = std::array<uint8_t, 3>;

constexpr ToneCurve kCurves[] = {ToneCurve::kSrgb, ToneCurve::kAces, ToneCurve::kAgx};
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kMax = std::numeric_limits<float>::max();

TEST(ToneMapping, IsPlainSrgbByDefault) {
  for (float radiance : {-kInfinity, -1.0f, -0.0f, 0.0f, 1e-40f, 0.001f, 0.18f, 0.7f, 1.0f, 3.0f,
                         kMax, kInfinity, kNan})
    EXPECT_EQ(tone_map({radiance, 0.5f, 0.25f}, {}),
              (Bytes{tone_map(radiance), tone_map(0.5f), tone_map(0.25f)}))
        << radiance;
}

TEST(ToneMapping, KnownValues) {
  EXPECT_EQ(tone_map(glm::vec3(0.18f), {.curve = ToneCurve::kSrgb}), (Bytes{118, 118, 118}));
  EXPECT_EQ(tone_map(glm::vec3(0.18f), {.curve = ToneCurve::kAces}), (Bytes{91, 91, 91}));
  EXPECT_EQ(tone_map(glm::vec3(0.18f), {.curve = ToneCurve::kAgx}), (Bytes{128, 128, 128}));
  EXPECT_EQ(tone_map({8.0f, 1.0f, 0.1f}, {.curve = ToneCurve::kSrgb}), (Bytes{255, 255, 89}));
  EXPECT_EQ(tone_map({8.0f, 1.0f, 0.1f}, {.curve = ToneCurve::kAces}), (Bytes{255, 221, 149}));
  EXPECT_EQ(tone_map({8.0f, 1.0f, 0.1f}, {.curve = ToneCurve::kAgx}), (Bytes{255, 211, 167}));
  EXPECT_EQ(tone_map({1.0f, 0.0f, 0.0f}, {.curve = ToneCurve::kAces}), (Bytes{216, 0, 9}));
  EXPECT_EQ(tone_map({1.0f, 0.0f, 0.0f}, {.curve = ToneCurve::kAgx}), (Bytes{221, 56, 56}));
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
        EXPECT_NEAR(now[channel], now[0], 1) << stops;  // and stays grey
      }
      previous = now;
    }
  }
}

TEST(ToneMapping, TakesWhatIsNoNumberForBlack) {
  for (ToneCurve curve : kCurves)
    for (float none : {kNan, -1.0f, -kMax, -kInfinity}) {
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
        Bytes shown = tone_map({bright, 0.0f, kNan}, {.curve = curve, .exposure = stops});
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

}  // namespace
}  // namespace winnow
