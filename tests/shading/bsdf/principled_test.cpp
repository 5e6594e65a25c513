// SPDX-License-Identifier: MIT
#include "shading/bsdf/principled.h"

#include <gtest/gtest.h>

#include "tests/shading/bsdf/support/bsdf_runner.h"

namespace winnow {
namespace {

// Properties of principled surfaces: the white furnace and their limits.

Material white_principled(float roughness, float metallic, float transmission) {
  return {.type = MaterialType::kPrincipled,
          .reflectance = glm::vec3(1.0f),
          .roughness = roughness,
          .metallic = metallic,
          .transmission = transmission};
}

const std::vector<float> kFurnaceRoughnesses = {0.0f, 0.1f, 0.3f, 0.5f, 0.75f, 1.0f};
const float kFurnaceCosines[] = {1.0f, 0.8f, 0.5f, 0.25f, 0.1f, 0.03f};

TEST(Principled, WhiteSurfacesReturnEverything) {
  const struct {
    const char* name;
    float metallic, transmission;
    std::vector<float> iors, roughnesses = kFurnaceRoughnesses, anisotropies = {0.0f};
    double tolerance = 0.01;
  } surfaces[] = {
      {"metal", 1.0f, 0.0f, {1.5f}},
      {"base", 0.0f, 0.0f, {1.2f, 1.5f, 2.5f}},
      {"glass", 0.0f, 1.0f, {1.2f, 1.5f, 2.5f}},
      {"metal and base", 0.5f, 0.0f, {1.5f}, {0.2f, 0.6f, 1.0f}},
      {"all three", 0.3f, 0.5f, {1.5f}, {0.2f, 0.6f, 1.0f}},
      // The tables approximate anisotropic surfaces by isotropic ones.
      {"brushed metal", 1.0f, 0.0f, {1.5f}, {0.3f, 0.6f, 0.8f}, {0.3f, 0.6f, -0.6f}, 0.06}};
  for (const auto& surface : surfaces)
    for (float ior : surface.iors)
      for (float roughness : surface.roughnesses)
        for (float anisotropy : surface.anisotropies)
          for (float cosine : kFurnaceCosines)
            for (float side : {1.0f, -1.0f}) {
              if (side < 0.0f && surface.transmission == 0.0f) continue;
              Material material =
                  white_principled(roughness, surface.metallic, surface.transmission);
              material.ior = ior;
              material.anisotropy = anisotropy;
              const Estimate albedo = furnace(material, at_cosine(side * cosine));
              // At grazing angles, 1 - E of glass changes faster with roughness than the tables
              // resolve.
              const bool is_steep = surface.transmission == 1.0f && cosine < 0.05f;
              EXPECT_NEAR(albedo.mean, 1.0,
                          4.0 * albedo.error + (is_steep ? 0.03 : surface.tolerance))
                  << surface.name << ", index " << ior << ", roughness " << roughness
                  << ", anisotropy " << anisotropy << ", cosine " << side * cosine;
            }
}

// Coat and sheen may lose some energy but add none.
TEST(Principled, CoatAndSheenConserveEnergy) {
  for (float metallic : {0.0f, 1.0f})
    for (float roughness : {0.0f, 0.3f, 1.0f})
      for (float cosine : kFurnaceCosines) {
        Material coated = white_principled(0.4f, metallic, 0.0f), velvet = coated;
        coated.coat = 1.0f;
        coated.coat_roughness = roughness;
        velvet.sheen = glm::vec3(1.0f);
        velvet.sheen_roughness = roughness;
        for (const Material& material : {coated, velvet}) {
          const Estimate albedo = furnace(material, at_cosine(cosine));
          EXPECT_LE(albedo.mean, 1.01 + 4.0 * albedo.error) << roughness << " " << cosine;
          EXPECT_GE(albedo.mean, 0.8) << roughness << " " << cosine;
        }
      }
}

// Half of the sheen covers half as much of the white base.
TEST(Principled, WeakSheenLosesNoMoreThanStrongSheen) {
  for (float roughness : {0.3f, 1.0f})
    for (float cosine : kFurnaceCosines) {
      Material strong = white_principled(0.4f, 0.0f, 0.0f);
      strong.sheen = glm::vec3(1.0f);
      strong.sheen_roughness = roughness;
      Material weak = strong;
      weak.sheen = glm::vec3(0.5f);
      const Estimate strong_albedo = furnace(strong, at_cosine(cosine));
      const Estimate weak_albedo = furnace(weak, at_cosine(cosine));
      const double error = std::hypot(strong_albedo.error, weak_albedo.error);
      EXPECT_GE(weak_albedo.mean, strong_albedo.mean - 0.005 - 4.0 * error)
          << roughness << " " << cosine;
    }
}

TEST(Principled, SheenReflectsAtMostEverything) {
  for (float value : host_bsdfs().tables.sheen.values) {
    EXPECT_GE(value, 0.0f);
    EXPECT_LE(value, 1.0f);
  }
}

// f and pdf are the same up to multiple scattering.
TEST(Principled, WithoutABaseItIsAConductorOrARoughDielectric) {
  for (bool is_metal : {true, false}) {
    Material principled = white_principled(0.2f, is_metal ? 1.0f : 0.0f, is_metal ? 0.0f : 1.0f);
    principled.reflectance = {0.9f, 0.5f, 0.2f};
    Material other = principled;
    other.type = is_metal ? MaterialType::kConductor : MaterialType::kRoughDielectric;
    for (float cosine : {0.9f, 0.4f, -0.7f})
      for (uint32_t i = 0; i < 500; ++i) {
        const glm::vec3 wo = at_cosine(cosine);
        const glm::vec3 u(Sampler{.seed = 9, .sample = i}.sample4(0));
        const glm::vec3 wi = host_bsdfs().sample(other, wo, u).wi;
        const BsdfValue a = host_bsdfs().eval(principled, wo, wi);
        const BsdfValue b = host_bsdfs().eval(other, wo, wi);
        EXPECT_NEAR(a.f.y, b.f.y, 0.01f * b.f.y + 3e-3f) << is_metal << " " << cosine;
        EXPECT_NEAR(a.pdf, b.pdf, 0.01f * b.pdf + 3e-3f) << is_metal << " " << cosine;
      }
  }
}

TEST(Principled, NearlySmoothGlassIsSmoothGlass) {
  const Material glass = white_principled(0.0f, 0.0f, 1.0f);
  Material smooth = glass;
  smooth.type = MaterialType::kDielectric;
  for (float cosine : {0.9f, 0.4f, -0.9f, -0.5f})
    for (float u : {0.001f, 0.999f}) {
      const glm::vec3 wo = at_cosine(cosine);
      const BsdfSample a = host_bsdfs().sample(glass, wo, {0.4f, 0.3f, u});
      const BsdfSample b = host_bsdfs().sample(smooth, wo, {0.4f, 0.3f, u});
      EXPECT_LT(glm::length(a.wi - b.wi), 0.01f) << cosine << " " << u;
      EXPECT_NEAR(a.weight.x / b.weight.x, 1.0f, 0.01f) << cosine << " " << u;
    }
}

// Layers of weight 0 do not affect f, and receive no samples.
TEST(Principled, WithoutCoatAndSheenTheirRoughnessDoesNotMatter) {
  const Material plain = white_principled(0.4f, 0.3f, 0.0f);
  Material other = plain;
  other.coat_roughness = 0.8f;
  other.sheen_roughness = 0.9f;
  for (uint32_t i = 0; i < 100; ++i) {
    const glm::vec3 u(Sampler{.seed = 9, .sample = i}.sample4(0));
    EXPECT_EQ(host_bsdfs().sample(plain, at_cosine(0.6f), u).weight,
              host_bsdfs().sample(other, at_cosine(0.6f), u).weight);
  }
  const PrincipledView view =
      view_principled<kLayered>(plain, host_bsdfs().tables, at_cosine(0.6f));
  EXPECT_EQ(view.coat_pmf, 0.0f);
  EXPECT_EQ(view.sheen_pmf, 0.0f);
  EXPECT_EQ(view.far_pmf, 0.0f);
}

TEST(Principled, BlackIsNotFoundWithoutALobe) {
  Material black = white_principled(0.4f, 1.0f, 0.0f);
  black.reflectance = glm::vec3(0.0f);
  EXPECT_EQ(host_bsdfs().sample(black, at_cosine(0.6f), glm::vec3(0.5f)).weight, glm::vec3(0.0f));
}

// Tables match the albedos of their lobes, also between nodes.
TEST(LobeTables, HoldTheAlbedosOfTheLobes) {
  const LobeTables& tables = host_bsdfs().tables;
  for (float roughness : {0.17f, 0.45f, 0.83f})
    for (float cosine : {0.93f, 0.53f, 0.17f}) {
      SCOPED_TRACE(testing::Message() << "roughness " << roughness << ", cosine " << cosine);
      const Material metal{
          .type = MaterialType::kConductor, .reflectance = glm::vec3(1.0f), .roughness = roughness};
      Material glass = metal;
      glass.type = MaterialType::kRoughDielectric;
      glass.ior = 1.37f;
      Material reflecting = glass, transmitting = glass;
      reflecting.reflectance = glm::vec3(0.0f);
      transmitting.specular = glm::vec3(0.0f);
      auto albedo = [&](const Material& material, float side = 1.0f) {
        return furnace(material, at_cosine(side * cosine)).mean;
      };
      auto value = [&](const AlbedoTable& table) { return table.at(cosine, roughness, glass.ior); };
      EXPECT_NEAR(albedo(metal), tables.metal.at(cosine, roughness), 5e-3);
      EXPECT_NEAR(albedo(glass), 1.0f - value(tables.outside_loss), 5e-3);
      EXPECT_NEAR(albedo(glass, -1.0f), 1.0f - value(tables.inside_loss), 5e-3);
      EXPECT_NEAR(albedo(reflecting), value(tables.boundary), 3e-3);
      EXPECT_NEAR(albedo(transmitting), value(tables.plastic), 5e-3);
    }
}

}  // namespace
}  // namespace winnow
