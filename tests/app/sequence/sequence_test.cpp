// SPDX-License-Identifier: MIT
#include "app/sequence/sequence.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "tests/support/expect_near.h"

namespace winnow {
namespace {

/// A ball about (1, 2, 0), seen from 4 m in front and 1 m above.
HostScene ball_scene() {
  HostScene scene;
  scene.spheres = {{{1.0f, 2.0f, 0.0f}, 0.5f, 0}};
  scene.camera.position = {1.0f, 3.0f, 4.0f};
  scene.camera.look_at = {1.0f, 2.0f, 0.0f};
  return scene;
}

TEST(Turntables, BeginAtTheCamerasPlaceAndTurnCounterClockwise) {
  const HostScene scene = ball_scene();
  EXPECT_EQ(Turntable(scene).camera(0.0).position, scene.camera.position);
  expect_near(Turntable(scene).camera(0.25).position, {5, 3, 0});
  expect_near(Turntable(scene).camera(0.5).position, {1, 3, -4});
  expect_near(Turntable(scene).camera(0.5).look_at, {1, 2, 0});
}

TEST(Turntables, TurnAboutTheMiddleOfTheSceneHoweverFarAwayTheCameraLooks) {
  HostScene scene = ball_scene();
  const glm::vec3 view = scene.camera.look_at - scene.camera.position;
  scene.camera.look_at = scene.camera.position + 100.0f * view;
  expect_near(Turntable(scene).camera(0.5).position, {1, 3, -4});
}

TEST(Turntables, TurnAboutWhatTheCameraLooksAtHoweverFarTheSceneExtendsBehindIt) {
  HostScene scene = ball_scene();
  scene.spheres.push_back({{1.0f, 2.0f, -60.0f}, 5.0f, 0});
  expect_near(Turntable(scene).camera(0.5).position, {1, 3, -4});
}

TEST(Turntables, KeepTheCamerasUpAsTheirAxis) {
  HostScene scene = ball_scene();
  scene.camera.position = {1.0f, 6.0f, 1.0f};
  scene.camera.up = {0.0f, 0.0f, 1.0f};
  expect_near(Turntable(scene).camera(0.5).position, {1, -2, 1});
  EXPECT_EQ(Turntable(scene).camera(0.3).up, scene.camera.up);
}

TEST(Turntables, TurnAboutWhatTheCameraLooksAtIfTheSceneIsBehindIt) {
  HostScene scene = ball_scene();
  scene.camera.look_at = {1.0f, 3.0f, 6.0f};
  expect_near(Turntable(scene).camera(0.5).position, {1, 3, 8});
}

}  // namespace
}  // namespace winnow
