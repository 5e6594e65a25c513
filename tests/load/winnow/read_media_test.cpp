// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "load/winnow/winnow_json.h"
#include "scene/scene_summary.h"
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

}  // namespace
}  // namespace winnow
