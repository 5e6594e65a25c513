// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>

#include "app/cli/command_line.h"
#include "app/cli/scene_changes.h"
#include "app/cli/shared_options.h"
#include "image/image_io.h"
#include "shading/camera.h"
#include "tests/app/support/run_winnow.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

TEST(View, HasTheHorizontalFieldOfViewThatIsAskedFor) {
  const View view{{1, 2, 3}, {0, 0, -2}, 90.0f};
  const Camera camera = make_camera(camera_of(view, {200, 100}), 200, 100);
  EXPECT_EQ(camera.position, glm::vec3(1, 2, 3));
  const glm::vec3 left = glm::normalize(camera.top_left + 50.0f * camera.pixel_y);
  const glm::vec3 right = glm::normalize(left + 200.0f * camera.pixel_x / std::sqrt(2.0f));
  EXPECT_NEAR(glm::dot(left, right), 0.0f, 1e-5f);
  EXPECT_NEAR(left.x, -std::sqrt(0.5f), 1e-5f);
}

class RenderWithAView : public WinnowTest {
 protected:
  /// Mean colour of what a camera in the middle of the Cornell box sees.
  glm::vec3 mean_color(const std::string& direction) {
    succeed({"render", kCornellBox, "--device", "cpu", "--quiet", "--size", "8x8", "--spp", "4",
             "--camera=0,1,0," + direction + ",40", "-o", "view.pfm"});
    glm::vec3 sum(0.0f);
    for (glm::vec3 pixel : read_image(file("view.pfm")).pixels) sum += pixel;
    return sum / 64.0f;
  }
};

TEST_F(RenderWithAView, SeesWhatLiesThere) {
  const glm::vec3 left = mean_color("-1,0,0"), right = mean_color("1,0,0");
  EXPECT_GT(left.r, 2.0f * left.g);  // the red wall
  EXPECT_GT(right.g, 2.0f * right.r);
}

TEST_F(RenderWithAView, AModelFillsPicturesOfAnyShapeAndIsNotCutOff) {
  put("wide.obj", "v -5 -.5 0\nv 5 -.5 0\nv 5 .5 0\nv -5 .5 0\nf 1 2 3 4\n");
  put("tall.obj", "v -.5 -5 0\nv .5 -5 0\nv .5 5 0\nv -.5 5 0\nf 1 2 3 4\n");
  for (const char* model : {"wide.obj", "tall.obj"})
    for (const char* size : {"60x20", "20x60"}) {
      SCOPED_TRACE(std::string(model) + " " + size);
      succeed({"render", model, "--device", "cpu", "--quiet", "--size", size, "--spp", "8",
               "--alpha", "-o", "a.exr"});
      const Image image = read_image(file("a.exr"));
      std::vector<uint32_t> rows, columns;
      for (uint32_t i = 0; i < image.alpha.size(); ++i)
        if (image.alpha[i] > 0.0f)
          rows.push_back(i / image.width), columns.push_back(i % image.width);
      ASSERT_FALSE(rows.empty());
      const auto [left, right] = std::ranges::minmax(columns);
      const auto [top, bottom] = std::ranges::minmax(rows);
      EXPECT_TRUE(left > 0 && top > 0 && right + 1 < image.width && bottom + 1 < image.height);
      EXPECT_GE(std::max(float(right - left + 1) / float(image.width),
                         float(bottom - top + 1) / float(image.height)),
                0.8f);
    }
}

TEST(View, OfThreeNumbersIsTheEyeAlone) {
  const View view = parse_view("--camera", "1, -2 ,3e1");
  EXPECT_EQ(view.eye, glm::vec3(1, -2, 30));
  EXPECT_FALSE(view.is_whole());
  EXPECT_TRUE(parse_view("--camera", "1, 2, 3, 0, 0, -1, 40").is_whole());
}

TEST(View, RefusesOtherNumbersOfNumbers) {
  for (const char* text : {"", "1", "1,2", "1,2,3,4", "1,2,3,0,0,1", "1,2,3,0,0,1,40,5"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_view("--camera", text); }),
                HasSubstr("is neither X,Y,Z nor X,Y,Z,DX,DY,DZ,FOV"))
        << text;
  for (const char* text : {"1,2,x", "1,,2", "1 2,3,4", "1,2,nan"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_view("--camera", text); }),
                HasSubstr("is not X,Y,Z, 3 numbers"))
        << text;
  EXPECT_THAT(message_of<UsageError>([&] { parse_view("--camera", "1,2,3,0,0,0,40"); }),
              HasSubstr("the direction is 0,0,0"));
  for (const char* text : {"0", "180", "-40", "wide"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_fov("--fov", text); }),
                HasSubstr("field of view"))
        << text;
}

/// A ball about (1, 2, 0), which an orthographic camera with a lens sees.
HostScene lens_scene() {
  HostScene scene;
  scene.spheres = {{{1.0f, 2.0f, 0.0f}, 0.5f, 0}};
  scene.camera = {.position = {1, 3, 4},
                  .look_at = {1, 2.25f, 0},
                  .up = {0, 0, 1},
                  .lens_radius = 0.25f,
                  .projection = Projection::kOrthographic};
  return scene;
}

TEST(ChangeCamera, KeepsWhatIsNotGiven) {
  HostScene scene = lens_scene();
  change_camera({.camera = View{.eye = {0, 0, 9}}}, scene);
  EXPECT_EQ(scene.camera.position, glm::vec3(0, 0, 9));
  EXPECT_EQ(scene.camera.look_at, glm::vec3(1, 2.25f, 0));
  change_camera({.look_at = glm::vec3(0, 1, 0)}, scene);
  EXPECT_EQ(scene.camera.position, glm::vec3(0, 0, 9));
  EXPECT_EQ(scene.camera.look_at, glm::vec3(0, 1, 0));
  EXPECT_EQ(scene.camera.up, glm::vec3(0, 0, 1));
  EXPECT_EQ(scene.camera.lens_radius, 0.25f);
  EXPECT_EQ(scene.camera.projection, Projection::kOrthographic);
}

TEST(ChangeCamera, MakesACameraWithAFieldOfViewPerspective) {
  HostScene scene = lens_scene();
  change_camera({.vertical_fov = 25.0f}, scene);
  EXPECT_EQ(scene.camera.projection, Projection::kPerspective);
  EXPECT_EQ(scene.camera.vertical_fov, 25.0f);
  EXPECT_EQ(scene.camera.position, glm::vec3(1, 3, 4));
}

TEST(ChangeCamera, OfAModelWithoutATargetLooksAtItsMiddle) {
  HostScene scene = lens_scene();
  scene.camera_origin = CameraOrigin::kDirection;
  change_camera({.camera = View{.eye = {7, 2, 0}}}, scene);
  expect_near(scene.camera.look_at, {1, 2, 0});
}

TEST(ChangeCamera, RefusesContradictionsAndACameraThatLooksAtItself) {
  HostScene scene = lens_scene();
  const View whole{.eye = {0, 0, 5}, .direction = {0, 0, -1}, .horizontal_fov = 40.0f};
  EXPECT_EQ(message_of<UsageError>(
                [&] { change_camera({.camera = whole, .look_at = glm::vec3(0.0f)}, scene); }),
            "--look-at: --camera has a direction already; give --camera the eye alone, X,Y,Z");
  EXPECT_THAT(message_of<UsageError>(
                  [&] { change_camera({.camera = whole, .vertical_fov = 30.0f}, scene); }),
              HasSubstr("--fov: --camera has a field of view already"));
  EXPECT_EQ(message_of<UsageError>([&] { change_camera({.look_at = glm::vec3(1, 3, 4)}, scene); }),
            "--look-at: the camera is at 1,3,4 and looks at the same point");
}

TEST(CameraOptionsText, GivesTheSameCameraWhenItIsRead) {
  HostScene scene = lens_scene();
  EXPECT_EQ(camera_options_text(scene), "") << "it has no field of view";
  scene.camera = {
      .position = {0.1f, -1.0f / 3.0f, 4e-5f}, .look_at = {1e6f, 2, -7.25f}, .vertical_fov = 36.4f};
  const std::vector<std::string> words = split(camera_options_text(scene), ' ');
  SceneOptions options;
  parse_options(camera_options(options.camera), words);
  HostScene other = lens_scene();
  change_camera(options.camera, other);
  EXPECT_EQ(other.camera.position, scene.camera.position);
  EXPECT_EQ(other.camera.look_at, scene.camera.look_at);
  EXPECT_EQ(other.camera.vertical_fov, scene.camera.vertical_fov);
}

TEST_F(RenderWithAView, IsTheSceneWithTheOptionsThatInfoPrints) {
  const std::string info = succeed({"info", kCornellBox}).out;
  const std::string line = "options     --camera 0,1,4 --look-at 0,1,0 --fov 36.4\n";
  EXPECT_THAT(info, HasSubstr(line));
  const std::vector<std::string> render = {"render", kCornellBox, "--device", "cpu",    "--size",
                                           "8x8",    "--spp",     "1",        "--stats"};
  succeed(joined(render, {"a.json"}));
  succeed(joined(
      render, {"b.json", "--camera", "0,", "1,", "4", "--look-at=0,", "1", ",0", "--fov", "36.4"}));
  EXPECT_EQ(json("a.json")["film_hash"], json("b.json")["film_hash"]);
}

TEST_F(RenderWithAView, WarnsIfTheCameraSeesNothing) {
  const std::vector<std::string> render = {"render", kCornellBox, "--device", "cpu",
                                           "--size", "8x8",       "--spp",    "1"};
  const std::string warning =
      "warning: the camera sees nothing: no ray of it hits a surface; "
      "--look-at 0,1,0 turns it to the middle of the scene\n";
  // A point where --camera has a direction: the view goes up.
  EXPECT_THAT(succeed(joined(render, {"--camera", "0,1,4,0,9,0,30"})).err, HasSubstr(warning));
  EXPECT_THAT(succeed(joined(render, {"--look-at", "0,1,9", "--sky", "soft"})).err,
              HasSubstr(warning));
  EXPECT_THAT(succeed(joined(render, {"--look-at", "0,1,9", "--quiet"})).err, "");
  EXPECT_THAT(succeed(joined(render, {"--camera", "0,1,9"})).err,
              testing::Not(HasSubstr("warning")));
}

/// Such media have no surface that a ray could hit.
TEST_F(RenderWithAView, ACameraThatLooksThroughAMediumSeesIt) {
  std::ofstream(folder_ / "fog.json")
      << R"({"sky": {"radiance": [1, 1, 1]}, "media": {"fog": {"absorption": 1}},
    "materials": {"m": {"type": "null", "interior": "fog"}},
    "shapes": [{"type": "sphere", "radius": 1, "material": "m"}]})";
  EXPECT_EQ(succeed({"render", "fog.json", "--device", "cpu", "--size", "8x8", "--spp", "1"})
                .err.find("sees nothing"),
            std::string::npos);
}

TEST_F(RenderWithAView, RefusesPartsThatContradictTheView) {
  for (const char* command : {"render", "see", "bench-rays"})
    expect_failure(2, {command, kCornellBox, "--camera", "0,1,4,0,0,-1,30", "--fov", "20"},
                   "--fov: --camera has a field of view already");
  expect_failure(2, {"render", kCornellBox, "--frames", "0:3", "--look-at", "0,0,0"}, "--frames");
}

}  // namespace
}  // namespace winnow
