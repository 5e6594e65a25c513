#include "math/unit_circle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace winnow {
namespace {

// Also where a component is close to zero; there the double has its own error.
void expect_on_circle(float turns) {
  const double angle = 2.0 * M_PI * double(turns);
  const glm::vec2 p = unit_circle(turns);
  constexpr double kTwoUlps = 2.4e-7;
  EXPECT_NEAR(p.x, std::cos(angle), kTwoUlps * std::abs(std::cos(angle)) + 1e-15) << turns;
  EXPECT_NEAR(p.y, std::sin(angle), kTwoUlps * std::abs(std::sin(angle)) + 1e-15) << turns;
}

TEST(UnitCircle, IsCosineAndSineInOneTurn) {
  constexpr int kSteps = 100'000;
  for (int i = 0; i <= kSteps; ++i) expect_on_circle(float(i) / kSteps);
}

TEST(UnitCircle, GoesOnBeforeAndAfterIt) {
  for (float turns : {-1.0f, -0.7f, -0.125f, -1e-6f, 1.375f, 2.5f, 1000.0625f})
    expect_on_circle(turns);
}

TEST(UnitCircle, HasExactCorners) {
  EXPECT_EQ(unit_circle(0.0f), glm::vec2(1.0f, 0.0f));
  EXPECT_EQ(unit_circle(0.25f), glm::vec2(0.0f, 1.0f));
  EXPECT_EQ(unit_circle(0.5f), glm::vec2(-1.0f, 0.0f));
  EXPECT_EQ(unit_circle(0.75f), glm::vec2(0.0f, -1.0f));
}

}  // namespace
}  // namespace winnow
