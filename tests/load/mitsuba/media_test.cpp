// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cmath>

#include "load/mitsuba/convert.h"
#include "tests/load/volumes/support/vol_file.h"
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
  for (const auto& [bsdf, version] :
       {std::pair("", "0.6.0"), std::pair("<bsdf type='null'/>", "3.0.0")}) {
    const HostScene scene = load_objects(ball_with(kFogOfMitsuba + bsdf), version);
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

/// Mitsuba 2 and 3 give any shape without a BSDF the grey, one-sided default.
TEST_F(MitsubaMedium, FillsAGreyShapeInVersion3WithoutABsdf) {
  const HostScene scene = load_objects(ball_with(kFogOfMitsuba) + ball_with(""));
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  const Material& wall = scene.materials[scene.spheres.at(0).material];
  EXPECT_EQ(wall.type, MaterialType::kDiffuse);
  EXPECT_TRUE(wall.bounds_media);
  EXPECT_EQ(wall.interior, 0u);
  const Material& plain = scene.materials[scene.spheres.at(1).material];
  EXPECT_FALSE(plain.bounds_media);
  for (const Material& grey : {wall, plain}) EXPECT_EQ(grey.reflectance, glm::vec3(0.5f));
}

/// The faces of a mesh decide which side is inside, and a mirroring turns them, but not the
/// normals.
TEST_F(MitsubaMedium, IsOutsideOfAMirroredMesh) {
  const std::string mirror = "<transform name='to_world'><scale x='-1'/></transform>";
  auto has_medium_inside = [&](const std::string& type, const std::string& transform,
                               const std::string& version) {
    const HostScene scene = load_objects("<shape type='" + type + "'>" + kFogOfMitsuba + transform +
                                             "<bsdf type='dielectric'/></shape>",
                                         version);
    const Material& glass = scene.materials.at(scene.triangle_materials.at(0));
    EXPECT_NE(glass.interior == kNoMedium, glass.exterior == kNoMedium);
    EXPECT_EQ(scene.warnings.empty(), glass.exterior == kNoMedium);
    return glass.interior != kNoMedium;
  };
  for (const char* type : {"cube", "rectangle"}) {
    EXPECT_TRUE(has_medium_inside(type, "", "3.0.0"));
    EXPECT_FALSE(has_medium_inside(type, mirror, "3.0.0"));
    EXPECT_TRUE(has_medium_inside(type, mirror, "0.6.0"));
  }
  EXPECT_FALSE(has_medium_inside("cube", mirror, "2.1.0"));
  EXPECT_TRUE(has_medium_inside("rectangle", mirror, "2.1.0"));
  EXPECT_TRUE(has_medium_inside("disk", mirror, "3.0.0"));
}

/// Vertex normals decide which side of a face is seen, but not which side is inside.
TEST_F(MitsubaMedium, IsOutsideOfAMeshWhoseNormalsPointInwards) {
  const auto has_medium_inside = [&](const std::string& normal, bool is_mirrored,
                                     const std::string& version = "3.0.0") {
    write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n" +
                          (normal.empty() ? "f 1 2 3\n" : normal + "f 1//1 2//1 3//1\n"));
    const HostScene scene = load_objects(
        "<shape type='obj'><string name='filename' value='mesh.obj'/>" + kFogOfMitsuba +
            (is_mirrored ? "<transform name='to_world'><scale x='-1'/></transform>" : "") +
            "<bsdf type='dielectric'/></shape>",
        version);
    const Material& glass = scene.materials.at(scene.triangle_materials.at(0));
    EXPECT_NE(glass.interior == kNoMedium, glass.exterior == kNoMedium);
    return glass.interior != kNoMedium;
  };
  const std::string outward = "vn 0 0 1\n", inward = "vn 0 0 -1\n";
  EXPECT_TRUE(has_medium_inside("", false));
  EXPECT_TRUE(has_medium_inside("", true));
  EXPECT_TRUE(has_medium_inside(outward, false));
  EXPECT_FALSE(has_medium_inside(outward, true));
  EXPECT_FALSE(has_medium_inside(inward, false));
  EXPECT_TRUE(has_medium_inside(inward, true));
  EXPECT_TRUE(has_medium_inside(inward, false, "0.6.0"));
}

TEST_F(MitsubaMedium, IsSharedByReferencesAndSurroundsTheSensor) {
  const std::string kExterior = "<ref name='exterior' id='fog'/>";
  const HostScene scene = load_objects(
      kFogOfMitsuba + "<bsdf type='dielectric' id='glass'/>" +
      ball_with(kExterior + "<ref id='glass'/>") + ball_with("<ref id='glass'/>") +
      ball_with("<ref name='interior' id='fog'/><ref id='glass'/>") +
      ball_with("<ref id='glass'/>" + kExterior) +
      "<sensor type='perspective'><float name='fov' value='40'/><ref id='fog'/></sensor>");
  EXPECT_THAT(
      scene.warnings,
      testing::ElementsAre(
          testing::HasSubstr("far_clip hides all that is behind it"),
          testing::HasSubstr("light from infinity reaches a sensor in a medium only from")));
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

std::string smoke(const std::string& density, const std::string& others = "") {
  return "<medium type='heterogeneous' name='interior'><volume name='sigma_t' type='gridvolume'>"
         "<string name='filename' value='smoke.vol'/>" +
         density +
         "</volume><rgb name='albedo' value='0.5, 0.25, 1'/><float name='scale' value='10'/>" +
         others + "</medium><bsdf type='null'/>";
}

TEST_F(MitsubaMedium, HasTheGridOfItsExtinctionInTheUnitCubeByItsTransform) {
  write("smoke.vol", vol_file(1, 1, vol_floats({1, 5, 0, 2, 3, 4}), {3, 1, 2}));
  const HostScene scene = load_objects(ball_with(
      smoke("<transform name='to_world'><scale value='2'/><translate x='7'/></transform>")));
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  expect_near(scene.media.at(0).scattering, {5.0f, 2.5f, 10.0f});
  expect_near(scene.media.at(0).absorption, {5.0f, 7.5f, 0.0f});
  ASSERT_EQ(scene.grids.size(), 1u);
  EXPECT_EQ(scene.grids[0].size, glm::uvec3(3, 1, 2));
  EXPECT_EQ(scene.grids[0].border, GridBorder::kClamp);
  EXPECT_EQ(scene.grids[0].sample({1, 0, 0}), 5.0f);
  EXPECT_EQ(scene.grids[0].sample({2, 0, 1}), 4.0f);
  const glm::mat4x3 placed = scene.grid_placements.at(0).to_world;
  expect_near(placed * glm::vec4(0, 0, 0, 1), {7, 0, 0});
  expect_near(placed * glm::vec4(1, 1, 1, 1), {9, 2, 2});
}

TEST_F(MitsubaMedium, HasTheGridInTheBoxOfItsFileIfItSaysSo) {
  const std::string box = vol_floats({-1, 0, 2, 3, 8, 4});
  write("smoke.vol", vol_file(1, 1, vol_floats({1}), {1, 1, 1}, box));
  const std::string by_version =
      "<medium type='heterogeneous' name='interior'><volume name='density' type='gridvolume'>"
      "<string name='filename' value='smoke.vol'/></volume></medium><bsdf type='null'/>";
  for (const HostScene& scene :
       {load_objects(ball_with(smoke("<boolean name='use_grid_bbox' value='true'/>"))),
        load_objects(ball_with(by_version), "0.6.0")}) {
    const glm::mat4x3 placed = scene.grid_placements.at(0).to_world;
    expect_near(placed * glm::vec4(0, 0, 0, 1), {-1, 0, 2});
    expect_near(placed * glm::vec4(1, 1, 1, 1), {3, 8, 4});
  }
}

TEST_F(MitsubaMedium, HasTheMeanColorOfAGridOfColors) {
  write("smoke.vol", vol_file(1, 3, vol_floats({1, 2, 3, 5, 6, 7})));
  const HostScene scene = load_objects(ball_with(smoke("")));
  expect_warnings(scene, {"colours of an extinction that varies become their mean"});
  expect_near(scene.media.at(0).scattering, {3.75f, 2.5f, 12.5f});
  EXPECT_EQ(scene.grids.at(0).sample({0, 0, 0}), 2.0f);
  EXPECT_EQ(scene.grids[0].sample({1, 0, 0}), 6.0f);
}

/// Between two samples there is a step of an eighth of a cell.
TEST_F(MitsubaMedium, HasCellsOfOneValueByTheNearestFilter) {
  write("smoke.vol", vol_file(1, 1, vol_floats({1, 5})));
  const HostScene scene =
      load_objects(ball_with(smoke("<string name='filter_type' value='nearest'/>")));
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  const DensityGrid& grid = scene.grids.at(0);
  EXPECT_EQ(grid.size, glm::uvec3(16, 8, 8));
  EXPECT_EQ(grid.sample({7, 3, 3}), 1.0f);
  EXPECT_EQ(grid.sample({8, 7, 0}), 5.0f);
}

TEST_F(MitsubaMedium, RepeatsItsGridIfItSaysSo) {
  write("smoke.vol", vol_file(1, 1, vol_floats({1, 5})));
  const HostScene scene =
      load_objects(ball_with(smoke("<string name='wrap_mode' value='repeat'/>")));
  EXPECT_EQ(scene.warnings, std::vector<std::string>());
  EXPECT_EQ(scene.grids.at(0).border, GridBorder::kRepeat);
}

/// The unit square, turned by 45 degrees, is in a square of twice its area, whose diagonals are two
/// sides long. A cell becomes 17 x 65 cells.
TEST_F(MitsubaMedium, ContinuesATurnedGridToTheBoxAroundIt) {
  write("smoke.vol", vol_file(1, 1, vol_floats({1, 2, 3, 4}), {4, 1, 1}));
  const std::string kTurn = "<transform name='to_world'><rotate z='1' angle='45'/></transform>";
  const std::pair<const char*, std::vector<float>> kWraps[] = {
      {"clamp", {1, 1, 1, 2, 3, 4, 4, 4}},
      {"mirror", {2, 1, 1, 2, 3, 4, 4, 3}},
      {"repeat", {3, 4, 1, 2, 3, 4, 1, 2}}};
  for (const auto& [wrap, expected] : kWraps) {
    const HostScene scene =
        load_objects(ball_with(smoke(kTurn + "<string name='wrap_mode' value='" + wrap + "'/>")));
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    const DensityGrid& grid = scene.grids.at(0);
    constexpr uint32_t kBesideX = 2 * 17, kBesideY = 33;
    ASSERT_EQ(grid.size, glm::uvec3(4 * 17 + 2 * kBesideX, 65 + 2 * kBesideY, 1));
    for (uint32_t x = 0; x < 8; ++x)
      EXPECT_NEAR(grid.sample({17 * x + 8, kBesideY + 32, 0}), expected[x], 1e-5f) << wrap << x;
    uint32_t filled = 0;
    for (uint32_t y = 0; y < grid.size.y; ++y)
      for (uint32_t x = 0; x < grid.size.x; ++x) filled += grid.sample({x, y, 0}) > 0.0f;
    EXPECT_NEAR(float(filled) / (4 * 17 * 65), 2.0f, 0.05f) << wrap;
    // The samples of the file stay where they are.
    const glm::mat4x3 placed = scene.grid_placements.at(0).to_world;
    const glm::vec3 cells(grid.size), first(kBesideX, kBesideY, 0), last = cells - first;
    expect_near(placed * glm::vec4(first / cells, 1), {0, 0, 0}, 1e-5f);
    expect_near(placed * glm::vec4(last / cells, 1), {0, std::sqrt(2.0f), 1}, 1e-5f);
  }
}

TEST_F(MitsubaMedium, HasNoMoreCellsThanItsFileIfItsGridIsNotTurned) {
  write("smoke.vol", vol_file(1, 1, std::string(4 * 256, '\0'), {256, 1, 1}));
  const std::string kFar =
      "<transform name='to_world'><scale value='0.7'/><rotate z='1' angle='90'/>"
      "<translate x='100.3' y='1.2' z='1050.1'/></transform>";
  EXPECT_EQ(load_objects(ball_with(smoke(kFar))).grids.at(0).size, glm::uvec3(256, 1, 1));
}

TEST_F(MitsubaMedium, IsEvenInTheBoxOfANumberIfItIsHeterogeneous) {
  const std::string kEnd = "</medium><bsdf type='null'/>";
  const std::string kMedium = "<medium type='heterogeneous' name='interior'>";
  const std::pair<std::string, float> kExtinctions[] = {
      {"", 1.0f},
      {"<float name='sigma_t' value='2'/>", 1.0f},
      {"<volume name='sigma_t' type='constvolume'><float name='value' value='2'/>"
       "<transform name='to_world'><scale value='3'/></transform></volume>",
       3.0f}};
  for (const auto& [extinction, side] : kExtinctions) {
    const HostScene scene = load_objects(ball_with(kMedium + extinction + kEnd));
    EXPECT_EQ(scene.warnings, std::vector<std::string>());
    EXPECT_EQ(scene.grids.at(0).sample({0, 0, 0}), 1.0f);
    expect_near(scene.grid_placements.at(0).to_world * glm::vec4(1, 1, 1, 1), glm::vec3(side));
  }
  EXPECT_TRUE(load_objects(ball_with(kMedium + kEnd), "0.6.0").grids.empty());
}

TEST_F(MitsubaMedium, HasAnAlbedoThatVariesAsFactorsOfTheLargestOne) {
  write("smoke.vol", vol_file(1, 1, vol_floats({1, 5})));
  write("albedo.vol", vol_file(1, 1, vol_floats({0.2f, 0.8f})));
  write("colours.vol", vol_file(1, 3, vol_floats({0.2f, 0.5f, 0, 0.4f, 0.1f, 2})));
  const auto volume = [](const std::string& name, const std::string& file) {
    return "<volume type='gridvolume' name='" + name + "'><string name='filename' value='" + file +
           ".vol'/></volume>";
  };
  for (const char* type : {"heterogeneous", "homogeneous"}) {
    const std::string medium = "<medium name='interior' type='" + std::string(type) + "'>",
                      smoke = type[1] == 'e' ? volume("sigma_t", "smoke") : "";
    const HostScene grey =
        load_objects(ball_with(medium + volume("albedo", "albedo") + smoke + "</medium>"));
    EXPECT_EQ(grey.warnings, std::vector<std::string>());
    expect_near(grey.media.at(0).scattering, glm::vec3(0.8f));
    expect_near(grey.media[0].absorption, glm::vec3(0.2f));
    const ScatteringFactors factors = grey.scattering_factors.at(0);
    EXPECT_EQ(factors.channels[0], factors.channels[2]);
    EXPECT_EQ(grey.grids.at(factors.channels[1].grid).sample({0, 0, 0}), 0.25f);
    EXPECT_EQ(grey.grids[factors.channels[1].grid].sample({1, 0, 0}), 1.0f);
    const HostScene colored =
        load_objects(ball_with(medium + volume("albedo", "colours") + smoke + "</medium>"));
    expect_near(colored.media.at(0).scattering, {0.4f, 0.5f, 1.0f});
    const auto at = [&](size_t channel, uint32_t x) {
      const uint32_t grid = colored.scattering_factors.at(0).channels[channel].grid;
      return colored.grids.at(grid).sample({x, 0, 0});
    };
    expect_near({at(0, 0), at(1, 0), at(2, 0)}, {0.5f, 1.0f, 0.0f});
    expect_near({at(0, 1), at(1, 1), at(2, 1)}, {1.0f, 0.2f, 1.0f});
  }
  const std::string kCoefficients =
      "<medium type='homogeneous' name='interior'><float name='sigma_s' value='2'/>" +
      volume("albedo", "albedo");
  EXPECT_TRUE(load_objects(ball_with(kCoefficients + "</medium>")).scattering_factors.empty());
}

TEST_F(MitsubaMedium, SaysThatAnAlbedoDoesNotRepeatBeyondItsBox) {
  write("albedo.vol", vol_file(1, 1, vol_floats({0.2f, 0.8f})));
  const std::string file =
                        "<string name='filename' value='albedo.vol'/>"
                        "<string name='wrap_mode' value='repeat'/></volume>",
                    albedo = "<volume name='albedo' type='gridvolume'>" + file,
                    density = "<volume name='sigma_t' type='gridvolume'>" + file;
  const auto medium = [](const std::string& type, const std::string& volumes) {
    return ball_with("<medium name='interior' type='" + type + "'>" + volumes + "</medium>");
  };
  expect_warnings(load_objects(medium("homogeneous", albedo)), {"does not repeat beyond its box"});
  EXPECT_EQ(load_objects(medium("heterogeneous", albedo + density)).warnings,
            std::vector<std::string>());
}

TEST_F(MitsubaMedium, RefusesAGridByItsReason) {
  const std::pair<std::string, const char*> kScenes[] = {
      {smoke("<transform name='to_world'><scale x='0'/></transform>"), "is flat"},
      {smoke("<transform name='to_world'><scale value='1e12'/></transform>"), "farther away"}};
  write("smoke.vol", vol_file(1, 1, vol_floats({1, 5})));
  for (const auto& [parts, reason] : kScenes)
    EXPECT_THAT(message_of([&] { load_objects(ball_with(parts)); }), testing::HasSubstr(reason));
  write("smoke.vol", vol_file(1, 1, vol_floats({1, -5})));
  EXPECT_THAT(
      message_of([&] { load_objects(ball_with(smoke(""))); }),
      testing::AllOf(testing::HasSubstr("s.xml"), testing::HasSubstr("found -5 at (1, 0, 0)")));
  const std::string kAlbedo =
      "<medium type='homogeneous' name='interior'><volume name='albedo' type='gridvolume'>"
      "<string name='filename' value='smoke.vol'/></volume></medium>";
  EXPECT_THAT(message_of([&] { load_objects(ball_with(kAlbedo)); }),
              testing::HasSubstr("values of an albedo from 0 to 1, found -5"));
}

TEST_F(MitsubaMedium, IsLeftOutByNameIfItIsOfAnotherType) {
  const std::string balls =
      "<shape type='sphere'/>" + ball_with("<medium type='glitter' name='interior'/>");
  const HostScene old = load_objects(balls, "0.6.0"), grey = load_objects(balls);
  EXPECT_EQ(old.spheres.size(), 1u);
  expect_warnings(old, {"\"glitter\" is left out", "left out with its medium"});
  EXPECT_EQ(grey.spheres.size(), 2u);
  expect_warnings(grey, {"\"glitter\" is left out"});
  const HostScene rainbow = load_objects(
      ball_with("<medium type='homogeneous' name='interior'><phase type='rayleigh'/></medium>"));
  expect_warnings(rainbow, {"\"rayleigh\" becomes isotropic"});
}

}  // namespace
}  // namespace winnow
