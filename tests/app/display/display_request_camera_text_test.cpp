// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <glm/geometric.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/scene_changes.h"
#include "app/display/display_request.h"
#include "base/error.h"
#include "load/winnow/winnow_json.h"
#include "tests/app/support/run_winnow.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

const CameraDescription kCamera{.position = {1.5f, -2.0f, 0.1f},
                                .look_at = {1.25f, 7.0f, 3.0f},
                                .up = {0.0f, 0.0f, 1.0f},
                                .vertical_fov = 33.0f,
                                .lens_radius = 0.05f,
                                .blades = 5,
                                .blade_rotation = 12.0f,
                                .shift = {0.25f, -0.125f},
                                .near_clip = 0.5f,
                                .far_clip = 70.0f};

TEST(CameraText, IsAnOptionThatLooksFromTheSamePlace) {
  const Size size{1280, 720};
  const CameraDescription read = camera_of(parse_view("--camera", view_text(kCamera, size)), size);
  EXPECT_EQ(read.position, kCamera.position);
  const glm::vec3 ahead = glm::normalize(kCamera.look_at - kCamera.position);
  EXPECT_LT(glm::distance(read.look_at - read.position, ahead), 1e-6f);
  EXPECT_NEAR(read.vertical_fov, kCamera.vertical_fov, 1e-4f);
}

using CameraJson = WinnowTest;

TEST_F(CameraJson, IsTheCameraOfASceneFile) {
  for (const Projection projection : {Projection::kPerspective, Projection::kOrthographic}) {
    CameraDescription camera = kCamera;
    camera.projection = projection;
    camera.focus_distance = 2.5f;
    put("scene.json",
        "{\"camera\": " + camera_json(camera) +
            ", \"materials\": {\"m\": {\"type\": \"diffuse\"}}, \"shapes\": [{\"type\": "
            "\"sphere\", \"material\": \"m\", \"center\": [0, 0, 0], \"radius\": 1}]}");
    const CameraDescription read = load_winnow_json(file("scene.json")).camera;
    EXPECT_EQ(read.position, camera.position);
    EXPECT_EQ(read.look_at, camera.look_at);
    EXPECT_EQ(read.up, camera.up);
    EXPECT_EQ(read.projection, projection);
    EXPECT_EQ(read.lens_radius, camera.lens_radius);
    EXPECT_EQ(read.focus_distance, camera.focus_distance);
    EXPECT_EQ(read.blades, camera.blades);
    EXPECT_EQ(read.blade_rotation, camera.blade_rotation);
    EXPECT_EQ(read.shift, camera.shift);
    EXPECT_EQ(read.near_clip, camera.near_clip);
    EXPECT_EQ(read.far_clip, camera.far_clip);
    const bool is_perspective = projection == Projection::kPerspective;
    EXPECT_EQ(is_perspective ? read.vertical_fov : read.view_height,
              is_perspective ? camera.vertical_fov : camera.view_height);
  }
}

TEST(MovedCamera, KeepsItsLensAndItsFocus) {
  const CameraDescription moved =
      moved_camera(kCamera, R"({"position": [0, 1, 2], "look_at": [3, 4, 5.5]})");
  EXPECT_EQ(moved.position, glm::vec3(0, 1, 2));
  EXPECT_EQ(moved.look_at, glm::vec3(3, 4, 5.5f));
  EXPECT_EQ(moved.lens_radius, kCamera.lens_radius);
  EXPECT_EQ(moved.focus_distance, glm::distance(kCamera.position, kCamera.look_at));
}

TEST(MovedCamera, IsRefusedIfASceneFileCannotHaveIt) {
  for (const char* text : {"", "[", "[]", "{}", R"({"position": [0, 1, 2]})",
                           R"({"position": [0, 1], "look_at": [3, 4, 5]})",
                           R"({"position": [0, 1, "2"], "look_at": [3, 4, 5]})",
                           R"({"position": [0, 1, 1e999], "look_at": [3, 4, 5]})",
                           R"({"position": [0, 1, 1e39], "look_at": [3, 4, 5]})",
                           R"({"position": [3, 4, 5], "look_at": [3, 4, 5]})",
                           R"({"position": [1e10, 0, 0], "look_at": [0, 0, 0]})",
                           R"({"position": [0, 0, 0], "look_at": [0, -2e9, 0]})",
                           R"({"position": [0, 1, 1e-20], "look_at": [0, 1, 0]})",
                           R"({"position": [1, 2, 5], "look_at": [1, 2, 0]})",
                           R"({"position": [1, 2, -5], "look_at": [1.0001, 2, 0]})"})
    EXPECT_NE(message_of<Error>([&] { moved_camera(kCamera, text); }), "") << text;
}

}  // namespace
}  // namespace winnow
