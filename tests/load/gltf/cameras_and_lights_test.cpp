// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cmath>
#include <glm/trigonometric.hpp>

#include "load/gltf/gltf.h"
#include "load/load_scene.h"
#include "tests/load/gltf/support/animated_camera.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using nlohmann::json;

using testing::HasSubstr;

class GltfSequences : public GltfTest {};

TEST_F(GltfSequences, AreTheCamerasOfTheSceneAtTheirTimes) {
  for (const char* interpolation : {"LINEAR", "STEP", "CUBICSPLINE"}) {
    SCOPED_TRACE(interpolation);
    const std::filesystem::path file =
        write("s.gltf", gltf_with_moving_camera(interpolation).text());
    const std::vector<double> times = {-1.0, 0.0, 0.3, 1.0, 1.9, 7.0};
    const std::vector<CameraDescription> cameras = load_gltf_cameras(file, times, {}).cameras;
    ASSERT_EQ(cameras.size(), times.size());
    for (size_t i = 0; i < times.size(); ++i) {
      const CameraDescription expected = load_scene(file, {}, times[i]).camera;
      EXPECT_EQ(cameras[i].position, expected.position) << times[i];
      EXPECT_EQ(cameras[i].look_at, expected.look_at) << times[i];
      EXPECT_EQ(cameras[i].up, expected.up) << times[i];
      EXPECT_EQ(cameras[i].vertical_fov, expected.vertical_fov) << times[i];
    }
    EXPECT_NE(cameras[1].position, cameras[5].position);
  }
}

TEST_F(GltfSequences, KeepTheLensThatGltfLacks) {
  CameraDescription like;
  like.lens_radius = 0.25f;
  const std::filesystem::path file = write("s.gltf", gltf_with_moving_camera("LINEAR").text());
  EXPECT_EQ(load_gltf_cameras(file, {0.5}, like).cameras.front().lens_radius, 0.25f);
}

TEST_F(GltfSequences, NeedAnAnimation) {
  GltfFile still = gltf_with_moving_camera("LINEAR");
  still.json.erase("animations");
  const std::filesystem::path file = write("s.gltf", still.text());
  EXPECT_THAT(message_of<Error>([&] { load_gltf_cameras(file, {0.0}, {}); }),
              HasSubstr("s.gltf: has no animation that --frames could show"));
}

TEST_F(GltfSequences, KeepACameraThatRests) {
  CameraDescription like;
  like.position = {1, 2, 3};
  auto expect_like = [&](const GltfFile& file) {
    const GltfCameraFrames frames =
        load_gltf_cameras(write("s.gltf", file.text()), {0.0, 1.0}, like);
    ASSERT_EQ(frames.cameras.size(), 2u);
    for (const CameraDescription& camera : frames.cameras)
      EXPECT_EQ(camera.position, like.position);
  };
  GltfFile other = gltf_with_moving_camera("LINEAR");  // moves the triangle
  for (nlohmann::json& channel : other.json["animations"][0]["channels"])
    channel["target"]["node"] = 0;
  expect_like(other);
  GltfFile blind = gltf_with_moving_camera("LINEAR");
  blind.json["nodes"][1].erase("camera");
  expect_like(blind);
}

TEST_F(GltfSequences, NeedAnAnimationThatChangesSomething) {
  auto message_for = [&](const GltfFile& file) {
    return message_of<Error>([&] {
      load_gltf_cameras(write("s.gltf", file.text()), {0.0, 1.0}, {});
    });
  };
  const std::string kRefusal = "has no animation that --frames could show";
  GltfFile still = gltf_with_moving_camera("LINEAR");
  for (nlohmann::json& sampler : still.json["animations"][0]["samplers"])
    sampler["output"] =
        still.add_floats(sampler["output"] == 2 ? std::vector<float>{1, 2, 3, 1, 2, 3}
                                                : std::vector<float>{0, 0, 0, 1, 0, 0, 0, 1},
                         sampler["output"] == 2 ? "VEC3" : "VEC4");
  EXPECT_THAT(message_for(still), HasSubstr(kRefusal));
  GltfFile broken = gltf_with_moving_camera("LINEAR");
  for (nlohmann::json& sampler : broken.json["animations"][0]["samplers"]) sampler["input"] = 99;
  EXPECT_THAT(message_for(broken), HasSubstr(kRefusal));
}

TEST_F(GltfSequences, FollowPointersAndTheFieldOfView) {
  GltfFile file = gltf_with_moving_camera("LINEAR");
  nlohmann::json& animation = file.json["animations"][0];
  auto pointer = [](int sampler, const char* to) {
    nlohmann::json channel = {{"sampler", sampler}, {"target", {{"path", "pointer"}}}};
    channel["target"]["extensions"]["KHR_animation_pointer"]["pointer"] = to;
    return channel;
  };
  const int fields = file.add_floats({0.7f, 0.3f}, "SCALAR");
  animation["samplers"].push_back(
      {{"input", animation["samplers"][0]["input"]}, {"output", fields}});
  animation["channels"] = {pointer(0, "/nodes/1/translation"),
                           pointer(2, "/cameras/0/perspective/yfov")};
  const GltfCameraFrames frames =
      load_gltf_cameras(write("s.gltf", file.text()), {0.0, 1.0, 2.0}, {});
  EXPECT_EQ(frames.warnings, std::vector<std::string>{});
  for (size_t i = 0; i < frames.cameras.size(); ++i) {
    expect_near(frames.cameras[i].position, {0.5f * float(i), 0, 4});
    EXPECT_NEAR(frames.cameras[i].vertical_fov, glm::degrees(0.7f - 0.2f * float(i)), 1e-4f);
  }
}

TEST_F(GltfSequences, SayWhatASequenceLeavesOut) {
  GltfFile file = gltf_with_moving_camera("LINEAR");
  nlohmann::json& channels = file.json["animations"][0]["channels"];
  channels.push_back({{"sampler", 0}, {"target", {{"node", 0}, {"path", "translation"}}}});
  channels.push_back({{"sampler", 0}, {"target", {{"node", 0}, {"path", "color"}}}});
  EXPECT_THAT(load_gltf_cameras(write("s.gltf", file.text()), {0.0, 1.0}, {}).warnings,
              testing::ElementsAre(HasSubstr("the animation of \"color\" is ignored")));
}

TEST_F(GltfTest, SaysThatScaledSpotsOfBlenderDiffer) {
  GltfFile file = GltfFile::triangle();
  file.json["extensions"]["KHR_lights_punctual"]["lights"] = {{{"type", "spot"}, {"spot", {}}}};
  json& node = file.json["nodes"][0];
  node["extensions"]["KHR_lights_punctual"]["light"] = 0;
  node["scale"] = {1, 2, 1};
  EXPECT_EQ(load_file(file).warnings, std::vector<std::string>{});
  file.json["asset"]["generator"] = "Khronos glTF Blender I/O v5.3.43";
  expect_warnings(load_file(file), {"/nodes/0: Blender scales the cone of a spot"});
  node["scale"] = {2, 2, 2};
  EXPECT_EQ(load_file(file).warnings, std::vector<std::string>{});
}

TEST_F(GltfTest, CamerasHaveClippingPlanes) {
  GltfFile file = GltfFile::triangle();
  file.json["cameras"] = {
      {{"type", "perspective"}, {"perspective", {{"yfov", 0.7}, {"znear", 0.1}, {"zfar", 50}}}}};
  file.json["nodes"].push_back({{"camera", 0}});
  const CameraDescription camera = load_file(file).camera;
  EXPECT_EQ(camera.near_clip, 0.1f);
  EXPECT_EQ(camera.far_clip, 50.0f);
  file.json["cameras"][0]["perspective"].erase("zfar");
  EXPECT_EQ(load_file(file).camera.far_clip, INFINITY) << "an infinite projection";
  file.json["cameras"][0] = {
      {"type", "orthographic"},
      {"orthographic", {{"xmag", 1}, {"ymag", 1}, {"znear", 0}, {"zfar", 0}}}};
  EXPECT_EQ(load_file(file).camera.near_clip, 0.0f);
  EXPECT_EQ(load_file(file).camera.far_clip, INFINITY) << "a plane before the first is none";
}

class GltfCameraNames : public GltfTest {
 protected:
  /// Cameras at x = 1, 2, 3 and 4, of which the second has only a name of its own.
  std::filesystem::path write_cameras() const {
    GltfFile file = GltfFile::triangle();
    const nlohmann::json view = {{"yfov", 0.7}};
    file.json["cameras"] = {{{"type", "perspective"}, {"perspective", view}, {"name", "lens"}},
                            {{"type", "perspective"}, {"perspective", view}, {"name", "wide"}}};
    file.json["nodes"] = {{{"mesh", 0}},
                          {{"camera", 0}, {"translation", {1, 0, 0}}, {"name", "front"}},
                          {{"camera", 1}, {"translation", {2, 0, 0}}},
                          {{"camera", 0}, {"translation", {3, 0, 0}}, {"name", "front"}},
                          {{"camera", 1}, {"translation", {4, 0, 0}}, {"name", "top"}}};
    return write("s.gltf", file.text());
  }
  float x_of(const std::string& name) const {
    return load_scene(write_cameras(), {}, {}, OutsideFiles::kAllowed, {.camera = name})
        .camera.position.x;
  }
};

TEST_F(GltfCameraNames, ChooseTheView) {
  EXPECT_EQ(x_of(""), 1.0f);
  EXPECT_EQ(x_of("front"), 1.0f);
  EXPECT_EQ(x_of("wide"), 2.0f);
  EXPECT_EQ(x_of("front (node 3)"), 3.0f);
  EXPECT_EQ(x_of("top"), 4.0f);
  EXPECT_EQ(x_of("lens"), 1.0f) << "the name of a camera, not of its node";
  EXPECT_EQ(load_scene(write_cameras()).camera_names,
            (std::vector<std::string>{"front", "wide", "front (node 3)", "top"}));
}

TEST_F(GltfCameraNames, AreListedForAnUnknownOne) {
  EXPECT_THAT(message_of<UsageError>([&] { x_of("left"); }),
              testing::MatchesRegex("--camera-name \"left\": .*s.gltf has the cameras \"front\", "
                                    "\"wide\", \"front .node 3.\", \"top\""));
  const std::filesystem::path file = write("t.gltf", GltfFile::triangle().text());
  EXPECT_THAT(message_of<UsageError>(
                  [&] { load_scene(file, {}, {}, OutsideFiles::kAllowed, {.camera = "left"}); }),
              HasSubstr("t.gltf has no camera"));
  EXPECT_THAT(message_of<UsageError>([&] {
                load_scene(write("a.obj", kObjTriangle), {}, {}, OutsideFiles::kAllowed,
                           {.camera = "left"});
              }),
              HasSubstr("--camera-name left: only scenes of glTF"));
}

TEST_F(GltfCameraNames, ChooseTheCameraOfASequence) {
  GltfFile file = gltf_with_moving_camera("LINEAR");
  file.json["nodes"][1]["name"] = "moving";
  file.json["nodes"].push_back({{"camera", 0}, {"name", "still"}});
  const std::filesystem::path path = write("s.gltf", file.text());
  EXPECT_EQ(load_gltf_cameras(path, {2.0}, {}, "moving").cameras.size(), 1u);
  EXPECT_EQ(load_gltf_cameras(path, {2.0}, {}, "still").cameras.front().position,
            CameraDescription().position);
}

}  // namespace
}  // namespace winnow
