#include "shading/bsdf/metal.h"

#include <gtest/gtest.h>

#include <complex>

#include "scene/optical_constants.h"
#include "shading/bsdf/all_lobes.h"

namespace winnow {
namespace {

/// Fresnel's equations in complex numbers.
double textbook_reflectance(double cos_i, std::complex<double> eta) {
  const std::complex<double> cos_t = std::sqrt(1.0 - (1.0 - cos_i * cos_i) / (eta * eta));
  const std::complex<double> s = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
  const std::complex<double> p = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
  return 0.5 * (std::norm(s) + std::norm(p));
}

Material metal(const char* name, MaterialType type) {
  Material material{.type = type, .reflectance = glm::vec3(1.0f), .roughness = 0.4f};
  material.metal_n = find_metal(name)->n;
  material.metal_k = find_metal(name)->k;
  return material;
}

TEST(MetalFresnel, IsThatOfTheTextbook) {
  for (const char* name : {"gold", "copper", "aluminium", "tungsten"}) {
    const ComplexIor ior = *find_metal(name);
    for (float cosine : {1.0f, 0.8f, 0.5f, 0.2f, 0.05f, 0.0f})
      EXPECT_NEAR(metal_fresnel(cosine, ior.n.x, ior.k.x),
                  textbook_reflectance(cosine, {ior.n.x, ior.k.x}), 2e-6)
          << name << " " << cosine;
  }
}

TEST(MetalFresnel, WithoutAbsorptionIsThatOfADielectric) {
  for (float cosine : {1.0f, 0.7f, 0.3f, 0.1f})
    EXPECT_NEAR(metal_fresnel(cosine, 1.5f, 0.0f), cross_dielectric(cosine, 1.5f).reflected, 1e-6f);
}

TEST(Metal, MirrorReflectsWhatItsConstantsSay) {
  const Material copper = metal("Cu", MaterialType::kMirror);
  const BsdfSample sample = AllLobes{}.sample(copper, {0.6f, 0.0f, -0.8f}, glm::vec3(0.5f));
  EXPECT_EQ(sample.wi, glm::vec3(-0.6f, 0.0f, -0.8f));
  EXPECT_NEAR(sample.weight.y, textbook_reflectance(0.8, {copper.metal_n.y, copper.metal_k.y}),
              1e-6);
  EXPECT_EQ(sample.pdf, 0.0f);
}

TEST(Metal, NearlySmoothIsTheMirror) {
  Material gold = metal("Au", MaterialType::kConductor);
  gold.roughness = 0.0f;
  const glm::vec3 wo{0.6f, 0.0f, 0.8f};
  const glm::vec3 mirrored =
      AllLobes{}.sample(metal("Au", MaterialType::kMirror), wo, glm::vec3(0.5f)).weight;
  for (float u : {0.05f, 0.3f, 0.6f, 0.9f}) {
    const BsdfSample sample = AllLobes{}.sample(gold, wo, {u, 0.3f, 0.0f});
    EXPECT_LT(glm::length(sample.wi - glm::vec3(-0.6f, 0.0f, 0.8f)), 1e-2f);
    EXPECT_LT(glm::length(sample.weight - mirrored), 2e-3f);
  }
}

// The same lobe as in scenes without any of this.
TEST(Metal, PlainMetalIsThatOfPlainScenes) {
  const Material plain{
      .type = MaterialType::kConductor, .reflectance = {0.9f, 0.5f, 0.2f}, .roughness = 0.4f};
  const glm::vec3 wo{0.6f, 0.0f, 0.8f};
  for (glm::vec3 u : {glm::vec3(0.2f, 0.3f, 0.1f), glm::vec3(0.7f, 0.9f, 0.5f)}) {
    const BsdfSample a = AllLobes{}.sample(plain, wo, u), b = PlainLobes{}.sample(plain, wo, u);
    EXPECT_LT(glm::length(a.wi - b.wi), 1e-6f);
    EXPECT_LT(glm::length(a.weight - b.weight), 1e-6f);
    EXPECT_NEAR(a.pdf / b.pdf, 1.0f, 1e-5f);
  }
}

TEST(Ggx, IsRougherAlongTheTangent) {
  Material material{.roughness = 0.5f, .anisotropy = 0.6f};
  const Ggx ggx = make_ggx(material);
  EXPECT_NEAR(ggx.alpha_x / ggx.alpha_y, 4.0f, 1e-5f);
  EXPECT_NEAR(ggx.alpha_x * ggx.alpha_y, 0.0625f, 1e-6f);
  for (float most : {1.0f, -1.0f}) {
    material.anisotropy = most;
    const Ggx extreme = make_ggx(material);
    EXPECT_EQ(std::max(extreme.alpha_x, extreme.alpha_y), 1.0f);
    EXPECT_EQ(std::min(extreme.alpha_x, extreme.alpha_y), kMinGgxAlpha);
  }
}

}  // namespace
}  // namespace winnow
