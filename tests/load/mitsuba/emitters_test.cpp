// SPDX-License-Identifier: MIT
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "image/image_io.h"
#include "scene/optical_constants.h"
#include "scene/scene_bounds.h"
#include "tests/image/support/exr_files.h"
#include "tests/load/mitsuba/support/mitsuba_scenes.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using MitsubaEmitters = MitsubaScenes;

/// Flat lights of Mitsuba emit to the front; those of Winnow to both sides, hence the black back.
TEST_F(MitsubaEmitters, GivesAFlatLightABlackBack) {
  HostScene scene = load_objects(
      "<shape type='rectangle'><emitter type='area'><rgb name='radiance' value='1, 2, "
      "3'/></emitter>"
      "</shape>");
  ASSERT_EQ(scene.triangles.size(), 4u);
  EXPECT_EQ(scene.materials[scene.triangle_materials[0]].emission, glm::vec3(1, 2, 3));
  const Material& back = scene.materials[scene.triangle_materials[2]];
  EXPECT_EQ(back.emission, glm::vec3(0));
  EXPECT_EQ(back.reflectance, glm::vec3(0));
  float depth = scene.positions[scene.triangles[2].x].z;
  EXPECT_LT(depth, 0.0f);
  EXPECT_GT(depth, -1e-3f);
}

TEST_F(MitsubaEmitters, KeepsTheStrengthOfLights) {
  EXPECT_EQ(load_objects(kSphere + object("emitter", "constant", {"rgb radiance .5"})).sky.horizon,
            glm::vec3(0.5f));
  auto load_light = [&](const std::string& emitter) {
    const HostScene scene = load_objects(kSphere + emitter + "</emitter>");
    EXPECT_EQ(scene.delta_lights.size(), 1u);
    EXPECT_EQ(scene.spheres.size(), 1u);
    EXPECT_TRUE(scene.warnings.empty());
    return scene.delta_lights.at(0);
  };
  const DeltaLight point = load_light(
      "<emitter type='point'><point name='position' y='9'/><rgb name='intensity' value='3'/>");
  EXPECT_EQ(point.type, DeltaLightType::kPoint);
  EXPECT_EQ(point.position, glm::vec3(0, 9, 0));
  EXPECT_EQ(point.intensity, glm::vec3(3));

  const DeltaLight sun = load_light(
      "<emitter type='directional'><vector name='direction' y='-3'/>"
      "<rgb name='irradiance' value='2'/>");
  EXPECT_EQ(sun.type, DeltaLightType::kDirectional);
  EXPECT_EQ(sun.direction, glm::vec3(0, -1, 0));
  EXPECT_EQ(sun.intensity, glm::vec3(2));

  const DeltaLight spot = load_light(
      "<emitter type='spot'><transform name='to_world'><lookat origin='0,0,5' target='0,0,0' "
      "up='0,1,0'/></transform><rgb name='intensity' value='4'/>");
  EXPECT_EQ(spot.type, DeltaLightType::kSpot);
  expect_near(spot.position, {0, 0, 5});
  expect_near(spot.direction, {0, 0, -1});
  EXPECT_EQ(spot.cone_angle, 20.0f);
  EXPECT_EQ(spot.falloff_start, 15.0f);
}

/// +z is up before to_world, and sun_direction is in world space. The irradiance is that of Mitsuba
/// 3.9.1.
TEST_F(MitsubaEmitters, HasTheSunAndSkyOfMitsuba) {
  const std::string kDay = kSphere +
                           "<emitter type='sunsky'><vector name='sun_direction' y='1' "
                           "z='1'/><transform name='to_world'>";
  for (bool turned : {false, true}) {
    const HostScene scene = load_objects(kDay + (turned ? "<rotate x='1' angle='-90'/>" : "") +
                                         "</transform></emitter>");
    ASSERT_EQ(scene.delta_lights.size(), 1u);
    expect_near(scene.delta_lights[0].direction, {0, -0.70710678f, -0.70710678f});
    expect_near(scene.delta_lights[0].intensity, {1.46780f, 1.20590f, 0.88720f}, 0.005f);
    expect_near(scene.environment.to_world * glm::vec3(0, 1, 0),
                turned ? glm::vec3(0, 1, 0) : glm::vec3(0, 0, 1));
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
  }
}

TEST_F(MitsubaEmitters, PaintsNothingBelowTheHorizonOfASky) {
  const HostScene scene = load_objects(kSphere + object("emitter", "sunsky"));
  const Image& map = scene.environment.image;
  ASSERT_FALSE(map.pixels.empty());
  EXPECT_EQ(map.pixels.back(), glm::vec3(0.0f));
  EXPECT_GT(map.pixels.front().b, 0.0f);
  const HostScene sun = load_objects(kSphere + object("emitter", "sun"));
  EXPECT_TRUE(sun.environment.image.pixels.empty());
  EXPECT_EQ(sun.delta_lights.size(), 1u);
  EXPECT_EQ(sun.sky.ground, glm::vec3(0.0f));
}

/// Directions of Mitsuba 3.9.1.
TEST_F(MitsubaEmitters, PlacesTheSunByTimeAndPlace) {
  constexpr float kLastDigit = 1e-4f;
  const std::vector<std::string> kEurope = {"float hour 12", "float latitude 50",
                                            "float longitude 10", "float timezone 1"};
  auto to_sun = [&](const std::vector<std::string>& when, const std::string& version) {
    return -load_objects(kSphere + object("emitter", "sunsky", when), version)
                .delta_lights.at(0)
                .direction;
  };
  expect_near(to_sun({}, "3.0.0"), {0.0513854f, 0.691748f, 0.720308f}, kLastDigit);
  expect_near(to_sun(kEurope, "3.0.0"), {0.461925f, -0.102237f, 0.881007f}, kLastDigit);
  expect_near(to_sun(kEurope, "0.6.0"), {0.102237f, 0.881007f, 0.461925f}, kLastDigit);
  const HostScene night = load_objects(kSphere + object("emitter", "sunsky", {"float hour 23"}));
  EXPECT_TRUE(night.delta_lights.empty());
  EXPECT_NE(night.warnings.at(0).find("the sun is below the horizon"), std::string::npos);
}

// The values are those of Mitsuba 3.9.
TEST_F(MitsubaEmitters, ConvertsExrColorsWithoutAdaptationAndIgnoresTheDisplayWindow) {
  ExrPart map = exr_part(2, 1, {{"R", 1}, {"G", 1}, {"B", 1}});
  map.display = {0, 0, 3, 0};
  map.chromaticities = {0.713f, 0.293f, 0.165f, 0.83f, 0.128f, 0.044f, 0.32168f, 0.33767f};
  write("sky.exr", exr_bytes({map}));
  const HostScene scene = load_objects(
      kSphere + "<emitter type='envmap'><string name='filename' value='sky.exr'/></emitter>");
  EXPECT_EQ(scene.environment.image.width, 2u);
  expect_near(scene.environment.image.pixels.at(0), {1.0469f, 0.9943f, 0.9151f}, 1e-3f);
}

TEST_F(MitsubaEmitters, RotatesAndMirrorsAnEnvironmentMap) {
  write_image(folder_ / "sky.pfm", {2, 1, {{1, 2, 3}, {4, 5, 6}}});
  const std::string kMap =
      "<emitter type='envmap'><string name='filename' value='sky.pfm'/><float name='scale' "
      "value='3'/><transform name='to_world'><scale x='-1' y='1' z='1'/><rotate y='1' angle='90'/>"
      "</transform></emitter>";
  const HostScene scene = load_objects(kSphere + kMap);
  EXPECT_EQ(scene.environment.image.pixels[1], glm::vec3(4, 5, 6));
  EXPECT_EQ(scene.environment.scale, 3.0f);
  expect_near(scene.environment.to_world * glm::vec3(0, 0, 1), {1, 0, 0});
  expect_near(scene.environment.to_world * glm::vec3(1, 0, 0), {0, 0, 1});
  EXPECT_TRUE(scene.warnings.empty());
  EXPECT_EQ(load_objects(kSphere + kMap + "<emitter type='constant'/>").warnings.size(), 1u);

  std::string scaled = kMap;
  scaled.replace(scaled.find("x='-1'"), 6, "x='-2'");
  expect_warnings(load_objects(kSphere + scaled), {"the scale of an environment map is ignored"});

  std::filesystem::remove(folder_ / "sky.pfm");
  const HostScene missing = load_objects(kSphere + kMap);
  EXPECT_TRUE(missing.environment.image.pixels.empty());
  EXPECT_NE(missing.sky.zenith, glm::vec3(0));
  EXPECT_EQ(missing.warnings.size(), 1u);
}

}  // namespace
}  // namespace winnow
