// SPDX-License-Identifier: MIT
#include "math/between_transforms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace winnow {
namespace {

const glm::dmat4 kUnit(1.0);

glm::dmat4 turn(double degrees, glm::dvec3 axis = {0, 0, 1}) {
  return glm::rotate(kUnit, glm::radians(degrees), axis);
}

void expect_near_matrix(const glm::dmat4& a, const glm::dmat4& b) {
  for (int column = 0; column < 4; ++column)
    for (int row = 0; row < 4; ++row) EXPECT_NEAR(a[column][row], b[column][row], 1e-12);
}

/// The mean of two matrices would shrink the radius to 0.09.
TEST(BetweenTransforms, KeepsTheRadiusOfATurn) {
  for (const double degrees : {10.0, 90.0, 170.0, 179.9, -120.0})
    for (const double t : {0.0, 0.25, 0.5, 1.0})
      expect_near_matrix(between_transforms(turn(0), turn(degrees), t), turn(t * degrees));
}

TEST(BetweenTransforms, TurnsTheShortWay) {
  expect_near_matrix(between_transforms(turn(10), turn(200), 0.5), turn(-75));
  expect_near_matrix(between_transforms(turn(170), turn(190), 0.5), turn(180));
}

TEST(BetweenTransforms, InterpolatesScaleAndMirroringBesideTheTurn) {
  const glm::dmat4 from = turn(20) * glm::scale(kUnit, {1, -2, 3});
  const glm::dmat4 to = turn(80) * glm::scale(kUnit, {3, -2, 1});
  expect_near_matrix(between_transforms(from, to, 0.5), turn(50) * glm::scale(kUnit, {2, -2, 2}));
}

TEST(BetweenTransforms, HasNothingBesideAFlatTransform) {
  const glm::dmat4 flat = glm::scale(kUnit, {1, 1, 0});
  EXPECT_EQ(between_transforms(kUnit, flat, 0.0), kUnit);
  EXPECT_EQ(between_transforms(kUnit, flat, 0.5), flat);
}

TEST(AmbiguousMotion, IsHalfATurnMirroringAndAFlatTransform) {
  const glm::dvec3 axis = glm::normalize(glm::dvec3(1, 2, 3));
  EXPECT_TRUE(is_ambiguous_motion(turn(30), turn(210)));
  EXPECT_TRUE(is_ambiguous_motion(kUnit, turn(-180, axis)));
  EXPECT_TRUE(is_ambiguous_motion(kUnit, glm::scale(kUnit, {1, -1, 1})));
  EXPECT_TRUE(is_ambiguous_motion(kUnit, glm::scale(kUnit, {1, 1, 0})));
  EXPECT_FALSE(is_ambiguous_motion(kUnit, kUnit));
  EXPECT_FALSE(is_ambiguous_motion(kUnit, turn(179.9, axis)));
  EXPECT_FALSE(is_ambiguous_motion(turn(30), turn(209.9)));
  const glm::dmat4 mirrored = glm::scale(kUnit, {1, -1, 1});
  EXPECT_FALSE(is_ambiguous_motion(mirrored, turn(90) * mirrored));
}

}  // namespace
}  // namespace winnow
