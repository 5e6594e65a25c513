// SPDX-License-Identifier: MIT
#include "math/exponential.h"

#include <gtest/gtest.h>

#include <limits>

namespace winnow {
namespace {

constexpr double kTwoUlps = 2.4e-7;  // relative

TEST(Exponential, IsThatOfTheStandardLibrary) {
  constexpr int kSteps = 200'000;
  for (int i = 0; i <= kSteps; ++i) {
    const float x = -87.0f + 175.0f * float(i) / kSteps;
    EXPECT_NEAR(exponential(x) / std::exp(double(x)), 1.0, kTwoUlps) << x;
  }
  EXPECT_EQ(exponential(0.0f), 1.0f);
}

TEST(Exponential, IsZeroFarBelowZero) {
  EXPECT_EQ(exponential(-88.0f), 0.0f);
  EXPECT_EQ(exponential(-1e30f), 0.0f);
  EXPECT_EQ(exponential(-std::numeric_limits<float>::infinity()), 0.0f);
}

TEST(Logarithm, IsThatOfTheStandardLibrary) {
  constexpr int kSteps = 200'000;
  for (int i = 0; i <= kSteps; ++i) {
    const float x = float(std::exp2(-126.0 + 253.0 * i / kSteps));
    const double expected = std::log(double(x));
    EXPECT_NEAR(logarithm(x), expected, kTwoUlps * std::abs(expected)) << x;
  }
  for (int i = 1; i < kSteps; ++i) {
    const float x = 0.5f + float(i) / kSteps;
    const double expected = std::log(double(x));
    EXPECT_NEAR(logarithm(x), expected, kTwoUlps * std::abs(expected)) << x;
  }
  EXPECT_EQ(logarithm(1.0f), 0.0f);
}

}  // namespace
}  // namespace winnow
