#include "image/tone_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/expect_near.h"

namespace winnow {
namespace {

// Of the same formulas in double precision.
TEST(AcesCurve, KnownValues) {
  expect_near(aces_curve(glm::vec3(0.0f)), glm::vec3(-0.00038f), 1e-5f);
  expect_near(aces_curve(glm::vec3(0.18f)), glm::vec3(0.10559f), 2e-5f);
  expect_near(aces_curve(glm::vec3(1.0f)), glm::vec3(0.61912f), 2e-5f);
  expect_near(aces_curve({1.0f, 0.0f, 0.0f}), {0.68803f, -0.01450f, 0.00264f}, 2e-5f);
  expect_near(aces_curve({0.2f, 0.5f, 2.0f}), {0.21402f, 0.38073f, 0.80513f}, 2e-5f);
  expect_near(aces_curve({8.0f, 1.0f, 0.1f}), {1.07925f, 0.72330f, 0.30220f}, 2e-5f);
}

TEST(AgxCurve, KnownValues) {
  expect_near(agx_curve(glm::vec3(0.0f)), glm::vec3(0.0f), 1e-5f);
  expect_near(agx_curve(glm::vec3(0.18f)), {0.21758f, 0.21765f, 0.21766f}, 2e-5f);
  expect_near(agx_curve(glm::vec3(1.0f)), {0.59107f, 0.59130f, 0.59131f}, 2e-5f);
  expect_near(agx_curve({1.0f, 0.0f, 0.0f}), {0.71994f, 0.03926f, 0.03933f}, 2e-5f);
  expect_near(agx_curve({0.2f, 0.5f, 2.0f}), {0.31501f, 0.45400f, 0.77954f}, 2e-5f);
  expect_near(agx_curve({8.0f, 1.0f, 0.1f}), {1.02817f, 0.64922f, 0.38789f}, 2e-5f);
}

/// Wrensch's polynomial of the sixth degree for the same curve.
double agx_polynomial(double x) {
  return ((((((15.5 * x - 40.14) * x + 31.96) * x - 6.868) * x + 0.4298) * x + 0.1191) * x) -
         0.00232;
}

/// Of a grey the matrices leave the curve alone.
TEST(AgxCurve, IsTheOneThatOthersFitPolynomialsTo) {
  constexpr double kErrorOfThePolynomial = 0.006;
  for (int i = 0; i <= 330; ++i) {
    const double x = double(i) / 330.0, radiance = 0.18 * std::exp2(16.5 * x - 10.0);
    const double shown = std::pow(double(agx_curve(glm::vec3(float(radiance))).y), 1.0 / 2.2);
    EXPECT_NEAR(shown, agx_polynomial(x), kErrorOfThePolynomial) << x;
  }
}

TEST(AgxCurve, CoversSixteenAndAHalfStops) {
  const float darkest = 0.18f * std::exp2(-10.0f), brightest = 0.18f * std::exp2(6.5f);
  EXPECT_LT(agx_curve(glm::vec3(darkest)).y, 1e-5f);
  EXPECT_GT(agx_curve(glm::vec3(4.0f * darkest)).y, agx_curve(glm::vec3(2.0f * darkest)).y);
  EXPECT_LT(agx_curve(glm::vec3(0.5f * brightest)).y, 0.98f);
  EXPECT_NEAR(agx_curve(glm::vec3(brightest)).y, 1.0f, 1e-3f);
}

}  // namespace
}  // namespace winnow
