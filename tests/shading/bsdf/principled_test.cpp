// SPDX-License-Identifier: MIT
#include "shading/bsdf/principled.h"

#include <gtest/gtest.h>

#include "math/sampler.h"
#include "shading/bsdf/bsdf.h"

namespace winnow {
namespace {

// Properties of principled surfaces: the white furnace and their limits.

const Bsdfs<kExtended>& lobes() {
  static const Bsdfs<kExtended> all{make_lobe_tables(
      {.plastic = true, .principled = true}, []<class T>(const std::vector<T>& items) {
        return simt::Span<const T>(items.data(), items.size());
      })};
  return all;
}

Material white(float roughness, float metallic, float transmission) {
  return {.type = MaterialType::kPrincipled,
          .reflectance = glm::vec3(1.0f),
          .roughness = roughness,
          .metallic = metallic,
          .transmission = transmission};
}

glm::vec3 at_cosine(float cosine) {
  const float sine = std::sqrt(1.0f - cosine * cosine);
  return {0.6f * sine, 0.8f * sine, cosine};
}

struct Energy {
  double mean = 0.0, error = 0.0;
};

/// Albedo for `wo`.
Energy furnace(const Material& material, glm::vec3 wo, uint32_t count = 20'000) {
  double sum = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const glm::vec3 u(Sampler{.seed = 3, .sample = i}.sample4(0));
    const BsdfSample sample = lobes().sample(material, wo, u);
    const double energy = double(sample.weight.x) * sample.eta_scale;
    sum += energy;
    squares += energy * energy;
  }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(squares / count - mean * mean, 0.0) / count)};
}

const float kRoughnesses[] = {0.0f, 0.1f, 0.3f, 0.5f, 0.75f, 1.0f};
const float kCosines[] = {1.0f, 0.8f, 0.5f, 0.25f, 0.1f, 0.03f};

void expect_white(const Material& material, glm::vec3 wo, double tolerance) {
  const Energy energy = furnace(material, wo);
  EXPECT_NEAR(energy.mean, 1.0, tolerance + 4.0 * energy.error)
      << "roughness " << material.roughness << ", cosine " << wo.z;
}

TEST(Principled, WhiteMetalReturnsEverything) {
  for (float roughness : kRoughnesses)
    for (float cosine : kCosines)
      expect_white(white(roughness, 1.0f, 0.0f), at_cosine(cosine), 0.01);
}

TEST(Principled, WhiteBaseReturnsEverything) {
  for (float ior : {1.2f, 1.5f, 2.5f})
    for (float roughness : kRoughnesses)
      for (float cosine : kCosines) {
        Material material = white(roughness, 0.0f, 0.0f);
        material.ior = ior;
        expect_white(material, at_cosine(cosine), 0.01);
      }
}

TEST(Principled, ClearGlassReturnsEverything) {
  for (float ior : {1.2f, 1.5f, 2.5f})
    for (float roughness : kRoughnesses)
      for (float cosine : kCosines)
        for (float side : {1.0f, -1.0f}) {
          Material material = white(roughness, 0.0f, 1.0f);
          material.ior = ior;
          // At grazing angles, 1 - E changes faster with roughness than the tables resolve.
          expect_white(material, at_cosine(side * cosine), cosine < 0.05f ? 0.03 : 0.01);
        }
}

TEST(Principled, MixturesReturnEverything) {
  for (float roughness : {0.2f, 0.6f, 1.0f})
    for (float cosine : kCosines) {
      expect_white(white(roughness, 0.5f, 0.0f), at_cosine(cosine), 0.01);
      expect_white(white(roughness, 0.3f, 0.5f), at_cosine(cosine), 0.01);
    }
}

// The tables approximate anisotropic surfaces by isotropic ones.
TEST(Principled, BrushedWhiteMetalReturnsNearlyEverything) {
  for (float anisotropy : {0.3f, 0.6f, -0.6f})
    for (float roughness : {0.3f, 0.6f, 0.8f})
      for (float cosine : kCosines) {
        Material material = white(roughness, 1.0f, 0.0f);
        material.anisotropy = anisotropy;
        expect_white(material, at_cosine(cosine), 0.06);
      }
}

// Coat and sheen may lose some energy but add none.
TEST(Principled, CoatAndSheenConserveEnergy) {
  for (float metallic : {0.0f, 1.0f})
    for (float roughness : {0.0f, 0.3f, 1.0f})
      for (float cosine : kCosines) {
        Material coated = white(0.4f, metallic, 0.0f), velvet = coated;
        coated.coat = 1.0f;
        coated.coat_roughness = roughness;
        velvet.sheen = glm::vec3(1.0f);
        velvet.sheen_roughness = roughness;
        for (const Material& material : {coated, velvet}) {
          const Energy energy = furnace(material, at_cosine(cosine));
          EXPECT_LE(energy.mean, 1.01 + 4.0 * energy.error) << roughness << " " << cosine;
          EXPECT_GE(energy.mean, 0.8) << roughness << " " << cosine;
        }
      }
}

TEST(Principled, SheenReflectsAtMostEverything) {
  for (float value : sheen_albedo().values) {
    EXPECT_GE(value, 0.0f);
    EXPECT_LE(value, 1.0f);
  }
}

/// Expects the same f and pdf of two materials, up to multiple scattering.
void expect_alike(const Material& a, const Material& b, float tolerance) {
  for (float cosine : {0.9f, 0.4f, -0.7f})
    for (uint32_t i = 0; i < 500; ++i) {
      const glm::vec3 wo = at_cosine(cosine);
      const glm::vec3 u(Sampler{.seed = 9, .sample = i}.sample4(0));
      const glm::vec3 wi = lobes().sample(b, wo, u).wi;
      const BsdfValue one = lobes().eval(a, wo, wi), other = lobes().eval(b, wo, wi);
      EXPECT_NEAR(one.f.y, other.f.y, tolerance * other.f.y + 3e-3f) << cosine;
      EXPECT_NEAR(one.pdf, other.pdf, tolerance * other.pdf + 3e-3f) << cosine;
    }
}

TEST(Principled, AllMetalIsAConductor) {
  Material metal = white(0.2f, 1.0f, 0.0f);
  metal.reflectance = {0.9f, 0.5f, 0.2f};
  Material conductor = metal;
  conductor.type = MaterialType::kConductor;
  expect_alike(metal, conductor, 0.01f);
}

TEST(Principled, AllTransmissionIsARoughDielectric) {
  Material glass = white(0.2f, 0.0f, 1.0f);
  glass.reflectance = {0.9f, 0.5f, 0.2f};
  Material dielectric = glass;
  dielectric.type = MaterialType::kRoughDielectric;
  expect_alike(glass, dielectric, 0.01f);
}

TEST(Principled, NearlySmoothGlassIsSmoothGlass) {
  const Material glass = white(0.0f, 0.0f, 1.0f);
  Material smooth = glass;
  smooth.type = MaterialType::kDielectric;
  for (float cosine : {0.9f, 0.4f, -0.9f, -0.5f})
    for (float u : {0.001f, 0.999f}) {
      const glm::vec3 wo = at_cosine(cosine);
      const BsdfSample a = lobes().sample(glass, wo, {0.4f, 0.3f, u});
      const BsdfSample b = lobes().sample(smooth, wo, {0.4f, 0.3f, u});
      EXPECT_LT(glm::length(a.wi - b.wi), 0.01f) << cosine << " " << u;
      EXPECT_NEAR(a.weight.x / b.weight.x, 1.0f, 0.01f) << cosine << " " << u;
    }
}

// Layers of weight 0 do not affect f, and receive no samples.
TEST(Principled, WithoutCoatAndSheenTheirRoughnessDoesNotMatter) {
  const Material plain = white(0.4f, 0.3f, 0.0f);
  Material other = plain;
  other.coat_roughness = 0.8f;
  other.sheen_roughness = 0.9f;
  for (uint32_t i = 0; i < 100; ++i) {
    const glm::vec3 u(Sampler{.seed = 9, .sample = i}.sample4(0));
    EXPECT_EQ(lobes().sample(plain, at_cosine(0.6f), u).weight,
              lobes().sample(other, at_cosine(0.6f), u).weight);
  }
  const PrincipledView view = view_principled(plain, lobes().tables, at_cosine(0.6f));
  EXPECT_EQ(view.coat_pmf, 0.0f);
  EXPECT_EQ(view.sheen_pmf, 0.0f);
  EXPECT_EQ(view.far_pmf, 0.0f);
}

TEST(Principled, BlackIsNotFoundWithoutALobe) {
  Material black = white(0.4f, 1.0f, 0.0f);
  black.reflectance = glm::vec3(0.0f);
  const BsdfSample sample = lobes().sample(black, at_cosine(0.6f), glm::vec3(0.5f));
  EXPECT_EQ(sample.weight, glm::vec3(0.0f));
}

// Tables match the albedos of their lobes, also between nodes.
TEST(LobeTables, HoldTheAlbedosOfTheLobes) {
  const LobeTables& tables = lobes().tables;
  for (float roughness : {0.17f, 0.45f, 0.83f})
    for (float cosine : {0.93f, 0.53f, 0.17f}) {
      SCOPED_TRACE(testing::Message() << "roughness " << roughness << ", cosine " << cosine);
      Material metal = white(roughness, 1.0f, 0.0f);
      metal.type = MaterialType::kConductor;
      EXPECT_NEAR(furnace(metal, at_cosine(cosine)).mean, tables.metal.at(cosine, roughness), 5e-3);
      Material glass = white(roughness, 0.0f, 1.0f);
      glass.type = MaterialType::kRoughDielectric;
      glass.ior = 1.37f;
      EXPECT_NEAR(furnace(glass, at_cosine(cosine)).mean,
                  1.0f - tables.outside_loss.at(cosine, roughness, glass.ior), 5e-3);
      EXPECT_NEAR(furnace(glass, at_cosine(-cosine)).mean,
                  1.0f - tables.inside_loss.at(cosine, roughness, glass.ior), 5e-3);
      glass.reflectance = glm::vec3(0.0f);
      EXPECT_NEAR(furnace(glass, at_cosine(cosine)).mean,
                  tables.boundary.at(cosine, roughness, glass.ior), 3e-3);
      glass.reflectance = glm::vec3(1.0f);
      glass.specular = glm::vec3(0.0f);
      EXPECT_NEAR(furnace(glass, at_cosine(cosine)).mean,
                  tables.plastic.at(cosine, roughness, glass.ior), 5e-3);
    }
}

}  // namespace
}  // namespace winnow
