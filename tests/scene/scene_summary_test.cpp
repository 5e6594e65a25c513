// SPDX-License-Identifier: MIT
#include "scene/scene_summary.h"

#include <gtest/gtest.h>

#include "scene/mesh.h"
#include "scene/shapes.h"

namespace winnow {
namespace {

HostScene lit_box() {
  HostScene scene;
  scene.name = "lit-box";
  scene.materials = {{}, {.emission = {0.0f, 1.0f, 0.0f}}};
  add_mesh(scene, make_box({0, 0, 0}, {1, 2, 3}), glm::mat4(1.0f), 0);
  add_mesh(scene, make_rectangle({0, 3, 0}, {1, 0, 0}, {0, 0, 1}), glm::mat4(1.0f), 1);
  scene.spheres = {{{0, 0, 0}, 1.0f, 1}, {{5, 0, 0}, 1.0f, 0}};
  return scene;
}

TEST(SceneSummary, CountsWhatThereIs) {
  SceneSummary summary = summarize(lit_box());
  EXPECT_EQ(summary.vertices, 28u);
  EXPECT_EQ(summary.triangles, 14u);
  EXPECT_EQ(summary.emissive_triangles, 2u);
  EXPECT_EQ(summary.spheres, 2u);
  EXPECT_EQ(summary.emissive_spheres, 1u);
  EXPECT_EQ(summary.materials, 2u);
  EXPECT_FALSE(summary.has_sky);
  EXPECT_EQ(summary.bytes, 28 * 32 + 14 * 16 + 2 * sizeof(Sphere) + 2 * sizeof(Material));
}

TEST(SceneSummary, SaysItInLines) {
  std::string text = summary_text(lit_box());
  for (const char* line : {"scene       lit-box\n", "film        512 x 512\n",
                           "triangles   14, 2 of them emit\n", "spheres     2, 1 of them emit\n",
                           "bounds      (-1, -1, -1) to (6, 3, 3)\n", "sky         no\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "is missing in\n" << text;
}

TEST(SceneSummary, ReplacesControlCharactersOfFiles) {
  HostScene scene = lit_box();
  scene.description = "a\x1b[31mred\nsecond line" + std::string(10'000, 'x');
  const std::string text = summary_text(scene);
  EXPECT_NE(text.find("about       a?[31mred?second line"), std::string::npos) << text;
  EXPECT_LT(text.size(), 6000u);
}

TEST(SceneSummary, SaysWhatIsSpecialAboutCameraAndFilm) {
  HostScene scene = lit_box();
  auto expect_words = [&](const std::string& words) {
    EXPECT_NE(summary_text(scene).find(words), std::string::npos) << summary_text(scene);
  };
  expect_words("vertical field of view 40 degrees, pinhole\n");
  scene.camera.lens_radius = 0.25f;
  expect_words(", lens radius 0.25 m\n");
  scene.camera.blades = 6;
  scene.camera.projection = Projection::kOrthographic;
  scene.camera.view_height = 2.5f;
  expect_words(", orthographic, 2.5 m high, lens radius 0.25 m, 6 blades\n");
  scene.filter = {.type = FilterType::kBlackmanHarris, .radius = 2.0f};
  expect_words("512 x 512, blackman-harris filter of radius 2 pixels\n");
}

}  // namespace
}  // namespace winnow
