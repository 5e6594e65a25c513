// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "app/cli/scene_changes.h"
#include "image/image_io.h"
#include "scene/frame_scene.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"
#include "tests/app/support/run_winnow.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using SkyKind = SkyRequest::Kind;
using testing::HasSubstr;

TEST(ParseSky, ReadsNamesAndFilesWithFactorAndRotation) {
  EXPECT_EQ(parse_sky("--sky", "none").kind, SkyKind::kNone);
  EXPECT_EQ(parse_sky("--sky", "soft").kind, SkyKind::kSoft);
  EXPECT_EQ(parse_sky("--sky", "sun").kind, SkyKind::kSun);

  const SkyRequest plain = parse_sky("--sky", "a/b.HDR");
  EXPECT_EQ(plain.kind, SkyKind::kFile);
  EXPECT_EQ(plain.file, "a/b.HDR");
  EXPECT_EQ(plain.scale, 1.0f);
  EXPECT_EQ(plain.rotation, 0.0f);
  EXPECT_EQ(parse_sky("--sky", "b.exr:0.5").scale, 0.5f);
  const SkyRequest turned = parse_sky("--sky", "c:1.exr:2:-90");
  EXPECT_EQ(turned.file, "c:1.exr");
  EXPECT_EQ(turned.scale, 2.0f);
  EXPECT_EQ(turned.rotation, -90.0f);
}

TEST(ParseSky, RefusesEverythingElse) {
  for (const char* text :
       {"", "None", "sun:", "sun:x", "sun:1:2:3", "sun::4", "sky.xyz", "sky",
        "sky.hdr:", "sky.hdr:x", "sky.hdr:1:2:3", "sky.hdr::9", "soft:2", ":1:2"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_sky("--sky", text); }),
                HasSubstr(std::string("--sky: \"") + text + "\" is not none, soft, sun[:AZIMUTH"))
        << text;
  EXPECT_THAT(message_of<UsageError>([&] { parse_sky("--sky", "sotf"); }),
              HasSubstr("did you mean soft?"));
  for (const char* text : {"a.hdr:-1", "a.hdr:nan", "a.hdr:inf", "a.hdr:2e9:0"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_sky("--sky", text); }), HasSubstr("0 to 1e9"));
  for (const char* text : {"a.hdr:1:nan", "a.hdr:1:1e6"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_sky("--sky", text); }), HasSubstr("degrees"));
}

/// A diffuse sphere beside a lamp, under a sky.
HostScene lit_scene() {
  HostScene scene;
  scene.materials = {Material{}};
  scene.spheres = {Sphere{}};
  scene.delta_lights = {DeltaLight{.intensity = glm::vec3(1.0f)}};
  scene.sky.zenith = glm::vec3(3.0f);
  return scene;
}

TEST(ReplaceSky, NoneLeavesLampsAlone) {
  HostScene scene = lit_scene();
  replace_sky({.kind = SkyKind::kNone, .file = {}}, scene);
  EXPECT_FALSE(summarize(scene).has_sky);
  EXPECT_EQ(scene.delta_lights.size(), 1u);
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(ReplaceSky, SaysThatNoLightIsLeft) {
  HostScene scene = lit_scene();
  scene.delta_lights.clear();
  replace_sky({.kind = SkyKind::kNone, .file = {}}, scene);
  EXPECT_THAT(scene.warnings, testing::ElementsAre(HasSubstr("without any light")));
}

TEST(ReplaceSky, SoftIsTheSkyOfModelsWithoutLight) {
  HostScene scene = lit_scene();
  replace_sky({.kind = SkyKind::kSoft, .file = {}}, scene);
  EXPECT_EQ(scene.sky.zenith, soft_sky().zenith);
  EXPECT_TRUE(scene.environment.image.pixels.empty());
}

TEST(ReplaceSky, SunStandsFortyFiveDegreesHighBeforeTheModel) {
  HostScene scene = lit_scene();
  replace_sky({.kind = SkyKind::kSun, .file = {}}, scene);
  ASSERT_EQ(scene.delta_lights.size(), 2u);
  const DeltaLight& sun = scene.delta_lights.back();
  expect_near(sun.direction, -glm::normalize(glm::vec3(0.0f, 1.0f, 1.0f)), 1e-6f);
  EXPECT_GT(sun.intensity.x, 1.0f);  // bright enough for an image at exposure 0
  EXPECT_LT(sun.intensity.x, 5.0f);
  EXPECT_FALSE(scene.environment.image.pixels.empty());
}

glm::vec3 to_sun_of(const std::string& sky, HostScene scene) {
  replace_sky(parse_sky("--sky", sky), scene);
  return -scene.delta_lights.back().direction;
}

TEST(ReplaceSky, TurnsTheSunFromTheFrontTowardsTheRightAndUp) {
  const HostScene scene = lit_scene();
  const float half = std::sqrt(0.5f);
  expect_near(to_sun_of("sun:0", scene), {0, half, half}, 1e-6f);
  expect_near(to_sun_of("sun:90", scene), {half, half, 0}, 1e-6f);
  expect_near(to_sun_of("sun:-90:30", scene), {-std::sqrt(0.75f), 0.5f, 0}, 1e-6f);
  expect_near(to_sun_of("sun:12:90", scene), {0, 1, 0}, 1e-6f);
  HostScene low = scene;
  replace_sky(parse_sky("--sky", "sun:180:0.01"), low);
  for (const glm::vec3 pixel : low.environment.image.pixels)
    ASSERT_TRUE(std::isfinite(pixel.x + pixel.y + pixel.z) && pixel.y >= 0.0f);
}

TEST(ReplaceSky, RefusesASunThatDoesNotShine) {
  for (const char* text : {"sun:0:0", "sun:0:-5", "sun:0:90.1", "sun:0:nan"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_sky("--sky", text); }),
                HasSubstr("the elevation of"));
  for (const char* text : {"sun:inf", "sun:1e6:30"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_sky("--sky", text); }),
                HasSubstr("the azimuth of"));
}

/// Models that face -z were lit from behind.
TEST(ReplaceSky, PutsTheSunOnTheSideFromWhichAModelIsSeen) {
  HostScene scene = lit_scene();
  scene.camera_origin = CameraOrigin::kFramed;
  scene.camera.look_at = {};
  scene.camera.position = {2, 1, 4};
  EXPECT_GT(to_sun_of("sun", scene).z, 0.7f);
  scene.camera.position = {-2, 1, -4};
  EXPECT_LT(to_sun_of("sun", scene).z, -0.7f);
  EXPECT_GT(to_sun_of("sun:0", scene).z, 0.7f) << "the user has said where";
  scene.camera.position = {-5, 1, 0};
  EXPECT_LT(to_sun_of("sun", scene).x, -0.7f);
  scene.camera_origin = CameraOrigin::kTarget;
  EXPECT_GT(to_sun_of("sun", scene).z, 0.7f);
}

using SkyFile = WinnowTest;

TEST_F(SkyFile, IsScaledAndTurnedAboutTheVertical) {
  write_image(file("sky.pfm"), {2, 1, {glm::vec3(1.0f), glm::vec3(2.0f)}});
  HostScene scene = lit_scene();
  replace_sky({.kind = SkyKind::kFile, .file = file("sky.pfm"), .scale = 3.0f, .rotation = 90.0f},
              scene);
  EXPECT_EQ(scene.environment.image.pixels.at(1), glm::vec3(2.0f));
  EXPECT_EQ(scene.environment.scale, 3.0f);
  // Counter-clockwise seen from above: the middle of the map, +z, moves to +x.
  expect_near(scene.environment.to_world * glm::vec3(0, 0, 1), {1, 0, 0}, 1e-6f);
  EXPECT_EQ(scene.sky.zenith, glm::vec3(0.0f));
}

TEST_F(SkyFile, OfOneColourIsASkyWithoutAMap) {
  const glm::vec3 color(0.5f, 1.0f, 2.0f);
  write_image(file("sky.pfm"), {4, 2, std::vector(8, color)});
  HostScene scene = lit_scene();
  replace_sky({.kind = SkyKind::kFile, .file = file("sky.pfm"), .scale = 3.0f}, scene);
  EXPECT_TRUE(scene.environment.image.pixels.empty());
  for (const glm::vec3 part : {scene.sky.zenith, scene.sky.horizon, scene.sky.ground})
    EXPECT_EQ(part, 3.0f * color);
}

TEST_F(SkyFile, ThatIsMissingIsAnErrorThatNamesIt) {
  for (const char* command : {"render", "info", "bench"})
    expect_failure(1, {command, kCornellBox, "--sky", "none.hdr"}, "none.hdr: ");
  expect_failure(2, {"info", kCornellBox, "--sky", "night"}, "--sky: \"night\" is not none, soft");
}

TEST_F(SkyFile, IsNotOverwrittenByTheImage) {
  write_image(file("a.exr"), {2, 1, {glm::vec3(1.0f), glm::vec3(2.0f)}});
  expect_failure(2, {"render", kCornellBox, "--sky", "a.exr", "-o", "a.exr"}, "is an input");
}

TEST_F(SkyFile, ReplacesTheSkyInEveryCommandThatReadsAScene) {
  EXPECT_THAT(succeed({"info", kCornellBox}).out, testing::Not(HasSubstr("environment map")));
  succeed({"convert", kCornellBox, "sunny.json", "--sky", "sun"});
  EXPECT_EQ(json("sunny.json")["lights"].size(), 1u);
  EXPECT_EQ(json("sunny.json")["sky"]["file"], "sunny-sky.exr");
}

}  // namespace
}  // namespace winnow
