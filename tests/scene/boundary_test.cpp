// SPDX-License-Identifier: MIT
#include "scene/boundary.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

using enum MaterialType;

TEST(ReversedMaterial, HasInsideAndOutsideExchanged) {
  const Material glass{
      .type = kRoughDielectric, .ior = 1.6f, .bounds_media = true, .interior = 3, .exterior = 5};
  const Material other = reversed(glass).value();
  EXPECT_EQ(other.ior, 1.0f / 1.6f);
  EXPECT_EQ(other.interior, 5u);
  EXPECT_EQ(other.exterior, 3u);
  EXPECT_FLOAT_EQ(reversed(other).value().ior, glass.ior);
}

TEST(ReversedMaterial, KeepsTheIndexWhereBothSidesAreAlike) {
  for (MaterialType type : {kThinDielectric, kPlastic, kPrincipled})
    EXPECT_EQ(reversed({.type = type, .ior = 1.6f}).value().ior, 1.6f);
}

TEST(ReversedMaterial, HasItsBumpsOnTheOtherSide) {
  Material bumpy{.type = kDielectric, .normal_scale = 0.7f};
  EXPECT_EQ(reversed(bumpy).value().normal_scale, 0.7f) << "without a normal map";
  bumpy.textures.normal = 0;
  EXPECT_EQ(reversed(bumpy).value().normal_scale, -0.7f);
}

TEST(ReversedMaterial, IsMissingWhereOneSideIsSpecial) {
  EXPECT_FALSE(reversed({.type = kPrincipled, .transmission = 1.0f}));
  Material light{.emission = glm::vec3(1.0f)};
  EXPECT_TRUE(reversed(light));
  light.two_sided_emission = false;
  EXPECT_FALSE(reversed(light));
  EXPECT_FALSE(reversed({.black_back = true}));
}

TEST(ReversedMaterials, AreAddedOnce) {
  HostScene scene;
  scene.materials = {{.type = kDielectric, .ior = 1.5f}, {.type = kPrincipled, .transmission = 1}};
  scene.material_names = {"glass", "coated glass"};
  ReversedMaterials materials(scene);
  EXPECT_EQ(materials.of(0), 2u);
  EXPECT_EQ(materials.of(0), 2u);
  EXPECT_EQ(materials.of(1), std::nullopt);
  EXPECT_EQ(materials.of(1), std::nullopt);
  ASSERT_EQ(scene.materials.size(), 3u);
  EXPECT_EQ(scene.materials[2].ior, 1.0f / 1.5f);
  EXPECT_EQ(scene.material_names.at(2), "glass");
}

}  // namespace
}  // namespace winnow
