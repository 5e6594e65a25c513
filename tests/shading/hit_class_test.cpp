// SPDX-License-Identifier: MIT
#include "shading/hit_class.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(HitClass, DiffuseIsSimpleWhereShadingOnlyScatters) {
  EXPECT_EQ(hit_class_of(Material{}), HitClass::kPlainDiffuse);
  Material textured;
  textured.textures.reflectance = 0;
  EXPECT_EQ(hit_class_of(textured), HitClass::kTexturedDiffuse);
  EXPECT_EQ(hit_class_of(Material{.vertex_colors = true}), HitClass::kTexturedDiffuse);
  Material cut_out;
  cut_out.textures.alpha = 0;
  EXPECT_EQ(hit_class_of(cut_out), HitClass::kPlainDiffuse);

  const HitClass other = other_class(MaterialType::kDiffuse);
  Material bumpy;
  bumpy.textures.normal = 0;
  EXPECT_EQ(hit_class_of(bumpy), other);
  EXPECT_EQ(hit_class_of(Material{.emission = glm::vec3(1.0f)}), other);
  EXPECT_EQ(hit_class_of(Material{.reflectance = glm::vec3(0.0f)}), other);
  EXPECT_EQ(hit_class_of(Material{.anisotropy = 0.5f}), other);
  EXPECT_EQ(hit_class_of(Material{.black_back = true}), other);
}

TEST(HitClass, EveryClassIsShadedByOneKernel) {
  uint32_t all = 0;
  for (ShadedHits hits :
       {ShadedHits::kSimple, ShadedHits::kNotPrincipled, ShadedHits::kPrincipled}) {
    EXPECT_EQ(all & class_range_of(hits).mask(), 0u);
    all |= class_range_of(hits).mask();
  }
  EXPECT_EQ(all, class_range_of(ShadedHits::kAny).mask());
  EXPECT_EQ(all, (1u << kHitClassCount) - 1);
}

TEST(HitClass, EveryTypeHasOneThatItsKernelShades) {
  for (auto type = uint32_t(MaterialType::kMirror); type < uint32_t(MaterialType::kNull); ++type) {
    const HitClass hit = hit_class_of(Material{.type = MaterialType(type)});
    const bool is_principled = MaterialType(type) == MaterialType::kPrincipled;
    EXPECT_EQ(class_range_of(ShadedHits::kPrincipled).contains(hit), is_principled);
    EXPECT_EQ(class_range_of(ShadedHits::kNotPrincipled).contains(hit), !is_principled);
  }
  EXPECT_TRUE(class_range_of(ShadedHits::kPrincipled).contains(kScatteredInMedium));
  EXPECT_TRUE(class_range_of(ShadedHits::kSimple).contains(HitClass::kNoSurface));
}

}  // namespace
}  // namespace winnow
