#include "math/inverse_erf.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(InverseErf, GivesBackWhatErfTakes) {
  constexpr int kSteps = 100'000;
  for (int i = 0; i < kSteps; ++i) {
    const float x = float(i) / kSteps;
    const double y = inverse_erf(x), slope = M_2_SQRTPI * std::exp(-y * y);
    constexpr double kError = 1.5e-5, kRounding = 3e-8;
    EXPECT_NEAR(std::erf(y), x, kError * y * slope + kRounding);
    EXPECT_EQ(inverse_erf(-x), -inverse_erf(x));
  }
}

TEST(InverseErf, IsFiniteAtTheEnds) {
  EXPECT_NEAR(inverse_erf(1.0f), 3.92f, 0.01f);
  EXPECT_EQ(inverse_erf(-1.0f), -inverse_erf(1.0f));
}

}  // namespace
}  // namespace winnow
