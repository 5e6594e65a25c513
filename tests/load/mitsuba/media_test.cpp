// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <bit>

#include "base/limits.h"
#include "load/mitsuba/convert.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

const std::string kFogOfMitsuba = R"(<medium type="homogeneous" name="interior" id="fog">
    <rgb name="sigma_t" value="1, 2, 4"/><rgb name="albedo" value="0.5, 0.25, 1"/>
    <float name="scale" value="10"/><phase type="hg"><float name="g" value="0.7"/></phase></medium>)";
const std::string kMediumSky = "<emitter type='constant'/><integrator type='volpath'/>";

std::string ball_with(const std::string& parts) {
  return "<shape type='sphere'>" + parts + "</shape>";
}

class MitsubaMedium : public SceneFiles {
 protected:
  HostScene load_objects(const std::string& objects, const std::string& version = "3.0.0") const {
    return load("s.xml", "<scene version='" + version + "'>" + objects + kMediumSky + "</scene>");
  }
  /// The medium inside of a ball.
  Medium load_medium(const std::string& medium, const std::string& version = "3.0.0") const {
    return load_objects(ball_with(medium), version).media.at(0);
  }
};

TEST_F(MitsubaMedium, FillsAShapeWithoutSurface) {
  for (const char* bsdf : {"", "<bsdf type='null'/>"}) {
    const HostScene scene = load_objects(ball_with(kFogOfMitsuba + bsdf));
    if (std::string(bsdf).empty())
      expect_warnings(scene, {"no surface"});
    else
      EXPECT_EQ(scene.warnings, std::vector<std::string>());
    ASSERT_EQ(scene.media.size(), 1u);
    expect_near(scene.media[0].scattering, {5, 5, 40});
    expect_near(scene.media[0].absorption, {5, 15, 0});
    EXPECT_EQ(scene.media[0].asymmetry, 0.7f);
    const Material& boundary = scene.materials[scene.spheres.at(0).material];
    EXPECT_EQ(boundary.type, MaterialType::kNull);
    EXPECT_TRUE(boundary.bounds_media);
    EXPECT_EQ(boundary.interior, 0u);
    EXPECT_EQ(boundary.exterior, kNoMedium);
  }
}

TEST_F(MitsubaMedium, IsSharedByReferencesAndSurroundsTheSensor) {
  const std::string kExterior = "<ref name='exterior' id='fog'/>";
  const HostScene scene = load_objects(
      kFogOfMitsuba + "<bsdf type='dielectric' id='glass'/>" +
      ball_with(kExterior + "<ref id='glass'/>") + ball_with("<ref id='glass'/>") +
      ball_with("<ref name='interior' id='fog'/><ref id='glass'/>") +
      ball_with("<ref id='glass'/>" + kExterior) +
      "<sensor type='perspective'><float name='fov' value='40'/><ref id='fog'/></sensor>");
  EXPECT_THAT(scene.warnings, testing::ElementsAre(testing::HasSubstr(
                                  "light from infinity does not reach a sensor in a medium")));
  EXPECT_EQ(scene.media.size(), 1u);
  EXPECT_EQ(scene.camera_medium, 0u);
  ASSERT_EQ(scene.spheres.size(), 4u);
  auto material = [&](size_t ball) { return scene.materials[scene.spheres[ball].material]; };
  EXPECT_EQ(material(0).exterior, 0u);
  EXPECT_EQ(material(0).interior, kNoMedium);
  EXPECT_FALSE(material(1).bounds_media);
  EXPECT_EQ(material(2).interior, 0u);
  EXPECT_EQ(scene.spheres[3].material, scene.spheres[0].material);
  for (size_t ball = 0; ball < 4; ++ball) EXPECT_EQ(material(ball).type, MaterialType::kDielectric);
}

TEST_F(MitsubaMedium, HasTheCoefficientsOfOldFiles) {
  const Medium read = load_medium(
      "<medium type='homogeneous' name='interior'><spectrum name='sigmaS' value='2'/>"
      "<rgb name='sigmaA' value='1, 0.5, 0.25'/></medium>",
      "0.6.0");
  EXPECT_EQ(read, (Medium{.absorption = {1, 0.5f, 0.25f}, .scattering = {2, 2, 2}}));
  const Medium milk = load_medium(
      "<medium type='homogeneous' name='interior'><string name='material' value='Wholemilk'/>"
      "<float name='scale' value='100'/></medium>",
      "0.6.0");
  expect_near(milk.scattering, {255, 321, 377}, 1e-3f);
  expect_near(milk.absorption, {0.11f, 0.24f, 1.4f});
}

TEST_F(MitsubaMedium, HasTheDefaultsOfMitsuba) {
  const Medium read = load_medium("<medium type='homogeneous' name='interior'/>");
  expect_near(read.scattering, glm::vec3(0.75f));
  expect_near(read.absorption, glm::vec3(0.25f));
  EXPECT_EQ(read.asymmetry, 0.0f);
}

/// A .vol file.
std::string grid_file(uint32_t encoding, uint32_t channels, const std::string& values,
                      glm::uvec3 cells = {2, 1, 1}) {
  std::string bytes = std::string("VOL") + char(3);
  for (uint32_t word : {encoding, cells.x, cells.y, cells.z, channels, 0u, 0u, 0u, 0u, 0u, 0u})
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  return bytes + values;
}

std::string bytes_of_floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

TEST_F(MitsubaMedium, BecomesTheMeanOfItsGrid) {
  write("smoke.vol", grid_file(1, 1, bytes_of_floats({1.0f, 5.0f})));
  const HostScene scene = load_objects(ball_with(
      "<medium type='heterogeneous' name='interior'><volume name='sigma_t' type='gridvolume'>"
      "<string name='filename' value='smoke.vol'/></volume><volume name='albedo' "
      "type='constvolume'><float name='value' value='1'/></volume></medium>"));
  EXPECT_EQ(scene.media.at(0), (Medium{.scattering = glm::vec3(3.0f)}));
  expect_warnings(scene, {"a gridvolume becomes its mean", "no surface"});
  write("b.vol", grid_file(3, 3, "\xff\x01\x02\x01\xff\x02"));
  expect_near(mean_of_grid_volume(folder_ / "b.vol"), glm::vec3(128.0f, 128.0f, 2.0f) / 255.0f);
}

TEST_F(MitsubaMedium, RefusesABrokenGridByItsReason) {
  const std::pair<std::string, const char*> kFiles[] = {
      {"VOL", "truncated"},
      {"nothing of the kind", "expected a volume"},
      {grid_file(2, 1, ""), "the encoding 2"},
      {grid_file(1, 1, "", {uint32_t(kMaxVolumeSide) + 1, 1, 1}), "cells along an axis"},
      {grid_file(1, 1, "", {1, 0, 1}), "cells along an axis"},
      {grid_file(1, 1, "", {1u << 22, 1u << 21, 1u << 21}), "cells along an axis"},
      {grid_file(1, 2, ""), "2"},
      {grid_file(1, 1, bytes_of_floats({1.0f})), "truncated"},
      {grid_file(1, 1, bytes_of_floats({1.0f, -NAN})), "not a number"},
      {grid_file(1, 1, bytes_of_floats({1.0f, -3.0f})), "negative"}};
  for (const auto& [bytes, reason] : kFiles) {
    write("b.vol", bytes);
    EXPECT_THAT(message_of([&] { mean_of_grid_volume(folder_ / "b.vol"); }),
                testing::AllOf(testing::HasSubstr("b.vol"), testing::HasSubstr(reason)));
  }
}

TEST_F(MitsubaMedium, IsLeftOutByNameIfItIsOfAnotherType) {
  const HostScene scene = load_objects("<shape type='sphere'/>" +
                                       ball_with("<medium type='glitter' name='interior'/>"));
  EXPECT_EQ(scene.spheres.size(), 1u);
  expect_warnings(scene, {"\"glitter\" is left out", "left out with its medium"});
  const HostScene rainbow = load_objects(
      ball_with("<medium type='homogeneous' name='interior'><phase type='rayleigh'/></medium>"));
  expect_warnings(rainbow, {"\"rayleigh\" becomes isotropic", "no surface"});
}

}  // namespace
}  // namespace winnow
