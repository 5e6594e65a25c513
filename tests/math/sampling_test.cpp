// SPDX-License-Identifier: MIT
#include "math/sampling.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/chi_square.h"
#include "tests/support/sample_directions.h"

namespace winnow {
namespace {

constexpr uint32_t kHistogramSamples = 50'000;

glm::vec2 two_uniforms(uint32_t sample) {
  return glm::vec2(Sampler{.seed = 1, .sample = sample}.sample4(0));
}

// The corners of the unit square, where samplers divide by zero.
constexpr float kEnd = kOneMinusEpsilon;
const std::vector<glm::vec2> kUnitSquareCorners = {
    {0.0f, 0.0f}, {kEnd, 0.0f}, {0.0f, kEnd}, {kEnd, kEnd}, {0.5f, 0.5f}};

void expect_at(glm::vec2 p, glm::vec2 expected, float tolerance) {
  EXPECT_NEAR(p.x, expected.x, tolerance);
  EXPECT_NEAR(p.y, expected.y, tolerance);
}

TEST(Luminance, OfWhiteIsOne) {
  EXPECT_FLOAT_EQ(luminance({1.0f, 1.0f, 1.0f}), 1.0f);
  EXPECT_GT(luminance({0.0f, 1.0f, 0.0f}), luminance({1.0f, 0.0f, 0.0f}));
}

TEST(BalanceHeuristic, IsTheShareOfTheDensity) {
  EXPECT_FLOAT_EQ(balance_heuristic(1.0f, 3.0f), 0.25f);
  EXPECT_FLOAT_EQ(balance_heuristic(3.0f, 1.0f), 0.75f);
  EXPECT_EQ(balance_heuristic(2.0f, 0.0f), 1.0f);
  EXPECT_EQ(balance_heuristic(0.0f, 2.0f), 0.0f);
}

TEST(BalanceHeuristic, WeightsAddUpToOneEvenWhereSumsOverflow) {
  for (float a : {1e-38f, 1e-20f, 0.3f, 1e20f, 1e38f, kInfinity})
    for (float b : {1e-38f, 1e-20f, 0.3f, 1e20f, 1e38f, kInfinity})
      EXPECT_FLOAT_EQ(balance_heuristic(a, b) + balance_heuristic(b, a), 1.0f) << a << " " << b;
  EXPECT_EQ(balance_heuristic(0.0f, 0.0f), 0.0f);
  EXPECT_EQ(balance_heuristic(kInfinity, 1.0f), 1.0f);
  EXPECT_EQ(balance_heuristic(1.0f, kInfinity), 0.0f);
}

TEST(CosineHemisphere, SamplesFollowTheDensity) {
  EXPECT_TRUE(samples_follow_density({}, sample_cosine_hemisphere,
                                     [](glm::vec3 w) { return cosine_hemisphere_pdf(w.z); }));
}

TEST(CosineHemisphere, InverseReturnsTheInput) {
  for (uint32_t i = 0; i < 1000; ++i) {
    const glm::vec2 u = two_uniforms(i);
    expect_at(invert_cosine_hemisphere(sample_cosine_hemisphere(u)), u, 1e-6f);
  }
}

TEST(CosineHemisphere, NeverLiesInTheSurface) {
  for (glm::vec2 u : kUnitSquareCorners) EXPECT_GT(sample_cosine_hemisphere(u).z, 0.0f);
}

TEST(UniformSphere, SamplesFollowTheDensity) {
  EXPECT_TRUE(samples_follow_density({}, sample_uniform_sphere,
                                     [](glm::vec3) { return kUniformSpherePdf; }));
  for (glm::vec2 u : kUnitSquareCorners)
    EXPECT_NEAR(glm::length(sample_uniform_sphere(u)), 1.0f, 1e-6f);
}

TEST(UniformCone, SamplesFollowTheDensity) {
  for (float one_minus_cos_max : {1e-6f, 0.1f, 1.0f, 2.0f}) {
    SCOPED_TRACE(testing::Message() << "1 - cos " << one_minus_cos_max);
    // Rings of equal area up to 1 - cos = 2 (ring / rings)^focus; place the edge on one of them.
    double focus = std::max(std::log(0.5 * one_minus_cos_max) / std::log(0.5), 1.0);
    bool partial = one_minus_cos_max < 1.0f;
    EXPECT_TRUE(samples_follow_density(
        {.focus = focus, .rings = 20},
        [&](glm::vec4 u) { return sample_uniform_cone(glm::vec2(u), one_minus_cos_max); },
        [&](glm::vec3 w) {
          // From the sine where the cosine has no digits left.
          float sin2 = w.x * w.x + w.y * w.y;
          float one_minus_cos = w.z > 0.0f ? sin2 / (1.0f + w.z) : 1.0f - w.z;
          bool inside = one_minus_cos <= one_minus_cos_max * (partial ? 1.00001f : 1.0f);
          return inside ? uniform_cone_pdf(one_minus_cos_max) : 0.0f;
        },
        4));
  }
}

TEST(UniformDisk, FillsTheDiskEvenly) {
  constexpr int kRings = 8, kSectors = 16;
  constexpr int kBinCount = kRings * kSectors;
  std::vector<HistogramBin> bins(kBinCount, {.expected = double(kHistogramSamples) / kBinCount});
  for (uint32_t i = 0; i < kHistogramSamples; ++i) {
    glm::vec2 p = sample_uniform_disk_concentric(two_uniforms(i));
    float r2 = glm::dot(p, p);
    ASSERT_LT(r2, 1.0f + 1e-6f);
    int ring = std::min(int(r2 * kRings), kRings - 1);
    float turn = std::atan2(p.y, p.x) * kInvTwoPi + 0.5f;
    ++bins[ring * kSectors + std::min(int(turn * kSectors), kSectors - 1)].observed;
  }
  EXPECT_TRUE(fits_density(bins));
}

TEST(UniformDisk, KeepsSquaresTogether) {
  EXPECT_EQ(sample_uniform_disk_concentric({0.5f, 0.5f}), glm::vec2(0.0f, 0.0f));
  expect_at(sample_uniform_disk_concentric({kEnd, 0.5f}), {1.0f, 0.0f}, 1e-6f);
  expect_at(sample_uniform_disk_concentric({0.5f, 0.0f}), {0.0f, -1.0f}, 1e-6f);
}

/// Bins of equal area: triangles between the middle and a side, cut along the side and across.
TEST(RegularPolygon, IsFilledEvenly) {
  constexpr int kRows = 6, kColumns = 6;
  const std::vector<uint32_t> kCornerCounts = {3, 4, 5, 6, 7, 9, 64};
  for (uint32_t corners : kCornerCounts) {
    const double angle = 2.0 * M_PI / corners;
    const double inradius = std::cos(0.5 * angle), half_side = std::sin(0.5 * angle);
    const int bin_count = int(corners) * kRows * kColumns;
    std::vector<HistogramBin> bins(bin_count, {.expected = double(kHistogramSamples) / bin_count});
    for (uint32_t i = 0; i < kHistogramSamples; ++i) {
      const glm::dvec2 p = sample_regular_polygon(two_uniforms(i), corners);
      double phi = std::atan2(p.y, p.x);
      phi += phi < 0.0 ? 2.0 * M_PI : 0.0;
      const int side = std::min(int(phi / angle), int(corners) - 1);
      const double middle = (side + 0.5) * angle;  // direction of the nearest point of the side
      const double out = (p.x * std::cos(middle) + p.y * std::sin(middle)) / inradius;
      const double along = (p.y * std::cos(middle) - p.x * std::sin(middle)) / half_side;
      ASSERT_LT(out, 1.0 + 1e-6) << corners;
      const int row = std::min(int(out * out * kRows), kRows - 1);
      const int column = int((0.5 + 0.5 * along / out) * kColumns);
      ++bins[(side * kRows + row) * kColumns + std::clamp(column, 0, kColumns - 1)].observed;
    }
    EXPECT_TRUE(fits_density(bins, int(kCornerCounts.size()))) << corners;
  }
}

TEST(RegularPolygon, HasACornerOnTheXAxis) {
  constexpr float kNearlyOne = 0.99999f;
  for (uint32_t corners = 3; corners <= 64; ++corners) {
    SCOPED_TRACE(corners);
    // The first side goes from the axis counter-clockwise.
    const float angle = kTwoPi / float(corners);
    expect_at(sample_regular_polygon({kNearlyOne / float(corners), 0.0f}, corners), {1.0f, 0.0f},
              1e-4f);
    expect_at(sample_regular_polygon({0.0f, kNearlyOne}, corners),
              {std::cos(angle), std::sin(angle)}, 1e-4f);
    for (glm::vec2 u : kUnitSquareCorners)
      EXPECT_LE(glm::length(sample_regular_polygon(u, corners)), 1.0f + 1e-6f);
  }
}

// A triangle cut into k^2 equal ones by lines parallel to its sides.
TEST(UniformTriangle, FillsTheTriangleEvenly) {
  constexpr int k = 10;
  std::vector<HistogramBin> bins(2 * k * k);
  for (int i = 0; i < k; ++i)
    for (int j = 0; i + j < k; ++j) {
      bins[2 * (i * k + j)].expected = double(kHistogramSamples) / (k * k);
      if (i + j < k - 1) bins[2 * (i * k + j) + 1].expected = double(kHistogramSamples) / (k * k);
    }
  for (uint32_t n = 0; n < kHistogramSamples; ++n) {
    glm::vec2 b = sample_uniform_triangle(two_uniforms(n));
    ASSERT_TRUE(b.x >= 0.0f && b.y >= 0.0f && b.x + b.y <= 1.0f);
    int i = int(b.x * k), j = int(b.y * k);
    bool upper = b.x * k - i + b.y * k - j > 1.0f;
    ++bins[2 * (i * k + j) + (upper ? 1 : 0)].observed;
  }
  EXPECT_TRUE(fits_density(bins));
}

// The cumulative distribution of x has the derivative 2 ((1 - x) a + x b) / (a + b), the density.
TEST(Linear, InvertsTheCumulativeDistribution) {
  for (auto [a, b] : {std::pair{1.0f, 1.0f},
                      {0.0f, 1.0f},
                      {1.0f, 0.0f},
                      {0.2f, 3.0f},
                      {5.0f, 0.001f},
                      {1e30f, 3e30f},
                      {1e-30f, 2e-30f}}) {
    for (uint32_t i = 0; i < 50'000; ++i) {
      const float u = two_uniforms(i).x, x = sample_linear(u, a, b);
      ASSERT_TRUE(x >= 0.0f && x < 1.0f);
      EXPECT_NEAR(x * ((2.0f - x) * a + x * b) / (a + b), u, 1e-6f) << a << " to " << b;
    }
    EXPECT_EQ(sample_linear(0.0f, a, b), 0.0f);
    EXPECT_LT(sample_linear(kEnd, a, b), 1.0f);
  }
}

/// Checks both components relatively, also where one is close to 0; the offset covers the error of
/// the reference in double precision there.
void expect_on_circle(float turns) {
  const double angle = 2.0 * M_PI * double(turns);
  const glm::vec2 p = unit_circle(turns);
  constexpr double kTwoUlps = 2.4e-7;
  EXPECT_NEAR(p.x, std::cos(angle), kTwoUlps * std::abs(std::cos(angle)) + 1e-15) << turns;
  EXPECT_NEAR(p.y, std::sin(angle), kTwoUlps * std::abs(std::sin(angle)) + 1e-15) << turns;
}

TEST(UnitCircle, IsPeriodicCosineAndSine) {
  constexpr int kSteps = 100'000;
  for (int i = 0; i <= kSteps; ++i) expect_on_circle(float(i) / kSteps);
  for (float turns : {-1.0f, -0.7f, -0.125f, -1e-6f, 1.375f, 2.5f, 1000.0625f})
    expect_on_circle(turns);
}

TEST(UnitCircle, HasExactCorners) {
  EXPECT_EQ(unit_circle(0.0f), glm::vec2(1.0f, 0.0f));
  EXPECT_EQ(unit_circle(0.25f), glm::vec2(0.0f, 1.0f));
  EXPECT_EQ(unit_circle(0.5f), glm::vec2(-1.0f, 0.0f));
  EXPECT_EQ(unit_circle(0.75f), glm::vec2(0.0f, -1.0f));
}

TEST(InverseErf, InvertsErfAndIsFiniteAtTheEnds) {
  constexpr int kSteps = 100'000;
  for (int i = 0; i < kSteps; ++i) {
    const float x = float(i) / kSteps;
    const double y = inverse_erf(x), slope = M_2_SQRTPI * std::exp(-y * y);
    constexpr double kError = 1.5e-5, kRounding = 3e-8;
    EXPECT_NEAR(std::erf(y), x, kError * y * slope + kRounding);
    EXPECT_EQ(inverse_erf(-x), -inverse_erf(x));
  }
  // Finite at the ends.
  EXPECT_NEAR(inverse_erf(1.0f), 3.92f, 0.01f);
  EXPECT_EQ(inverse_erf(-1.0f), -inverse_erf(1.0f));
}

TEST(TurnsOf, InvertsTheUnitCircle) {
  constexpr int kSteps = 20000;
  for (int i = -kSteps; i < kSteps; ++i) {
    const double turns = (i + 0.5) / (2 * kSteps);  // (-0.5, 0.5)
    const double angle = turns * 2.0 * M_PI;
    const glm::vec2 v{float(3.0 * std::cos(angle)), float(3.0 * std::sin(angle))};
    EXPECT_NEAR(turns_of(v), turns, 3e-7 * std::abs(turns) + 3e-8);
  }
}

TEST(TurnsOf, KnowsTheAxes) {
  EXPECT_EQ(turns_of({2, 0}), 0.0f);
  EXPECT_EQ(turns_of({0, 2}), 0.25f);
  EXPECT_EQ(turns_of({0, -2}), -0.25f);
  EXPECT_EQ(turns_of({-2, 0}), 0.5f);
  EXPECT_EQ(turns_of({-2, -0.0f}), -0.5f);
  EXPECT_EQ(turns_of({0, 0}), 0.0f);
}

}  // namespace
}  // namespace winnow
