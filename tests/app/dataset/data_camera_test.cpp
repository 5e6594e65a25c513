// SPDX-License-Identifier: MIT
#include "app/dataset/data_camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace winnow {
namespace {

constexpr Size kLensSize{64, 48};

TEST(DataCamera, SeesAllOfTheUnitSphereWithAMargin) {
  for (const Size size : {kLensSize, Size{48, 64}}) {
    const DataCamera lens = centered_camera(size, 40.0);
    const double distance = fitting_distance(lens, size);
    const double shorter = std::min(size.width, size.height);
    // The tangent to the sphere is inside of the middle of the longer edges.
    EXPECT_NEAR(std::tan(std::asin(1.0 / distance)), 0.95 * 0.5 * shorter / lens.fl_x, 1e-12);
  }
}

TEST(DataCamera, OfASphereLooksAtItsMiddleFromEvenlySpreadPoints) {
  const DataCamera lens = centered_camera(kLensSize, 40.0);
  const std::vector<DataCamera> cameras = sphere_cameras(lens, 200, 3.0, {}, 0.25);
  glm::dvec3 sum(0.0);
  double nearest = 10.0, farthest_nearest = 0.0;
  for (const DataCamera& camera : cameras) {
    EXPECT_NEAR(glm::length(camera.position), 3.0, 1e-12);
    EXPECT_NEAR(glm::distance(camera.axes[2], camera.position / 3.0), 0.0, 1e-12);
    EXPECT_NEAR(camera.axes[0].y, 0.0, 1e-12);
    EXPECT_GT(camera.axes[1].y, 0.0);
    sum += camera.position;
    double own = 10.0;
    for (const DataCamera& other : cameras)
      if (&other != &camera) own = std::min(own, glm::distance(other.position, camera.position));
    nearest = std::min(nearest, own);
    farthest_nearest = std::max(farthest_nearest, own);
  }
  EXPECT_LT(glm::length(sum) / 200.0, 0.02);
  const double even = 3.0 * std::sqrt(4.0 * 3.14159 / 200.0);
  EXPECT_GT(nearest, 0.6 * even);
  EXPECT_LT(farthest_nearest, 1.2 * even);
}

TEST(DataCamera, KeepsElevationsWithinTheirRange) {
  const DataCamera lens = centered_camera(kLensSize, 40.0);
  for (const DataCamera& camera : sphere_cameras(lens, 50, 1.0, {10.0, 30.0}, 0.0)) {
    EXPECT_GE(camera.position.y, std::sin(10.0 * 3.14159 / 180.0) - 1e-5);
    EXPECT_LE(camera.position.y, std::sin(30.0 * 3.14159 / 180.0) + 1e-5);
  }
}

TEST(DataCamera, OrbitsFromTheFrontCounterClockwise) {
  const std::vector<DataCamera> cameras =
      orbit_cameras(centered_camera(kLensSize, 40.0), 4, 2.0, 30.0);
  ASSERT_EQ(cameras.size(), 4u);
  const double far = 2.0 * std::sqrt(0.75);
  EXPECT_NEAR(glm::distance(cameras[0].position, glm::dvec3(0, 1, far)), 0.0, 1e-12);
  EXPECT_NEAR(glm::distance(cameras[1].position, glm::dvec3(far, 1, 0)), 0.0, 1e-12);
}

TEST(DataCamera, StraightAboveHasAnyRoll) {
  DataCamera camera;
  camera.position = {0, 5, 0};
  look_at_origin(camera);
  EXPECT_NEAR(glm::determinant(camera.axes), 1.0, 1e-12);
}

}  // namespace
}  // namespace winnow
