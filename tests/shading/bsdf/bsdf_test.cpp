#include "shading/bsdf/bsdf.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/chi_square.h"

namespace winnow {
namespace {

// What every BSDF must keep, over all lobes with a density, from both sides and several angles.

struct Case {
  std::string name;
  Material material;
  glm::vec3 wo;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

std::vector<Case> cases() {
  struct Lobe {
    const char* name;
    Material material;
  };
  glm::vec3 tint{0.9f, 0.5f, 0.2f};
  std::vector<Lobe> lobes = {
      {"Diffuse", {.type = MaterialType::kDiffuse, .reflectance = tint}},
      {"Conductor010", {.type = MaterialType::kConductor, .reflectance = tint, .roughness = 0.1f}},
      {"Conductor030", {.type = MaterialType::kConductor, .reflectance = tint, .roughness = 0.3f}},
      {"Conductor060", {.type = MaterialType::kConductor, .reflectance = tint, .roughness = 0.6f}},
      {"Conductor100", {.type = MaterialType::kConductor, .reflectance = tint, .roughness = 1.0f}},
  };
  struct Angle {
    const char* name;
    float cosine;
  };
  std::vector<Case> all;
  for (const Lobe& lobe : lobes)
    for (Angle angle : {Angle{"Normal", 1.0f}, Angle{"Slanted", 0.7f}, Angle{"Steep", 0.3f},
                        Angle{"Grazing", 0.05f}, Angle{"Below", -0.6f}}) {
      float sine = std::sqrt(1.0f - angle.cosine * angle.cosine);
      all.push_back({std::string(lobe.name) + angle.name,
                     lobe.material,
                     {0.6f * sine, 0.8f * sine, angle.cosine}});
    }
  return all;
}

glm::vec3 direction_from(uint32_t i) {
  glm::vec4 u = Sampler{.seed = 5, .sample = i}.sample4(0);
  return sample_uniform_sphere({u.x, u.y});
}

BsdfSample sample_from(const Case& c, uint32_t i) {
  glm::vec4 u = Sampler{.seed = 6, .sample = i}.sample4(0);
  return sample_bsdf(c.material, c.wo, {u.x, u.y, u.z});
}

/// Bins that resolve the lobe: rings around the mirror direction, or even ones for a wide lobe.
DirectionBins bins_for(const Case& c) {
  bool narrow = c.material.type == MaterialType::kConductor && c.material.roughness < 0.5f;
  if (!narrow) return {};
  return {.axis = {-c.wo.x, -c.wo.y, c.wo.z}, .focus = kNarrowFocus, .subdivision = 16};
}

class Bsdf : public testing::TestWithParam<Case> {};

TEST_P(Bsdf, SamplesFollowTheDensity) {
  const Case& c = GetParam();
  EXPECT_TRUE(samples_follow_density(
      bins_for(c),
      [&](glm::vec4 u) {
        return sample_bsdf(c.material, c.wo, {u.x, u.y, u.z}).wi;
      },
      [&](glm::vec3 wi) { return bsdf_pdf(c.material, c.wo, wi); }, int(cases().size())));
}

TEST_P(Bsdf, WeightIsValueTimesCosineOverDensity) {
  const Case& c = GetParam();
  for (uint32_t i = 0; i < 2000; ++i) {
    BsdfSample sample = sample_from(c, i);
    if (sample.weight == glm::vec3(0.0f)) continue;
    float pdf = bsdf_pdf(c.material, c.wo, sample.wi);
    glm::vec3 weight = eval_bsdf(c.material, c.wo, sample.wi) * std::abs(sample.wi.z) / pdf;
    // The half vector of a narrow lobe comes back from `wi` with a few digits less.
    EXPECT_NEAR(sample.pdf / pdf, 1.0f, 2e-3f);
    EXPECT_LT(glm::length(sample.weight - weight), 1e-5f);
    EXPECT_EQ(sample.eta_scale, 1.0f);
  }
}

// Reflected energy as the samples see it, and as plain integration of f cos does.
TEST_P(Bsdf, MeanWeightIsTheIntegralOfValueTimesCosine) {
  const Case& c = GetParam();
  constexpr uint32_t kSampleCount = 20'000;
  double mean = 0.0, square = 0.0, integral = 0.0;
  for (uint32_t i = 0; i < kSampleCount; ++i) {
    double weight = sample_from(c, i).weight.y;
    mean += weight / kSampleCount;
    square += weight * weight / kSampleCount;
  }
  for (double share : bins_for(c).integrate(
           [&](glm::vec3 wi) { return eval_bsdf(c.material, c.wo, wi).y * std::abs(wi.z); }))
    integral += share;
  double standard_error = std::sqrt(std::max(square - mean * mean, 0.0) / kSampleCount);
  EXPECT_NEAR(mean, integral, 4.0 * standard_error + 2e-3);
}

TEST_P(Bsdf, ReflectsNoMoreThanItGets) {
  const Case& c = GetParam();
  Case white = c;
  white.material.reflectance = glm::vec3(1.0f);
  for (uint32_t i = 0; i < 2000; ++i) EXPECT_LE(sample_from(white, i).weight.x, 1.0f + 1e-6f);
}

TEST_P(Bsdf, IsReciprocal) {
  const Case& c = GetParam();
  for (uint32_t i = 0; i < 2000; ++i) {
    glm::vec3 wi = direction_from(i);
    glm::vec3 there = eval_bsdf(c.material, c.wo, wi), back = eval_bsdf(c.material, wi, c.wo);
    EXPECT_LE(glm::length(there - back), 1e-5f * glm::length(there));
  }
}

TEST_P(Bsdf, ScattersOnlyToItsOwnSide) {
  const Case& c = GetParam();
  for (uint32_t i = 0; i < 2000; ++i) {
    BsdfSample sample = sample_from(c, i);
    if (sample.weight != glm::vec3(0.0f)) {
      EXPECT_GT(sample.wi.z * c.wo.z, 0.0f);
    }
    glm::vec3 through = direction_from(i);
    if (through.z * c.wo.z > 0.0f) through.z = -through.z;
    EXPECT_EQ(eval_bsdf(c.material, c.wo, through), glm::vec3(0.0f));
    EXPECT_EQ(bsdf_pdf(c.material, c.wo, through), 0.0f);
  }
}

INSTANTIATE_TEST_SUITE_P(Lobes, Bsdf, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(SpecularBsdf, IsOutOfReachOfLightSampling) {
  for (MaterialType type : {MaterialType::kMirror, MaterialType::kDielectric}) {
    Material material{.type = type};
    glm::vec3 wo{0.6f, 0.0f, 0.8f}, mirrored{-0.6f, 0.0f, 0.8f};
    EXPECT_TRUE(is_specular(material));
    EXPECT_EQ(eval_bsdf(material, wo, mirrored), glm::vec3(0.0f));
    EXPECT_EQ(bsdf_pdf(material, wo, mirrored), 0.0f);
    EXPECT_EQ(sample_bsdf(material, wo, glm::vec3(0.0f)).wi, mirrored);
  }
  EXPECT_FALSE(is_specular({.type = MaterialType::kDiffuse}));
  EXPECT_FALSE(is_specular({.type = MaterialType::kConductor}));
}

TEST(BlackBsdf, ReflectsNothing) {
  for (MaterialType type :
       {MaterialType::kDiffuse, MaterialType::kMirror, MaterialType::kConductor}) {
    Material material{.type = type, .reflectance = glm::vec3(0.0f)};
    EXPECT_TRUE(reflects_nothing(material));
    for (uint32_t i = 0; i < 100; ++i)
      EXPECT_EQ(sample_from({"", material, {0.995f, 0.0f, 0.1f}}, i).weight, glm::vec3(0.0f));
    material.reflectance.z = 0.1f;
    EXPECT_FALSE(reflects_nothing(material));
  }
  EXPECT_FALSE(
      reflects_nothing({.type = MaterialType::kDielectric, .reflectance = glm::vec3(0.0f)}));
}

}  // namespace
}  // namespace winnow
