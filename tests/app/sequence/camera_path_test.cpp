// SPDX-License-Identifier: MIT
#include "app/sequence/camera_path.h"

#include <gmock/gmock.h>

#include <glm/geometric.hpp>

#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

std::vector<CameraKey> keys_of(const std::string& list, const CameraDescription& start = {}) {
  return parse_camera_path("{\"keys\": [" + list + "]}", "p.json", start);
}

TEST(CameraPath, TakesWhatAKeyLeavesOutFromTheKeyBefore) {
  CameraDescription start;
  start.vertical_fov = 33.0f;
  start.blades = 6;
  const std::vector<CameraKey> keys = keys_of(
      R"({"time": 0.5, "position": [1, 2, 3], "look_at": [1, 2, 0], "lens_radius": 0.1},
         {"time": 2, "position": [5, 2, 3], "direction": [1, 0, 0], "vertical_fov": 50},
         {"time": 3, "up": [0, 0, 2]})",
      start);
  ASSERT_EQ(keys.size(), 3u);
  EXPECT_EQ(keys[0].time, 0.5);
  EXPECT_EQ(keys[0].camera.vertical_fov, 33.0f);
  EXPECT_EQ(keys[0].camera.blades, 6u);
  EXPECT_EQ(keys[1].camera.lens_radius, 0.1f);
  expect_near(keys[1].camera.look_at, {8, 2, 3});  // as far away as before
  EXPECT_EQ(keys[2].camera.vertical_fov, 50.0f);
  expect_near(keys[2].camera.up, {0, 0, 1});
}

TEST(CameraPath, HasTheCamerasOfItsKeysAtTheirTimesAndBeyondItsEnds) {
  const std::vector<CameraKey> keys =
      keys_of(R"({"time": 0, "position": [0, 0, 5], "look_at": [0, 0, 0]},
                 {"time": 1, "position": [3, 0, 5]}, {"time": 4, "position": [3, 2, 5]})");
  for (const CameraKey& key : keys)
    EXPECT_EQ(camera_at(keys, key.time).position, key.camera.position);
  EXPECT_EQ(camera_at(keys, -1.0).position, keys.front().camera.position);
  EXPECT_EQ(camera_at(keys, 9.0).position, keys.back().camera.position);
}

TEST(CameraPath, IsStraightBetweenTwoKeys) {
  const std::vector<CameraKey> keys =
      keys_of(R"({"time": 1, "position": [0, 0, 5], "look_at": [0, 0, 0], "vertical_fov": 40},
                 {"time": 3, "position": [4, 0, 5], "look_at": [4, 8, 0], "vertical_fov": 60})");
  const CameraDescription camera = camera_at(keys, 1.5);
  expect_near(camera.position, {1, 0, 5});
  expect_near(camera.look_at, {1, 2, 0});
  EXPECT_NEAR(camera.vertical_fov, 45.0f, 1e-4f);
}

TEST(CameraPath, HasTheValuesOfCatmullRomBetweenKeysOfEqualDistance) {
  const std::vector<CameraKey> keys =
      keys_of(R"({"time": 0, "position": [0, 0, 5], "look_at": [0, 0, 0]},
                 {"time": 1, "position": [1, 0, 5]}, {"time": 2, "position": [1, 1, 5]},
                 {"time": 3, "position": [0, 1, 5]})");
  // (-p0 + 9 p1 + 9 p2 - p3) / 16
  expect_near(camera_at(keys, 1.5).position, {1.125f, 0.5f, 5});
}

TEST(CameraPath, FollowsAParabolaThroughKeysOfUnequalDistance) {
  const std::vector<CameraKey> keys =
      keys_of(R"({"time": 0, "position": [0, 0, 5], "look_at": [0, 9, 0]},
                 {"time": 1, "position": [1, 0, 5]}, {"time": 3, "position": [9, 0, 5]},
                 {"time": 4, "position": [16, 0, 5]})");
  for (const float time : {1.25f, 2.0f, 2.9f})
    expect_near(camera_at(keys, double(time)).position, {time * time, 0, 5});
}

TEST(CameraPath, HasNoCornersHoweverUnequalTheTimesAre) {
  const std::vector<CameraKey> keys =
      keys_of(R"({"time": 0, "position": [0, 0, 5], "look_at": [0, 0, 0]},
                 {"time": 0.1, "position": [2, 1, 5]}, {"time": 4, "position": [3, -4, 5]},
                 {"time": 4.5, "position": [0, 1, 2]})");
  constexpr double kStep = 1e-3;
  for (size_t key = 1; key + 1 < keys.size(); ++key) {
    const glm::vec3 at = keys[key].camera.position;
    const glm::vec3 before = at - camera_at(keys, keys[key].time - kStep).position,
                    after = camera_at(keys, keys[key].time + kStep).position - at;
    EXPECT_LT(glm::length(after - before), 0.05f * glm::length(after)) << key;
  }
}

TEST(CameraPath, KeepsItsValuesInTheirRange) {
  const std::vector<CameraKey> keys = keys_of(
      R"({"time": 0, "position": [0, 0, 5], "look_at": [0, 0, 0], "lens_radius": 0.5},
         {"time": 1, "lens_radius": 0}, {"time": 2, "lens_radius": 0}, {"time": 3, "lens_radius": 0.5})");
  for (double time = 0.0; time < 3.0; time += 0.05)
    EXPECT_GE(camera_at(keys, time).lens_radius, 0.0f) << time;
}

void expect_path_error(const std::string& keys, const std::string& part) {
  EXPECT_THAT(message_of<Error>([&] { keys_of(keys); }), HasSubstr(part)) << keys;
}

TEST(CameraPath, SaysWhereItIsWrong) {
  expect_path_error("", "p.json: /keys: expected at least one key");
  expect_path_error(R"({"position": [0, 0, 1]})", "p.json: /keys/0");
  expect_path_error(R"({"time": 1}, {"time": 1})",
                    "/keys/1/time: expected a time after that of the key before it, 1, found 1");
  expect_path_error(R"({"time": 1}, {"time": 1.0000000001})",
                    "/keys/1/time: expected a time after");
  expect_path_error(R"({"time": 1, "positon": [0, 0, 1]})", "positon");
  expect_path_error(R"({"time": 1, "look_at": [0, 0, 0], "direction": [0, 0, 1]})",
                    "/keys/0: has both look_at and direction");
  expect_path_error(R"({"time": 1, "position": [0, 0, 0], "look_at": [0, 0, 0]})",
                    "/keys/0: look_at is the position");
  expect_path_error(R"({"time": 1, "direction": [0, 1, 0]})", "/keys/0: up is parallel");
  expect_path_error(R"({"time": 1, "vertical_fov": 180})", "/keys/0/vertical_fov");
  EXPECT_THAT(message_of<Error>([] { parse_camera_path("[1]", "p.json", {}); }),
              HasSubstr("p.json"));
}

}  // namespace
}  // namespace winnow
