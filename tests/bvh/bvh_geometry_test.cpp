// SPDX-License-Identifier: MIT
#include "bvh/bvh_geometry.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

TEST(SphereBounds, AreTheNearestFloatsAroundASphere) {
  RandomScene random(1);
  int rounded = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Sphere sphere{.center = random.point(100.0f), .radius = random.uniform(0.01f, 3.0f)};
    const Bounds box = sphere_bounds(sphere);
    for (int axis = 0; axis < 3; ++axis) {
      const double low = double(sphere.center[axis]) - double(sphere.radius);
      const double high = double(sphere.center[axis]) + double(sphere.radius);
      ASSERT_LE(double(box.min[axis]), low);
      ASSERT_GE(double(box.max[axis]), high);
      ASSERT_GT(double(std::nextafter(box.min[axis], INFINITY)), low);
      ASSERT_LT(double(std::nextafter(box.max[axis], -INFINITY)), high);
      rounded += sphere.center[axis] - sphere.radius > box.min[axis];
    }
  }
  EXPECT_GT(rounded, 10'000);  // half of them, which the nearest float would cut
}

TEST(BvhGeometry, HasEmptyBoxesForSpheresThatAreNotFinite) {
  HostScene scene;
  scene.spheres = {{.radius = INFINITY},
                   {.center = {0.0f, NAN, 0.0f}},
                   {.center = glm::vec3(3e38f), .radius = 1e38f},
                   {.center = {1.0f, 2.0f, 3.0f}, .radius = 1.0f}};
  const BvhGeometry geometry = geometry_of(scene);
  for (uint32_t sphere = 0; sphere < 3; ++sphere)
    EXPECT_TRUE(geometry.bounds(sphere).is_empty()) << sphere;
  EXPECT_EQ(geometry.bounds(3), (Bounds{{0.0f, 1.0f, 2.0f}, {2.0f, 3.0f, 4.0f}}));
}

}  // namespace
}  // namespace winnow
