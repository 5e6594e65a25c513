// SPDX-License-Identifier: MIT
#include "app/sequence/sequence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "scene/frame_scene.h"
#include "scene/mesh.h"
#include "scene/shapes.h"
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

/// Cameras of glTF have a direction only: their `look_at` says nothing.
TEST(Turntables, TurnAboutTheMiddleIfTheCameraHasNoTarget) {
  HostScene scene = ball_scene();
  scene.camera.look_at = {1.2f, 2.3f, 0.1f};  // inside the ball
  scene.camera_origin = CameraOrigin::kDirection;
  expect_near(Turntable(scene).camera(0.5).position, {1, 3, -4});
}

/// Returns the largest distance of a corner from the middle of the image; 1 is the edge.
float reach_of(const HostScene& scene, const CameraDescription& camera) {
  const glm::vec3 forward = glm::normalize(camera.look_at - camera.position);
  const glm::vec3 right = glm::normalize(glm::cross(forward, camera.up));
  const glm::vec3 up = glm::cross(right, forward);
  float reach = 0.0f;
  for (const glm::vec3 corner : scene.positions) {
    const glm::vec3 p = corner - camera.position;
    const float half_height =
        glm::dot(p, forward) * std::tan(glm::radians(0.5f * camera.vertical_fov));
    const float half_width = half_height * float(scene.width) / float(scene.height);
    EXPECT_GT(half_height, 0.0f);
    reach = std::max({reach, std::abs(glm::dot(p, right)) / half_width,
                      std::abs(glm::dot(p, up)) / half_height});
  }
  return reach;
}

/// The axis went through the side of the model that is nearest to the camera.
TEST(Turntables, KeepAFramedModelInThePictureAllTheWayRound) {
  struct Case {
    glm::vec3 min, max;
    uint32_t width, height;
  };
  for (const Case& c :
       {Case{{-1, -1, -1}, {1, 1, 1}, 512, 512}, Case{{-9, 0, -1}, {9, 1, 1}, 512, 512},
        Case{{100, 0, 0}, {101, 1, 9}, 800, 300}, Case{{0, 0, 0}, {1, 10, 1}, 300, 800},
        Case{{0, 0, 0}, {5, 1e-3f, 2}, 64, 64}}) {
    HostScene scene;
    scene.width = c.width;
    scene.height = c.height;
    add_mesh(scene, make_box(c.min, c.max), glm::mat4(1.0f), 0);
    frame_scene(scene);
    const Turntable turntable(scene);
    float largest = 0.0f;
    for (double turn = 0.0; turn < 1.0; turn += 1.0 / 48.0) {
      const CameraDescription camera = turntable.camera(turn);
      largest = std::max(largest, reach_of(scene, camera));
      EXPECT_NEAR(camera.position.y, turntable.camera(0.0).position.y, 1e-3f);
    }
    EXPECT_LE(largest, 0.95f) << c.width << "x" << c.height;
    EXPECT_GE(largest, 0.8f) << c.width << "x" << c.height;
  }
}

}  // namespace
}  // namespace winnow
