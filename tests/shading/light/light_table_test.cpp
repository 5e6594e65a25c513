// SPDX-License-Identifier: MIT
#include "shading/light/light_table.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

constexpr uint32_t kLamp = 0, kGray = 1;

/// A lamp of 2 m^2, one of no area, a triangle that does not shine, and a lamp of radius 0.5 m.
HostScene scene_of_lamps() {
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
  LightTable lights = table_of(scene_of_lamps());
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
  LightTable lights = table_of(scene_of_lamps());
  float triangle = 4.0f * kPi, sphere = kPi * kPi;
  EXPECT_NEAR(lights.total_power, triangle + sphere, 1e-4f);
  ASSERT_EQ(lights.local_table.size(), 2u);
  double share = 0.5 * lights.local_table[0].probability;
  if (lights.local_table[0].alias == 0) share += 0.5 * (1.0 - lights.local_table[0].probability);
  if (lights.local_table[1].alias == 0) share += 0.5 * (1.0 - lights.local_table[1].probability);
  EXPECT_NEAR(share, triangle / (triangle + sphere), 1e-6);
}

TEST(LightTable, SplitsSamplesBetweenLocalLightsAndSky) {
  HostScene both = scene_of_lamps();
  EXPECT_EQ(table_of(both).local_probability, 1.0f);
  both.sky.ground = {0.0f, 0.0f, 1.0f};
  EXPECT_EQ(table_of(both).local_probability, 0.5f);
  both.materials[kLamp].emission = glm::vec3(0.0f);
  EXPECT_EQ(table_of(both).local_probability, 0.0f);
  EXPECT_EQ(table_of({}).local_probability, 0.0f);
  EXPECT_EQ(table_of({}).total_power, 0.0f);
}

TEST(LightTable, LeavesOutWhatIsNotFinite) {
  HostScene broken = scene_of_lamps();
  broken.positions[2].z = kInfinity;
  broken.spheres[0].radius = std::nanf("");
  EXPECT_TRUE(table_of(broken).local.empty());
  broken.spheres[0].radius = 1e25f;  // its power is beyond a float
  EXPECT_TRUE(table_of(broken).local.empty());
}

}  // namespace
}  // namespace winnow
