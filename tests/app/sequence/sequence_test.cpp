// SPDX-License-Identifier: MIT
#include "app/sequence/sequence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "base/error.h"
#include "scene/camera_motion.h"
#include "scene/frame_scene.h"
#include "scene/mesh.h"
#include "scene/shapes.h"
#include "tests/scene/support/placed_at.h"
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

/// Cameras of glTF have a direction only: their `look_at` is an arbitrary point.
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

std::vector<SequenceFrame> frames_of(const SequenceOptions& options, const HostScene& scene,
                                     const std::optional<Shutter>& shutter = {}) {
  std::vector<std::string> warnings;
  return sequence_frames(options, shutter, "a.json", "", scene, warnings);
}

TEST(Shutters, LeaveTheCameraOfAFrameAndAddItsMotion) {
  const HostScene scene = ball_scene();
  SequenceOptions options;
  options.turntable = 8;
  options.fps = 4.0;
  const std::vector<SequenceFrame> still = frames_of(options, scene);
  const Shutter from_half_a_frame_before{-0.125, 0.25};
  const std::vector<SequenceFrame> blurred = frames_of(options, scene, from_half_a_frame_before);
  ASSERT_EQ(blurred.size(), still.size());
  const Turntable turntable(scene);
  for (size_t i = 0; i < still.size(); ++i) {
    EXPECT_EQ(blurred[i].camera.position, still[i].camera.position);
    EXPECT_TRUE(still[i].camera.motion.empty());
    const std::vector<CameraPose>& motion = blurred[i].camera.motion;
    ASSERT_EQ(motion.size(), kShutterSteps + 1);
    expect_near(motion.front().position, turntable.camera((double(i) - 0.5) / 8.0).position, 1e-5f);
    expect_near(motion.back().position, turntable.camera((double(i) + 1.0) / 8.0).position, 1e-5f);
    expect_near(placed_at(motion.back(), blurred[i].camera).look_at -
                    placed_at(motion.back(), blurred[i].camera).position,
                glm::length(placed_at(motion.back(), blurred[i].camera).position) *
                    glm::normalize(scene.camera.look_at -
                                   turntable.camera((double(i) + 1.0) / 8.0).position),
                1e-4f);
  }
}

/// The scene of a file may have a motion of its own.
TEST(Shutters, TakeThePlaceOfTheMotionOfTheScene) {
  HostScene scene = ball_scene();
  scene.camera.motion.resize(2);
  SequenceOptions options;
  options.turntable = 2;
  EXPECT_TRUE(frames_of(options, scene)[1].camera.motion.empty());
}

}  // namespace
}  // namespace winnow
