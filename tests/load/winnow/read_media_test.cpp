// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "load/winnow/winnow_json.h"
#include "scene/scene_hash.h"
#include "scene/scene_summary.h"
#include "scene/spectra/spectrum.h"
#include "tests/load/volumes/support/vol_file.h"
#include "tests/support/expect_near.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

class ReadMedia : public SceneFiles {
 protected:
  /// A ball of the material "m".
  static std::string ball(const std::string& media, const std::string& material,
                          const std::string& camera = "") {
    return R"({"media": {)" + media + R"(}, "materials": {"m": {)" + material +
           R"(}}, "shapes": [{"type": "sphere", "material": "m", "radius": 1}],
           "camera": {"position": [0, 0, 5], "look_at": [0, 0, 0])" +
           camera + R"(}, "sky": {"radiance": 1}})";
  }
};

const std::string kTwoMedia = R"(
    "fog": {"extinction": [2, 4, 8], "albedo": [0.5, 0.25, 1], "asymmetry": -0.3},
    "ink": {"absorption": [0.1, 2.3, 0.7]})";

TEST_F(ReadMedia, AreOnBothSidesOfAMaterialAndAroundTheCamera) {
  const HostScene scene =
      load("s.json", ball(kTwoMedia, R"("type": "null", "interior": "ink", "exterior": "fog")",
                          R"(, "medium": "fog")"));
  ASSERT_EQ(scene.media.size(), 2u);
  EXPECT_EQ(scene.media[0],
            (Medium{.absorption = {1, 3, 0}, .scattering = {1, 1, 8}, .asymmetry = -0.3f}));
  EXPECT_EQ(scene.media[1], (Medium{.absorption = {0.1f, 2.3f, 0.7f}}));
  const Material& material = scene.materials[0];
  EXPECT_EQ(material.type, MaterialType::kNull);
  EXPECT_TRUE(material.bounds_media);
  EXPECT_EQ(material.interior, 1u);
  EXPECT_EQ(material.exterior, 0u);
  EXPECT_EQ(scene.camera_medium, 0u);
  EXPECT_THAT(summary_text(scene),
              testing::HasSubstr("2, 1 of them scatter; the camera is in one"));
}

TEST_F(ReadMedia, WritesWhatReadsAsTheSameMedia) {
  for (const char* sides : {R"("interior": "ink")", R"("exterior": "fog")", R"("interior": null)",
                            R"("interior": "fog", "exterior": "fog")"})
    for (const char* camera : {"", R"(, "medium": "ink")"}) {
      SCOPED_TRACE(sides);
      const HostScene scene =
          load("a.json", ball(kTwoMedia, R"("type": "dielectric", )" + std::string(sides), camera));
      write_winnow_json(folder_ / "b.json", scene);
      const HostScene again = load_scene(folder_ / "b.json");
      EXPECT_EQ(again.media, scene.media);
      EXPECT_EQ(again.camera_medium, scene.camera_medium);
      EXPECT_TRUE(again.materials[0].bounds_media);
      EXPECT_EQ(again.materials[0].interior, scene.materials[0].interior);
      EXPECT_EQ(again.materials[0].exterior, scene.materials[0].exterior);
    }
}

TEST_F(ReadMedia, LeaveMaterialsWithoutThemAlone) {
  const HostScene scene = load("s.json", ball(kTwoMedia, R"("type": "dielectric")"));
  EXPECT_FALSE(scene.materials[0].bounds_media);
  EXPECT_EQ(scene.camera_medium, kNoMedium);
}

TEST_F(ReadMedia, SaysWhatIsWrong) {
  const std::string kGlass = R"("type": "dielectric")";
  const std::pair<std::string, std::string> kMistakes[] = {
      {ball(R"("a": {"extinction": 1, "albedo": 1, "scattering": 1})", kGlass),
       "/media/a: expected either"},
      {ball(R"("a": {"extinction": 1})", kGlass), "albedo"},
      {ball(R"("a": {"extinction": 1, "albedo": 1.5})", kGlass), "/media/a/albedo"},
      {ball(R"("a": {"absorption": -1})", kGlass), "/media/a/absorption"},
      {ball(R"("a": {"asymmetry": 1})", kGlass), "/media/a/asymmetry"},
      {ball(R"("a": {"g": 1})", kGlass), "/media/a"},
      {ball(kTwoMedia, kGlass + R"(, "interior": "frog")"), "unknown medium \"frog\""},
      {ball(kTwoMedia, kGlass + R"(, "interior": 3)"), "/materials/m/interior"},
      {ball(kTwoMedia, kGlass, R"(, "medium": "frog")"), "/camera/medium"}};
  for (const auto& [scene, message] : kMistakes)
    EXPECT_THAT(error_of("s.json", scene), testing::HasSubstr(message));
}

/// A medium with the densities that `density` describes.
std::string smoke_of(const std::string& name, const std::string& density) {
  return '"' + name + R"(": {"extinction": 2, "albedo": 0.5, "density": {)" + density + "}}";
}

const std::string kInSmoke = R"("type": "null", "interior": "smoke")";

TEST_F(ReadMedia, HaveDensitiesWithXFastest) {
  const HostScene scene =
      load("s.json", ball(smoke_of("smoke", R"("size": [2, 3, 4], "border": "clamp",
                    "values": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18,
                               19, 20, 21, 22, 23], "transform": [{"scale": [2, 1, -1]},
                    {"translate": [0, 0, 3]}])"),
                          kInSmoke));
  ASSERT_EQ(scene.grids.size(), 1u);
  EXPECT_EQ(scene.grids[0].size, glm::uvec3(2, 3, 4));
  EXPECT_EQ(scene.grids[0].border, GridBorder::kClamp);
  EXPECT_EQ(scene.grids[0].sample({1, 0, 0}), 1.0f);
  EXPECT_EQ(scene.grids[0].sample({0, 1, 0}), 2.0f);
  EXPECT_EQ(scene.grids[0].sample({0, 0, 1}), 6.0f);
  ASSERT_EQ(scene.grid_placements.size(), 1u);
  expect_near(scene.grid_placements[0].to_world * glm::vec4(1, 1, 1, 1), {2, 1, 2});
  EXPECT_THAT(summary_text(scene), testing::HasSubstr("2 x 3 x 4, 1 of 1 bricks stored, 2.9 KiB"));
}

TEST_F(ReadMedia, ShareTheGridOfAFileAndAreWrittenAsTheyWereRead) {
  write("a.vol", vol_file(1, 1, vol_floats({1, 5})));
  const HostScene scene =
      load("s.json", ball(kTwoMedia + ',' + smoke_of("smoke", R"("file": "a.vol")") + ',' +
                              smoke_of("steam", R"("file": "a.vol", "transform": [{"scale": 2}])"),
                          kInSmoke));
  EXPECT_EQ(scene.grids.size(), 1u);
  ASSERT_EQ(scene.grid_placements.size(), 4u);
  EXPECT_EQ(scene.grid_placements[1].grid, GridPlacement::kNone);
  EXPECT_EQ(scene.grid_placements[2].grid, scene.grid_placements[3].grid);
  write_winnow_json(folder_ / "b.json", scene);
  const HostScene again = load_scene(folder_ / "b.json");
  EXPECT_EQ(again.grids, scene.grids);
  EXPECT_EQ(again.grid_placements, scene.grid_placements);
  EXPECT_EQ(scene_hash(again), scene_hash(scene));
  EXPECT_EQ(winnow_json_grids(folder_ / "b.json", scene), std::vector{folder_ / "b-grid-0.vol"});
}

TEST_F(ReadMedia, SaysWhatIsWrongWithDensities) {
  write("coloured.vol", vol_file(1, 3, vol_floats({1, 2, 3, 4, 5, 6})));
  write("short.vol", vol_file(1, 1, vol_floats({1})));
  write("negative.vol", vol_file(1, 1, vol_floats({1, -1})));
  write("smoke.vdb", "");
  const std::pair<const char*, const char*> kMistakes[] = {
      {R"("size": [1, 1, 1])", "expected either"},
      {R"("values": [1])", "size"},
      {R"("size": [1, 1], "values": [1])", "/media/smoke/density/size: expected three numbers"},
      {R"("size": [1, 2, 1], "values": [1])", "density/values: expected 2 numbers"},
      {R"("size": [10000, 10000, 10000], "values": [1])", "expected 1000000000000 numbers"},
      {R"("size": [0, 1, 1], "values": [])", "density/size/0"},
      {R"("size": [1, 1, 1], "values": [-1])", "density/values/0"},
      {R"("size": [1, 1, 1], "values": [1], "file": "a.vol")", "expected either"},
      {R"("size": [1, 1, 1], "values": [1], "border": "wrap")", "density/border"},
      {R"("size": [1, 1, 1], "values": [1], "transform": [{"scale": [1, 0, 1]}])", "scale"},
      {R"("size": [1, 1, 1], "values": [1], "colour": 1)", "colour"},
      {R"("file": "coloured.vol")", "one channel, found 3"},
      {R"("file": "short.vol")", "truncated"},
      {R"("file": "negative.vol")", "found -1 at (1, 0, 0)"},
      {R"("file": "smoke.vdb")", "smoke.vdb: "},
      {R"("file": "none.vol")", "none.vol"}};
  for (const auto& [density, message] : kMistakes)
    EXPECT_THAT(error_of("s.json", ball(smoke_of("smoke", density), kInSmoke)),
                testing::HasSubstr(message));
}

/// Smoke that emits.
std::string glowing(const std::string& emission) {
  return R"("smoke": {"absorption": 2, "emission": )" + emission + "}";
}

const std::string kTwoValues = R"({"size": [2, 1, 1], "values": [0.5, 2]})";

TEST_F(ReadMedia, EmitARadianceEverywhereOrInProportionToAGrid) {
  const HostScene scene =
      load("s.json", ball(kTwoMedia + "," +
                              glowing(R"([{"radiance": [1, 2, 3]}, {"radiance": 4, "values": )" +
                                      kTwoValues + "}]"),
                          kInSmoke));
  ASSERT_EQ(scene.emission.size(), 2u);
  EXPECT_EQ(scene.emission[0],
            (EmissionPart{.medium = 2, .placement = {}, .radiances = {{0, 0, 0}, {1, 2, 3}}}));
  EXPECT_EQ(scene.emission[1].medium, 2u);
  EXPECT_EQ(scene.emission[1].placement.grid, 0u);
  EXPECT_EQ(scene.emission[1].step, 2.0f);
  EXPECT_EQ(scene.emission[1].radiances, (std::vector<glm::vec3>{glm::vec3(0), glm::vec3(8)}));
  EXPECT_TRUE(scene.grid_placements.empty());
  EXPECT_TRUE(summarize(scene).has_light());
  EXPECT_THAT(summary_text(scene), testing::HasSubstr("3, 1 of them scatter, 1 emit"));
}

TEST_F(ReadMedia, EmitAsBlackBodiesOfTheTemperaturesOfAGrid) {
  const HostScene scene =
      load("s.json", ball(glowing(R"({"temperature": )" + kTwoValues +
                                  R"(, "kelvin": 1500, "offset": 0.2, "radiance": [2, 2, 1]})"),
                          kInSmoke));
  ASSERT_EQ(scene.emission.size(), 1u);
  const EmissionPart& part = scene.emission[0];
  ASSERT_GT(part.radiances.size(), 100u);
  const float last = float(part.radiances.size() - 1);
  EXPECT_FLOAT_EQ(part.step * last, 2.0f);
  expect_near(part.radiances.back(),
              glm::vec3(2, 2, 1) * rgb_of_black_body_over_maximum(1.8f * 1500.0f), 1e-4f);
  EXPECT_EQ(part.radiances[0], glm::vec3(0.0f)) << "the offset is above it";
}

TEST_F(ReadMedia, WriteWhatTheyEmit) {
  const HostScene scene = load(
      "s.json",
      ball(glowing(R"([{"temperature": )" + kTwoValues +
                   R"(, "kelvin": 1500}, {"radiance": [1, 2, 3], "factors": )" + kTwoValues + "}]"),
           kInSmoke));
  EXPECT_EQ(scene.emission.at(0).factors.grid, GridPlacement::kNone);
  EXPECT_EQ(scene.emission.at(1).factors.grid, 1u);
  HostScene moved = scene;
  moved.emission[1].factors.to_world[3].x = 1.0f;
  EXPECT_NE(scene_hash(moved), scene_hash(scene));
  write_winnow_json(folder_ / "b.json", scene);
  EXPECT_EQ(load_scene(folder_ / "b.json").emission, scene.emission);
}

TEST_F(ReadMedia, HaveFactorsOfScatteringForAllChannelsOrForEachOne) {
  const std::string kHalf = R"({"size": [1, 1, 1], "values": [0.5]})",
                    kOne = R"({"size": [1, 1, 1], "values": [1]})";
  const auto smoke = [](const std::string& factors) {
    return R"("smoke": {"scattering": 2, "scattering_factors": )" + factors + "}";
  };
  const auto values = [](const HostScene& scene) {
    glm::vec3 result;
    for (size_t channel = 0; channel < 3; ++channel)
      result[int(channel)] =
          scene.grids.at(scene.scattering_factors.at(0).channels[channel].grid).sample({0, 0, 0});
    return result;
  };
  const HostScene grey = load("s.json", ball(smoke(kHalf), kInSmoke)),
                  red = load("s.json",
                             ball(smoke("[" + kOne + "," + kHalf + "," + kHalf + "]"), kInSmoke));
  EXPECT_EQ(values(grey), glm::vec3(0.5f));
  EXPECT_EQ(values(red), glm::vec3(1.0f, 0.5f, 0.5f));
  EXPECT_EQ(grey.grids[0].border, GridBorder::kClamp);
  HostScene moved = red;
  moved.scattering_factors[0].channels[0].to_world[3].x = 1.0f;
  EXPECT_NE(scene_hash(moved), scene_hash(red));
  write_winnow_json(folder_ / "b.json", red);
  EXPECT_EQ(load_scene(folder_ / "b.json").scattering_factors, red.scattering_factors);
  const std::pair<std::string, std::string> kMistakes[] = {
      {"[" + kHalf + "]", "a grid for each of the three channels"},
      {R"({"size": [1, 1, 1], "values": [1.5]})", "expected factors from 0 to 1"},
      {R"({"size": [1, 1, 1], "values": [0.5], "border": "fade"})", R"(expected "clamp")"}};
  for (const auto& [factors, message] : kMistakes)
    EXPECT_THAT(error_of("s.json", ball(smoke(factors), kInSmoke)), testing::HasSubstr(message));
}

TEST_F(ReadMedia, SayWhatIsWrongWithTheirEmission) {
  const std::pair<std::string, std::string> kMistakes[] = {
      {R"({"radiance": -1})", "/media/smoke/emission/radiance"},
      {R"([{"radiance": 1}, {"glow": 1}])", "/media/smoke/emission/1"},
      {R"({"kelvin": 1000})", "emission/kelvin: expected a \"temperature\""},
      {R"({"values": )" + kTwoValues + R"(, "temperature": )" + kTwoValues + "}",
       "expected either"},
      {R"({"table": [1], "radiance": 1, "step": 1})", "expected no \"radiance\""},
      {R"({"table": [1]})", "step"},
      {R"({"table": [1], "step": 0})", "emission/step"},
      {R"({"table": [], "step": 1})", "emission/table: expected 1 to"},
      {R"({"temperature": {"size": [1, 1, 1], "values": [-5]}})", "temperature/values/0"}};
  for (const auto& [emission, message] : kMistakes)
    EXPECT_THAT(error_of("s.json", ball(glowing(emission), kInSmoke)), testing::HasSubstr(message));
}

}  // namespace
}  // namespace winnow
