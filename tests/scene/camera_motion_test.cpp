// SPDX-License-Identifier: MIT
#include "scene/camera_motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "tests/scene/support/placed_at.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

CameraDescription looking(glm::vec3 position, glm::vec3 direction, glm::vec3 up = {0, 1, 0}) {
  return {.position = position, .look_at = position + direction, .up = up};
}

void expect_axes(const CameraDescription& camera, const CameraDescription& expected) {
  const ViewAxes axes = view_axes(camera), other = view_axes(expected);
  expect_near(camera.position, expected.position, 1e-5f);
  expect_near(axes.forward, other.forward, 1e-5f);
  expect_near(axes.up, other.up, 1e-5f);
  expect_near(axes.right, other.right, 1e-5f);
}

TEST(CameraMotion, PlacesTheCameraWhereItWasGiven) {
  const std::vector<CameraDescription> places = {
      looking({1, 2, 3}, {1, 0, 0}), looking({2, 2, 3}, {0, 0, -4}),
      looking({3, 0, 3}, {0, 1, 0}, {0, 0, 1}), looking({3, 0, 3}, {-1, 0, 0}, {0, 0, 1})};
  CameraDescription camera = looking({0, 0, 0}, {1, 1, 1});
  camera.far_clip = 5.0f;
  camera.lens_radius = 0.25f;
  set_motion(camera, places);
  EXPECT_TRUE(std::isinf(camera.far_clip));
  ASSERT_EQ(camera.motion.size(), places.size());
  for (size_t i = 0; i < places.size(); ++i) {
    const CameraDescription placed = placed_at(camera.motion[i], camera);
    expect_axes(placed, places[i]);
    EXPECT_EQ(placed.lens_radius, 0.25f);
    EXPECT_TRUE(placed.motion.empty());
  }
}

TEST(CameraMotion, TurnsTheShortWayAtConstantSpeed) {
  // From 20 degrees to -20 degrees, through 0.
  auto at = [](double degrees) {
    const auto angle = float(degrees * M_PI / 180.0);
    return looking({4.0f * angle, 0, 0}, {std::sin(angle), 0, -std::cos(angle)});
  };
  const std::vector<CameraDescription> steps = shutter_steps(std::vector{at(20), at(-20)});
  ASSERT_EQ(steps.size(), kShutterSteps + 1);
  for (size_t i = 0; i < steps.size(); ++i)
    expect_axes(steps[i], at(20.0 - 40.0 * double(i) / double(kShutterSteps)));
}

TEST(CameraMotion, HasAsManyStepsFromKeyToKey) {
  const std::vector<CameraDescription> keys = {
      looking({0, 0, 0}, {1, 0, 0}), looking({3, 0, 0}, {1, 0, 0}), looking({3, 6, 0}, {0, 1, 1}),
      looking({0, 6, 0}, {0, 1, 0}, {1, 0, 0})};
  const std::vector<CameraDescription> steps = shutter_steps(keys);
  ASSERT_EQ((steps.size() - 1) % 3, 0u);
  ASSERT_GE(steps.size(), kShutterSteps + 1);
  const size_t per_key = (steps.size() - 1) / 3;
  for (size_t i = 0; i < keys.size(); ++i) expect_axes(steps[i * per_key], keys[i]);
  expect_near(steps[per_key / 2].position,
              {3.0f * float(per_key / 2) / float(per_key), 0.0f, 0.0f});
}

/// A rotation has two quaternions: interpolated between the wrong ones, the camera would turn over.
TEST(CameraMotion, IsSmoothThroughAWholeTurn) {
  std::vector<CameraDescription> places;
  for (int i = 0; i <= 100; ++i) {
    const float angle = float(i) * 0.02f * float(M_PI);
    places.push_back(looking({0, 0, 0}, {std::sin(angle), 0, -std::cos(angle)}));
  }
  CameraDescription camera = places[0];
  set_motion(camera, places);
  for (size_t i = 1; i < camera.motion.size(); ++i)
    EXPECT_GT(glm::dot(camera.motion[i - 1].turn, camera.motion[i].turn), 0.99f) << i;
}

TEST(CameraMotion, ExtendsTheBoxOfPositions) {
  CameraDescription camera = looking({1, 1, 1}, {1, 0, 0});
  EXPECT_EQ(camera_positions(camera).size(), glm::vec3(0.0f));
  set_motion(camera, std::vector{looking({0, 1, 1}, {1, 0, 0}), looking({1, 5, 1}, {1, 0, 0})});
  EXPECT_EQ(camera_positions(camera).min, glm::vec3(0, 1, 1));
  EXPECT_EQ(camera_positions(camera).max, glm::vec3(1, 5, 1));
}

}  // namespace
}  // namespace winnow
