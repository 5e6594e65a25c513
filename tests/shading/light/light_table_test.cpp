// SPDX-License-Identifier: MIT
#include "shading/light/light_table.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

constexpr uint32_t kLamp = 0, kGray = 1;

/// A lamp of 2 m^2, one of no area, a triangle that does not shine, and a lamp of radius 0.5 m.
HostScene lamps_and_others() {
  HostScene scene;
  scene.materials = {{.emission = {1.0f, 1.0f, 1.0f}}, {}};
  scene.positions = {{0, 0, 0}, {2, 0, 0}, {0, 0, 2}, {1, 0, 0}};
  scene.triangles = {{0, 1, 2}, {0, 3, 1}, {0, 1, 3}, {1, 2, 3}};
  scene.triangle_materials = {kLamp, kLamp, kLamp, kGray};
  scene.spheres = {{.center = {0, 3, 0}, .radius = 0.5f, .material = kLamp},
                   {.center = {5, 3, 0}, .radius = 0.5f, .material = kGray}};
  return scene;
}

LightTable table_of(const HostScene& scene) {
  return build_light_table(scene, {}, LightChoice::kPower, kBasic);
}

TEST(LightTable, HoldsAllThatEmitsAndHasAnArea) {
  LightTable lights = table_of(lamps_and_others());
  ASSERT_EQ(lights.local.size(), 2u);
  EXPECT_EQ(lights.local[0].kind, LightKind::kTriangle);
  EXPECT_EQ(lights.local[0].p, glm::vec3(0.0f));
  EXPECT_EQ(lights.local[0].edge1, glm::vec3(2.0f, 0.0f, 0.0f));
  EXPECT_EQ(lights.local[0].edge2, glm::vec3(0.0f, 0.0f, 2.0f));
  EXPECT_EQ(lights.local[0].n, glm::vec3(0.0f, -1.0f, 0.0f));
  EXPECT_EQ(lights.local[1].kind, LightKind::kSphere);
  EXPECT_EQ(lights.local[1].p, glm::vec3(0.0f, 3.0f, 0.0f));
  EXPECT_EQ(lights.local[1].radius, 0.5f);
}

// Lambert's M = pi L: the triangle 2 sides x 2 m^2 x pi, the sphere pi m^2 x pi.
TEST(LightTable, WeighsLightsByPower) {
  LightTable lights = table_of(lamps_and_others());
  float triangle = 4.0f * kPi, sphere = kPi * kPi;
  EXPECT_NEAR(lights.total_power, triangle + sphere, 1e-4f);
  EXPECT_NEAR(lights.local[0].pmf, triangle / (triangle + sphere), 1e-6);
  ASSERT_EQ(lights.choices.size(), 4u);  // both lights, the sky and the end
  EXPECT_NEAR(lights.choices[1].begin * 0x1p-32, triangle / (triangle + sphere), 1e-6);
}

TEST(LightTable, ChoosesAFewSpheresByDistance) {
  const auto is_by_distance = [](const HostScene& scene, LightChoice by = LightChoice::kPower) {
    return build_light_table(scene, {}, by, kExtended).by_distance;
  };
  HostScene scene = lamps_and_others();
  scene.spheres[1].material = kLamp;
  EXPECT_FALSE(is_by_distance(scene));  // with a triangle
  scene.triangles.clear();
  EXPECT_TRUE(is_by_distance(scene));
  EXPECT_FALSE(is_by_distance(scene, LightChoice::kUniform));
  EXPECT_FALSE(is_by_distance(scene, LightChoice::kBvh));
  EXPECT_FALSE(table_of(scene).by_distance);  // with basic shading
  while (scene.spheres.size() <= kFewLights) scene.spheres.push_back(scene.spheres[0]);
  EXPECT_FALSE(is_by_distance(scene));
  scene.spheres.resize(1);
  EXPECT_FALSE(is_by_distance(scene));
}

// With neighbours side by side in the list, evenly distributed choices are evenly distributed in
// space.
TEST(LightTable, ListsNeighboursNextToEachOther) {
  HostScene scene;
  scene.materials = {{.emission = glm::vec3(1.0f)}};
  constexpr uint32_t kSide = 8, kCount = kSide * kSide;
  for (uint32_t i = 0; i < kCount; ++i) {  // in a grid, in an order without any
    const uint32_t cell = i * 37 % kCount;
    scene.spheres.push_back(
        {.center = {float(cell % kSide), 0.0f, float(cell / kSide)}, .radius = 0.1f});
  }
  const LightTable lights = build_light_table(scene, {}, LightChoice::kPower, kExtended);
  for (uint32_t first = 0; first < kCount; first += kCount / 4) {
    Bounds box;  // a quarter of the list, and of the grid
    for (uint32_t i = first; i < first + kCount / 4; ++i) box.extend(lights.local[i].p);
    EXPECT_EQ(box.size(), glm::vec3(kSide / 2 - 1, 0, kSide / 2 - 1));
  }
  for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(lights.light_of[lights.local[i].primitive], i);
}

TEST(LightTable, SplitsSamplesBetweenLocalLightsAndSky) {
  HostScene both = lamps_and_others();
  EXPECT_EQ(table_of(both).local_probability, 1.0f);
  both.sky.ground = {0.0f, 0.0f, 1.0f};
  EXPECT_EQ(table_of(both).local_probability, 0.5f);
  both.materials[kLamp].emission = glm::vec3(0.0f);
  EXPECT_EQ(table_of(both).local_probability, 0.0f);
  EXPECT_EQ(table_of({}).local_probability, 0.0f);
  EXPECT_EQ(table_of({}).total_power, 0.0f);
}

TEST(LightTable, LeavesOutWhatIsNotFinite) {
  HostScene broken = lamps_and_others();
  broken.positions[2].z = kInfinity;
  broken.spheres[0].radius = std::nanf("");
  EXPECT_TRUE(table_of(broken).local.empty());
  broken.spheres[0].radius = 1e25f;  // its power is beyond a float
  EXPECT_TRUE(table_of(broken).local.empty());
}

HostScene scene_under(const Sky& sky) {
  HostScene scene;
  scene.sky = sky;
  return scene;
}

TEST(LightTable, LeavesAnEvenSkyWithoutOtherLightsToBsdfSampling) {
  const glm::vec3 grey(0.6f);
  HostScene scene = scene_under({.zenith = grey, .horizon = grey, .ground = grey});
  LightTable alone = table_of(scene);
  EXPECT_EQ(alone.sky_probability, 1.0f);
  leave_smooth_sky(scene, alone);
  EXPECT_EQ(alone.sky_probability, 0.0f);
  EXPECT_TRUE(alone.choices.empty());

  HostScene lamps = lamps_and_others();
  lamps.sky = scene.sky;
  LightTable beside = table_of(lamps);
  leave_smooth_sky(lamps, beside);
  EXPECT_GT(beside.sky_probability, 0.0f);
}

TEST(LightTable, LeavesTheDarkestPartOfASkyToBsdfSampling) {
  const HostScene scene = scene_under(
      {.zenith = glm::vec3(1.5f), .horizon = glm::vec3(0.5f), .ground = glm::vec3(0.2f)});
  LightTable lights = table_of(scene);
  leave_smooth_sky(scene, lights);
  EXPECT_EQ(lights.sky_probability, 1.0f);
  EXPECT_NEAR(lights.sky_floor, 0.2f, 1e-6f);
  const Sky above = sky_above(scene.sky, lights.sky_floor);
  EXPECT_NEAR(above.zenith.x, 1.3f, 1e-5f);
  EXPECT_NEAR(above.horizon.x, 0.3f, 1e-5f);
  EXPECT_NEAR(above.ground.x, 0.0f, 1e-6f);
}

}  // namespace
}  // namespace winnow
