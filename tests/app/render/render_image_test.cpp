// SPDX-License-Identifier: MIT
// Tests --camera-path, --turntable and --frames of the program.
#include <gmock/gmock.h>

#include <csignal>
#include <regex>

#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/denoise/support/fake_oidn.h"
#include "tests/load/gltf/support/animated_camera.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

/// A ball on a floor, seen by the camera `camera`.
std::string ball_scene(const std::string& camera) {
  return R"({"film": {"width": 16, "height": 12}, "render": {"spp": 2}, "sky": {"radiance": 1},
    "materials": {"grey": {"type": "diffuse"}, "red": {"type": "diffuse", "reflectance": [0.8, 0.1, 0.1]}},
    "shapes": [{"type": "sphere", "material": "red", "center": [0, 1, 0], "radius": 1},
               {"type": "box", "material": "grey", "min": [-3, -1, -2], "max": [3, 0, 2]}],
    "camera": )" +
         camera + "}";
}

constexpr const char* kPath = R"({"keys": [
  {"time": 0, "position": [0, 1, 6], "look_at": [0, 1, 0], "vertical_fov": 40},
  {"time": 1, "position": [4, 2, 4]},
  {"time": 2, "position": [6, 1, 0], "vertical_fov": 30}]})";

class RenderSequence : public WinnowTest {
 protected:
  RenderSequence() {
    put("ball.json", ball_scene(R"({"position": [0, 1, 6], "look_at": [0, 1, 0]})"));
    put("path.json", kPath);
  }
  Outcome render(const std::vector<std::string>& arguments) const {
    return succeed(joined({"render", "ball.json", "--device", "cpu", "--threads", "2"}, arguments));
  }
  std::vector<std::string> refused(const std::vector<std::string>& arguments) const {
    return joined({"render", "ball.json", "--device", "cpu", "-o", "r.png"}, arguments);
  }
  /// Renders the scene file `scene` alone, and returns the hash of its film.
  std::string hash_alone(const std::string& scene,
                         const std::vector<std::string>& more = {}) const {
    succeed(joined({"render", scene, "--device", "cpu", "-o", "alone.exr", "--stats", "alone.json"},
                   more));
    return json("alone.json")["film_hash"];
  }
};

TEST_F(RenderSequence, GivesTheBitsOfEachCameraAlone) {
  render({"--camera-path", "path.json", "--fps", "2", "-o", "a-%02d.exr", "--stats", "s.json"});
  const Json stats = json("s.json");
  ASSERT_EQ(stats.size(), 5u);
  const std::vector<std::string> cameras = {
      R"({"position": [0, 1, 6], "look_at": [0, 1, 0], "vertical_fov": 40})",
      R"({"position": [4, 2, 4], "look_at": [0, 1, 0], "vertical_fov": 40})",
      R"({"position": [6, 1, 0], "look_at": [0, 1, 0], "vertical_fov": 30})"};
  for (size_t key = 0; key < cameras.size(); ++key) {
    const size_t frame = 2 * key;
    put("alone-scene.json", ball_scene(cameras[key]));
    EXPECT_EQ(stats[frame]["film_hash"], hash_alone("alone-scene.json")) << frame;
    EXPECT_EQ(stats[frame]["frame"]["number"], frame);
    EXPECT_EQ(stats[frame]["frame"]["time"], double(key));
    const std::string name = "a-0" + std::to_string(frame) + ".exr";
    EXPECT_EQ(stats[frame]["frame"]["files"], Json::parse("[\"" + name + "\"]"));
    EXPECT_EQ(stats[frame]["film_hash"], image_hash(read_image(file(name))));
  }
  EXPECT_NE(stats[0]["film_hash"], stats[1]["film_hash"]);
  EXPECT_GT(stats[0]["seconds"]["load"], 0.0);
  EXPECT_EQ(stats[1]["seconds"]["load"], 0.0);
}

TEST_F(RenderSequence, TurnsAroundTheScene) {
  const Outcome outcome = render({"--turntable", "4", "-o", "t.png", "--stats", "s.json"});
  for (const char* name : {"t-0000.png", "t-0001.png", "t-0002.png", "t-0003.png"})
    EXPECT_TRUE(fs::exists(file(name))) << name;
  EXPECT_THAT(outcome.err, HasSubstr("2 samples per pixel, 4 images, on CPU"));
  const Json stats = json("s.json");
  EXPECT_EQ(stats[0]["film_hash"], hash_alone("ball.json"));
  const Json opposite = stats[2]["frame"]["camera"]["position"];
  EXPECT_NEAR(opposite[0], 0.0, 1e-5);
  EXPECT_NEAR(opposite[2], -6.0, 1e-5);
}

TEST_F(RenderSequence, FollowsTheCameraOfAGltf) {
  put("s.gltf", gltf_with_moving_camera("LINEAR").text());
  const std::vector<std::string> common = {"--size", "16x12", "--spp", "1"};
  succeed(joined({"render", "s.gltf", "--device", "cpu", "--frames", "0:12:6", "--fps", "6", "-o",
                  "g.exr", "--stats", "s.json"},
                 common));
  const Json stats = json("s.json");
  ASSERT_EQ(stats.size(), 3u);
  for (const int second : {0, 1, 2})
    EXPECT_EQ(stats[second]["film_hash"],
              hash_alone("s.gltf", joined(common, {"--time", std::to_string(second)})))
        << second;
  EXPECT_TRUE(fs::exists(file("g-0012.exr")));
}

TEST_F(RenderSequence, KeepsTheExposureOfItsFirstImage) {
  render({"--turntable", "3", "-o", "t.png", "--exposure", "auto", "--stats", "s.json"});
  const Json stats = json("s.json");
  EXPECT_EQ(stats[0]["exposure"]["stops"], stats[1]["exposure"]["stops"]);
  EXPECT_EQ(stats[0]["exposure"]["stops"], stats[2]["exposure"]["stops"]);
}

TEST_F(RenderSequence, RendersOnlyMissingFramesWithSkipExisting) {
  render({"--turntable", "3", "-o", "t.png", "--aov", "depth=d.pfm"});
  const auto before = fs::last_write_time(file("t-0000.png"));
  fs::remove(file("t-0001.png"));
  fs::remove(file("d-0002.pfm"));
  render({"--turntable", "3", "-o", "t.png", "--aov", "depth=d.pfm", "--skip-existing", "--stats",
          "s.json"});
  const Json stats = json("s.json");
  ASSERT_EQ(stats.size(), 2u);
  EXPECT_EQ(stats[0]["frame"]["number"], 1);
  EXPECT_EQ(stats[1]["frame"]["number"], 2);
  EXPECT_EQ(fs::last_write_time(file("t-0000.png")), before);
  EXPECT_THAT(render({"--turntable", "3", "-o", "t.png", "--skip-existing"}).err,
              HasSubstr("--skip-existing: all images are there already"));
}

TEST_F(RenderSequence, CleansEachImage) {
  DenoiseEnvironment environment;
  environment.use_fake(file("log.txt"));
  render({"--turntable", "2", "-o", "t.exr", "--denoise", "--stats", "s.json"});
  const Json stats = json("s.json");
  for (const int frame : {0, 1}) {
    const std::string stem = "t-000" + std::to_string(frame);
    Image twice = read_image(file(stem + ".exr"));
    for (glm::vec3& pixel : twice.pixels) pixel *= 2.0f;
    EXPECT_EQ(image_hash(read_image(file(stem + ".clean.exr"))), image_hash(twice));
    EXPECT_EQ(stats[frame]["denoise"]["images"][0]["clean"], stem + ".clean.exr");
  }
}

TEST_F(RenderSequence, SaysAfterAnInterruptWhichImagesAreThere) {
  WinnowProcess process(
      folder_, {"render", "ball.json", "--device", "cpu", "--threads", "1", "--turntable", "1000",
                "-o", "t.png", "--spp", "64", "--stats", "s.json"});
  for (int trial = 0; trial < 2000 && !fs::exists(file("t-0002.png")); ++trial)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  process.send(SIGINT);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  std::smatch match;
  ASSERT_TRUE(std::regex_search(
      outcome.err, match,
      std::regex("interrupted in image (\\d+) of 1000: t-0000.png to (t-\\d+.png) are written; the "
                 "same command with --skip-existing renders the others")))
      << outcome.err;
  const size_t written = std::stoul(match[1]) - 1;
  EXPECT_EQ(json("s.json").size(), written);
  EXPECT_TRUE(fs::exists(file(match[2])));
  EXPECT_EQ(file_count(), written + 3);  // the scene, the path and the statistics
}

TEST_F(RenderSequence, ShowsItsProgressOverAllImages) {
  const Outcome outcome = render({"--turntable", "3", "-o", "t.png", "--spp", "60000"});
  EXPECT_TRUE(std::regex_search(outcome.err, std::regex("\\d+ %  image \\d+ of 3  ")))
      << outcome.err;
}

TEST_F(RenderSequence, RefusesWhatASequenceCannotDo) {
  expect_failure(2, refused({"--frames", "0:3"}), "--frames: ball.json is not a glTF");
  expect_failure(2, refused({"--turntable", "2", "--camera-path", "path.json"}), "--turntable: ");
  expect_failure(2, refused({"--fps", "25"}), "--fps: is for sequences");
  expect_failure(2, refused({"--skip-existing"}), "--skip-existing: is for sequences");
  expect_failure(2, refused({"--camera-path", "path.json", "--camera", "0,0,5,0,0,-1,40"}),
                 "--camera: ");
  expect_failure(2, refused({"--turntable", "2", "--share", "0/2"}), "--share");
  expect_failure(2, refused({"--turntable", "2", "--checkpoint", "c.film"}), "--checkpoint: ");
  expect_failure(2, refused({"--turntable", "2", "-o", "a.film"}), "a film file holds one image");
  expect_failure(2, refused({"--turntable", "2", "--display", "web:0"}), "--display: ");
  expect_failure(2, refused({"--turntable", "0"}), "--turntable");
  expect_failure(2, refused({"--turntable", "2", "-o", "%d-%d.png"}), "has two places");
  put("late.json", R"({"keys": [{"time": -9, "position": [0, 1, 6]}, {"time": -1}]})");
  expect_failure(1, refused({"--camera-path", "late.json"}),
                 "late.json: its keys from -9 s to -1 s");
  expect_failure(1, refused({"--camera-path", "none.json"}), "none.json");
}

}  // namespace
}  // namespace winnow
