// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <numeric>
#include <span>
#include <string>

#include "backend/renderer.h"
#include "scene/optical_constants.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "tests/shading/bsdf/support/bsdf_runner.h"
#include "tests/support/chi_square.h"
#include "tests/support/sample_directions.h"

namespace winnow {
namespace {

// Properties of all BSDFs, on the host and on a GPU: over roughness, anisotropy and angle, from
// both sides.

struct LobeCase {
  std::string name;
  Material material;
  Features features = kExtended;
  bool on_gpu = false;

  bool transmits() const {
    return material.type == MaterialType::kRoughDielectric ||
           ((material.transmission > 0.0f || material.diffuse_transmission > 0.0f) &&
            material.metallic < 1.0f);
  }
  /// Index on the other side over that on the side of `wo`.
  float eta(glm::vec3 wo) const {
    const bool is_alike = material.type == MaterialType::kPrincipled &&
                          (material.thin || material.transmission == 0.0f);
    return is_alike ? 1.0f : relative_index(material.ior, wo.z > 0.0f);
  }
};

void PrintTo(const LobeCase& c, std::ostream* out) {
  *out << c.name;
}

const glm::vec3 kTint{0.9f, 0.5f, 0.2f}, kWhite{1.0f};

Material vary(Material material, float roughness, float anisotropy = 0.0f,
              Masking masking = Masking::kCorrelated) {
  material.roughness = roughness;
  material.anisotropy = anisotropy;
  material.masking = masking;
  return material;
}

Material beckmann(Material material) {
  material.distribution = MicrofacetDistribution::kBeckmann;
  return material;
}

std::vector<LobeCase> lobe_cases() {
  using enum MaterialType;
  constexpr Masking kSeparable = Masking::kSeparable;
  const ComplexIor au = *find_metal("gold");
  const Material diffuse{.type = kDiffuse, .reflectance = kTint},
      gold{.type = kConductor, .reflectance = kWhite, .metal_n = au.n, .metal_k = au.k},
      schlick{.type = kConductor, .reflectance = kTint},
      glass{.type = kRoughDielectric, .reflectance = kTint},
      diamond{.type = kRoughDielectric, .reflectance = kTint, .ior = 2.4f, .specular = kTint},
      bubble{.type = kRoughDielectric, .reflectance = kTint, .ior = 1.0f / 1.5f},
      cavity{.type = kRoughDielectric, .reflectance = kTint, .ior = 0.75f, .specular = kTint},
      plastic{.type = kPlastic, .reflectance = kTint},
      sunken{.type = kPlastic, .reflectance = kTint, .ior = 0.75f},
      nonlinear{.type = kPlastic, .reflectance = kTint, .specular = kTint, .nonlinear = true},
      base{.type = kPrincipled, .reflectance = kTint},
      metal{.type = kPrincipled, .reflectance = kTint, .metallic = 1.0f},
      clear{.type = kPrincipled, .reflectance = kTint, .transmission = 1.0f},
      coated{.type = kPrincipled, .reflectance = kTint, .coat = 0.8f, .coat_roughness = 0.3f},
      velvet{.type = kPrincipled,
             .reflectance = kTint,
             .sheen = {0.9f, 0.7f, 0.5f},
             .sheen_roughness = 0.4f},
      everything{.type = kPrincipled,
                 .reflectance = kTint,
                 .specular = {0.8f, 0.6f, 1.0f},
                 .metallic = 0.3f,
                 .transmission = 0.5f,
                 .coat = 0.5f,
                 .coat_roughness = 0.4f,
                 .sheen = {0.9f, 0.7f, 0.5f},
                 .sheen_roughness = 0.4f};
  Material sheet = clear, leaf = base, tinted = base, leafy = everything;
  sheet.thin = true;
  leaf.diffuse_transmission = 0.6f;
  leaf.diffuse_transmission_color = {0.3f, 0.8f, 0.1f};
  tinted.specular_tint = {4.0f, 1.5f, 0.0f};
  leafy.diffuse_transmission = 0.5f;
  Material paper = leafy, tinted_glass = clear, fuzzy = clear;
  fuzzy.sheen = velvet.sheen;
  paper.thin = true;
  paper.specular_tint = tinted_glass.specular_tint = {2.0f, 0.2f, 1.0f};
  auto filmed = [](Material material, float film_ior, float thickness) {
    material.iridescence = 0.9f;
    material.iridescence_ior = film_ior;
    material.film_thickness.y = thickness;
    return material;
  };
  return {{"BasicDiffuse", diffuse, kBasic},
          {"BasicConductor010", vary(schlick, 0.1f), kBasic},
          {"BasicConductor030", vary(schlick, 0.3f), kBasic},
          {"BasicConductor060", vary(schlick, 0.6f), kBasic},
          {"BasicConductor100", vary(schlick, 1.0f), kBasic},
          {"Diffuse", diffuse},
          {"Gold010", vary(gold, 0.1f)},
          {"Gold050", vary(gold, 0.5f, 0.0f, kSeparable)},
          {"Gold100", vary(gold, 1.0f)},
          {"BrushedGold030", vary(gold, 0.3f, 0.6f)},
          {"BrushedGold060", vary(gold, 0.6f, -0.6f, kSeparable)},
          {"Schlick040", vary(schlick, 0.4f, 0.5f)},
          {"Glass030", vary(glass, 0.3f)},
          {"Glass060", vary(glass, 0.6f, 0.0f, kSeparable)},
          {"Glass100", vary(glass, 1.0f)},
          {"BrushedGlass050", vary(glass, 0.5f, 0.6f)},
          {"Diamond050", vary(diamond, 0.5f, -0.5f)},
          {"Bubble030", vary(bubble, 0.3f)},
          {"Bubble070", vary(bubble, 0.7f, 0.0f, kSeparable)},
          {"BrushedCavity050", vary(cavity, 0.5f, 0.6f)},
          {"BeckmannCavity040", beckmann(vary(cavity, 0.4f, 0.0f, kSeparable))},
          {"Plastic000", vary(plastic, 0.0f)},
          {"Plastic030", vary(plastic, 0.3f)},
          {"Plastic080", vary(plastic, 0.8f)},
          {"SunkenPlastic030", vary(sunken, 0.3f)},
          {"BeckmannSunkenPlastic060", beckmann(vary(sunken, 0.6f))},
          {"BeckmannGold010", beckmann(vary(gold, 0.1f))},
          {"BeckmannGold050", beckmann(vary(gold, 0.5f, 0.0f, kSeparable))},
          {"BeckmannGold100", beckmann(vary(gold, 1.0f))},
          {"BrushedBeckmannGold060", beckmann(vary(gold, 0.6f, 0.6f))},
          {"BeckmannDiamond040", beckmann(vary(diamond, 0.4f, 0.0f, kSeparable))},
          {"BeckmannDiamond080", beckmann(vary(diamond, 0.8f))},
          {"BrushedBeckmannDiamond050", beckmann(vary(diamond, 0.5f, -0.6f))},
          {"BeckmannPlastic050", beckmann(vary(plastic, 0.5f))},
          {"NonlinearPlastic050", vary(nonlinear, 0.5f)},
          {"Base020", vary(base, 0.2f)},
          {"Base070", vary(base, 0.7f, 0.5f), kLayered},
          {"Metal030", vary(metal, 0.3f)},
          {"Metal100", vary(metal, 1.0f)},
          {"BrushedMetal030", vary(metal, 0.3f, -0.9f), kLayered},
          {"BrushedMetal060", vary(metal, 0.6f, 0.6f), kLayered},
          {"PrincipledGlass030", vary(clear, 0.3f)},
          {"PrincipledGlass100", vary(clear, 1.0f)},
          {"Coated050", vary(coated, 0.5f)},
          {"Velvet050", vary(velvet, 0.5f)},
          {"Everything050", vary(everything, 0.5f, 0.4f), kLayered},
          {"BurleyBase070", vary(base, 0.7f, 0.0f, kSeparable), kLayered},
          {"BurleyGlass050", vary(clear, 0.5f, 0.0f, kSeparable), kLayered},
          {"BurleyGlassWithSheen050", vary(fuzzy, 0.5f, 0.0f, kSeparable), kLayered},
          {"BurleyTintedGlass050", vary(tinted_glass, 0.5f, 0.0f, kSeparable), kLayered},
          {"BurleyLeafy050", vary(leafy, 0.5f, 0.0f, kSeparable), kLayered},
          {"BurleyPaper050", vary(paper, 0.5f, 0.3f, kSeparable), kLayered},
          {"BurleyEverything050", vary(everything, 0.5f, 0.4f, kSeparable), kLayered},
          {"Sheet030", vary(sheet, 0.3f), kLayered},
          {"Sheet100", vary(sheet, 1.0f), kLayered},
          {"BrushedSheet050", vary(sheet, 0.5f, 0.6f), kLayered},
          {"Leaf050", vary(leaf, 0.5f), kLayered},
          {"Tinted030", vary(tinted, 0.3f), kLayered},
          {"TintedGlass050", vary(tinted_glass, 0.5f), kLayered},
          {"Leafy050", vary(leafy, 0.5f), kLayered},
          {"Paper050", vary(paper, 0.5f, 0.3f), kLayered},
          {"FilmOnMetal030", filmed(vary(metal, 0.3f), 1.4f, 400.0f), kLayered},
          {"FilmOnBase050", filmed(vary(base, 0.5f), 1.8f, 250.0f), kLayered},
          {"FilmOnGlass050", filmed(vary(clear, 0.5f), 2.0f, 300.0f), kLayered},
          {"FilmOnEverything050", filmed(vary(everything, 0.5f), 1.3f, 550.0f), kLayered}};
}

const float kViewCosines[] = {1.0f, 0.7f, 0.3f, 0.15f, 0.05f, -0.6f, -0.95f};

std::vector<glm::vec3> lobe_uniforms(uint32_t count) {
  std::vector<glm::vec3> u;
  for (uint32_t i = 0; i < count; ++i) u.emplace_back(Sampler{.seed = 6, .sample = i}.sample4(0));
  return u;
}

std::vector<glm::vec3> directions(uint32_t count) {
  std::vector<glm::vec3> w;
  for (uint32_t i = 0; i < count; ++i)
    w.push_back(sample_uniform_sphere(Sampler{.seed = 5, .sample = i}.sample4(0)));
  return w;
}

/// Whether the other direction is on the other side of the surface.
bool is_behind(glm::vec3 wi, glm::vec3 wo) {
  return wi.z * wo.z < 0.0f;
}

class Bsdf : public testing::TestWithParam<LobeCase> {
 protected:
  const LobeCase& c = GetParam();
  BsdfRunner bsdf;

  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; c.on_gpu && !why.empty())
      GTEST_SKIP() << why;
    const LobeNeeds needs = lobe_needs(std::span(&c.material, 1));
    bsdf = c.on_gpu ? make_cuda_bsdfs(needs) : make_host_bsdfs(c.features, needs);
  }

  /// Direction of scattering at a smooth surface, on the side of `wo` or on the other side.
  glm::vec3 main_direction(glm::vec3 wo, bool behind) const {
    if (!behind) return {-wo.x, -wo.y, wo.z};
    const float eta = c.eta(wo), sin2 = (1.0f - wo.z * wo.z) / (eta * eta);
    if (sin2 >= 1.0f) return glm::normalize(glm::vec3{-wo.x, -wo.y, -0.01f * wo.z});
    return {-wo.x / eta, -wo.y / eta, std::copysign(std::sqrt(1.0f - sin2), -wo.z)};
  }

  /// Bins that resolve the lobes of `wo` on one side of the surface, and integrals over each.
  struct Integrals {
    DirectionBins bins;
    std::vector<double> f, pdf;  ///< [bin]; f is multiplied by the cosine
    double f_sum, pdf_sum;
  };
  Integrals integrate(glm::vec3 wo, bool behind) const {
    const DirectionBins bins{
        .axis = main_direction(wo, behind), .focus = kNarrowFocus, .subdivision = 8};
    std::vector<glm::vec3> wi;
    bins.integrate([&](glm::vec3 w) {
      wi.push_back(w);
      return 0.0f;
    });
    const std::vector<BsdfValue> values = bsdf.eval(c.material, wo, wi);
    auto integral = [&](const auto& function) {
      size_t next = 0;
      return bins.integrate([&](glm::vec3 w) {
        const BsdfValue& value = values[next++];
        return is_behind(w, wo) == behind ? function(value, w) : 0.0f;
      });
    };
    const auto f =
        integral([](const BsdfValue& value, glm::vec3 w) { return value.f.y * std::abs(w.z); });
    const auto pdf = integral([](const BsdfValue& value, glm::vec3) { return value.pdf; });
    return {bins, f, pdf, std::accumulate(f.begin(), f.end(), 0.0),
            std::accumulate(pdf.begin(), pdf.end(), 0.0)};
  }
};

// Each side has its own bins; all samples on the other side are in one bin. The mean weight is the
// albedo, which the integral of f cos gives as well.
TEST_P(Bsdf, SamplesFollowTheDensityAndTheirMeanWeightIsTheAlbedo) {
  constexpr uint32_t kSampleCount = 50'000;
  const int test_count = int(2 * std::size(kViewCosines) * lobe_cases().size());
  const std::vector<glm::vec3> u = lobe_uniforms(kSampleCount);
  for (float cosine : kViewCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = bsdf.sample(c.material, wo, u);
    double total = 0.0;
    for (bool behind : {false, true}) {
      SCOPED_TRACE(testing::Message() << "cosine " << cosine << (behind ? ", behind" : ""));
      const auto is_here = [&](const BsdfSample& sample) {
        return sample.pdf > 0.0f && is_behind(sample.wi, wo) == behind;
      };
      const Estimate weight = estimate(samples.size(), [&](size_t i) {
        return is_here(samples[i]) ? samples[i].weight.y : 0.0f;
      });
      if (behind && !c.transmits()) {
        EXPECT_EQ(weight.mean, 0.0);
        continue;
      }
      const Integrals integrals = integrate(wo, behind);
      EXPECT_NEAR(weight.mean, integrals.f_sum, 4.0 * weight.error + 3e-3);

      total += integrals.pdf_sum;
      std::vector<HistogramBin> histogram;
      for (double pdf : integrals.pdf) histogram.push_back({.expected = pdf * kSampleCount});
      histogram.push_back({.expected = std::max(1.0 - integrals.pdf_sum, 0.0) * kSampleCount});
      for (const BsdfSample& sample : samples) {
        const bool counts = sample.weight != glm::vec3(0.0f) && is_here(sample);
        ++histogram[counts ? integrals.bins.bin_of(sample.wi) : integrals.bins.count()].observed;
      }
      if (histogram.back().expected < 5e-3 * kSampleCount &&
          histogram.back().observed < 5e-3 * kSampleCount)
        histogram.pop_back();
      if (integrals.pdf_sum > 1e-2) {
        EXPECT_TRUE(fits_density(histogram, test_count));
      }
    }
    EXPECT_LT(total, 1.0 + 5e-3) << cosine;
  }
}

TEST_P(Bsdf, WeightIsValueTimesCosineOverDensity) {
  for (float cosine : kViewCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = bsdf.sample(c.material, wo, lobe_uniforms(2000));
    std::vector<glm::vec3> wi;
    for (const BsdfSample& sample : samples) wi.push_back(sample.wi);
    const std::vector<BsdfValue> values = bsdf.eval(c.material, wo, wi);
    int compared = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
      const BsdfSample& sample = samples[i];
      if (sample.weight == glm::vec3(0.0f) || sample.pdf == 0.0f) continue;
      ++compared;
      EXPECT_NEAR(glm::length(sample.wi), 1.0f, 1e-5f);
      const glm::vec3 weight = values[i].f * std::abs(sample.wi.z) / values[i].pdf;
      // The half vector of a narrow lobe, computed from `wi`, has a few digits less.
      const bool is_basic = !c.features.extended;
      EXPECT_NEAR(sample.pdf / values[i].pdf, 1.0f, is_basic ? 2e-3f : 5e-3f) << cosine;
      EXPECT_LT(glm::length(sample.weight - weight),
                is_basic ? 1e-5f : 2e-5f * (1.0f + glm::length(weight)));
      const bool behind = is_behind(sample.wi, wo);
      EXPECT_FLOAT_EQ(sample.eta_scale, behind ? c.eta(wo) * c.eta(wo) : 1.0f);
      EXPECT_TRUE(c.transmits() || !behind);
    }
    EXPECT_GT(compared, 100);
  }
}

// For refraction, radiance over the squared index is reciprocal. Principled surfaces depend on the
// direction of view.
TEST_P(Bsdf, IsReciprocal) {
  if (c.material.type == MaterialType::kPrincipled) return;
  const std::vector<glm::vec3> wi = directions(200);
  for (float cosine : kViewCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfValue> there = bsdf.eval(c.material, wo, wi);
    for (size_t i = 0; i < wi.size(); ++i) {
      const bool behind = is_behind(wi[i], wo);
      const glm::vec3 back = bsdf.eval(c.material, wi[i], {wo})[0].f;
      const glm::vec3 scaled = there[i].f * (behind ? c.eta(wo) * c.eta(wo) : 1.0f);
      const float tolerance =
          c.features.extended ? 1e-4f * glm::length(back) + 1e-6f : 1e-5f * glm::length(back);
      EXPECT_LE(glm::length(scaled - back), tolerance)
          << cosine << " " << behind << ": " << scaled.x << " " << back.x;
    }
  }
}

/// Microfacets by the textbook, in double.
struct TextbookFacets {
  MicrofacetDistribution distribution;
  double alpha_x, alpha_y;

  explicit TextbookFacets(const Material& material) : distribution(material.distribution) {
    const double alpha = std::pow(std::max(double(material.roughness), 0.0316), 2);
    const double ratio =
        std::sqrt((1.0 + material.anisotropy) / (1.0 - double(material.anisotropy)));
    alpha_x = std::min(alpha * ratio, 1.0), alpha_y = std::min(alpha / ratio, 1.0);
  }

  /// Smith's Lambda.
  double lambda(glm::dvec3 w) const {
    const double tangent = std::hypot(alpha_x * w.x, alpha_y * w.y) / std::abs(w.z);
    if (tangent == 0.0) return 0.0;
    if (distribution == MicrofacetDistribution::kGgx) return 0.5 * (std::hypot(1.0, tangent) - 1.0);
    const double a = 1.0 / tangent;
    return 0.5 * (std::erf(a) - 1.0) + std::exp(-a * a) / (2.0 * a * std::sqrt(M_PI));
  }

  /// A normal with the density D cos.
  glm::dvec3 sample(double u, double v) const {
    const double slope = distribution == MicrofacetDistribution::kGgx ? std::sqrt(u / (1.0 - u))
                                                                      : std::sqrt(-std::log1p(-u));
    const double phi = 2.0 * M_PI * v;
    return glm::normalize(
        glm::dvec3(alpha_x * slope * std::cos(phi), alpha_y * slope * std::sin(phi), 1.0));
  }
};

/// Albedos of a microfacet surface in reflection and transmission, single scattering.
struct TextbookAlbedo {
  double reflected = 0.0, transmitted = 0.0;
};

/// The integral over microfacet normals of F D G2 (w . h) / cos, and of the same with 1 - F and
/// separable masking.
///
/// @param eta      index on the far side over that on the near side
/// @param fresnel  (double cosine) -> reflectance
template <class Fresnel>
TextbookAlbedo textbook_albedo(const TextbookFacets& facets, Masking masking, glm::dvec3 wo,
                               double eta, const Fresnel& fresnel, int steps = 160) {
  TextbookAlbedo albedo;
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < steps; ++j) {
      const double s = 1.0 - (i + 0.5) / steps;  // dense at steep normals, where weights are large
      const glm::dvec3 h = facets.sample(1.0 - s * s, (j + 0.5) / steps);
      const double cos_o = glm::dot(wo, h);
      if (cos_o <= 0.0) continue;
      const double weight = 2.0 * s * cos_o / (wo.z * h.z * steps * steps);
      const double f = fresnel(cos_o), lambda_o = facets.lambda(wo);
      const glm::dvec3 reflected = 2.0 * cos_o * h - wo;
      if (reflected.z > 0.0) {
        const double lambda_i = facets.lambda(reflected);
        albedo.reflected += weight * f /
                            (masking == Masking::kCorrelated ? 1.0 + lambda_o + lambda_i
                                                             : (1.0 + lambda_o) * (1.0 + lambda_i));
      }
      const double cos2_t = 1.0 - (1.0 - cos_o * cos_o) / (eta * eta);
      if (f >= 1.0 || cos2_t <= 0.0) continue;
      const glm::dvec3 refracted = (cos_o / eta - std::sqrt(cos2_t)) * h - wo / eta;
      if (refracted.z < 0.0)
        albedo.transmitted +=
            weight * (1.0 - f) / ((1.0 + lambda_o) * (1.0 + facets.lambda(refracted)));
    }
  return albedo;
}

/// Albedo of rough plastic with a white base. Light that enters is reflected at the base, and again
/// with the boundary's mean internal reflectance, until it leaves.
double textbook_plastic_albedo(const Material& material, glm::dvec3 wo) {
  const TextbookFacets facets(material);
  auto boundary = [&](glm::dvec3 w, double eta, int steps) {
    return textbook_albedo(facets, Masking::kSeparable, w, eta, boundary_reflectance(eta), steps);
  };
  auto at = [](double cosine) { return glm::dvec3(std::sqrt(1.0 - cosine * cosine), 0.0, cosine); };
  const double ior = material.ior;
  const double leaves =
      mean_over_cosine([&](double c) { return boundary(at(c), ior, 40).transmitted; });
  const double back =
      mean_over_cosine([&](double c) { return boundary(at(c), 1.0 / ior, 40).reflected; });
  const TextbookAlbedo seen = boundary(wo, ior, 160);
  return seen.reflected + seen.transmitted * leaves / (ior * ior * (1.0 - back));
}

/// The albedo of a white material in red, and how far the BSDF may differ from it: exact, by tables
/// or with approximate layers.
struct ExpectedAlbedo {
  double value, tolerance;
};

ExpectedAlbedo expected_albedo(const Material& material, glm::vec3 w) {
  using enum MaterialType;
  constexpr double kExact = 3e-3, kTabulated = 0.01, kApproximate = 0.06;
  glm::dvec3 wo(w.x, w.y, std::abs(w.z));
  const TextbookFacets facets(material);
  if (material.type == kConductor) {
    auto fresnel = [&](double cosine) {
      return double(conductor_fresnel<kExtended>(material, float(cosine)).x);
    };
    return {textbook_albedo(facets, material.masking, wo, 1.0, fresnel).reflected, kExact};
  }
  if (material.type == kRoughDielectric) {
    const double eta = w.z > 0.0f ? material.ior : 1.0 / material.ior;
    const TextbookAlbedo albedo =
        textbook_albedo(facets, material.masking, wo, eta, boundary_reflectance(eta));
    return {albedo.reflected + albedo.transmitted, kExact};
  }
  if (material.type == kPlastic && material.roughness > 0.0f)
    return {textbook_plastic_albedo(material, wo), kTabulated};
  if (material.type == kPrincipled) {
    // In every colour, the base gets what a thin film leaves of the brightest colour.
    constexpr ExpectedAlbedo kColoured{0.93, 0.08};
    if (material.iridescence > 0.0f && material.metallic < 1.0f) return kColoured;
    return {1.0, material.anisotropy == 0.0f ? kTabulated : kApproximate};
  }
  return {1.0, kTabulated};
}

// In a white furnace, the only energy that may be lost is that of multiple scattering, where the
// model has none.
TEST_P(Bsdf, WhiteSurfaceHasTheExpectedAlbedoAndAddsNoEnergy) {
  // Burley's surface loses the light of multiple scattering. It may add energy unless it is glass
  // without sheen and tint.
  const bool is_burley =
      c.material.type == MaterialType::kPrincipled && c.material.masking == Masking::kSeparable;
  const bool may_add =
      is_burley && (c.material.transmission < 1.0f || c.material.sheen != glm::vec3(0.0f) ||
                    c.material.specular_tint != kWhite);
  Material white = c.material;
  white.reflectance = white.specular = white.diffuse_transmission_color = kWhite;
  const std::vector<glm::vec3> u = lobe_uniforms(10'000);
  for (float cosine : {1.0f, 0.8f, 0.5f, 0.25f, 0.1f, 0.03f, -0.03f, -0.1f, -0.5f, -0.9f}) {
    SCOPED_TRACE(cosine);
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = bsdf.sample(white, wo, u);
    const Estimate albedo = estimate(samples.size(), [&](size_t i) { return energy(samples[i]); });
    const ExpectedAlbedo expected = expected_albedo(white, wo);
    if (!is_burley) {
      EXPECT_NEAR(albedo.mean, expected.value, expected.tolerance + 4.0 * albedo.error);
    }
    if (may_add) continue;
    // The multiple scattering of principled surfaces is tabulated, for isotropic ones only.
    const bool by_table = white.type == MaterialType::kPrincipled;
    const double tables = !by_table ? 1e-6 : white.anisotropy == 0.0f ? 0.01 : 0.03;
    EXPECT_LE(albedo.mean, 1.0 + 4.0 * albedo.error + tables);
    if (c.features.extended) continue;
    for (const BsdfSample& sample : samples) EXPECT_LE(sample.weight.x, 1.0f + 1e-6f);
  }
}

TEST_P(Bsdf, ScattersToTheOtherSideOnlyByRefraction) {
  if (c.transmits()) return;
  for (float cosine : kViewCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    for (const BsdfSample& sample : bsdf.sample(c.material, wo, lobe_uniforms(2000)))
      EXPECT_TRUE(sample.weight == glm::vec3(0.0f) || sample.wi.z * wo.z > 0.0f);
    std::vector<glm::vec3> behind = directions(2000);
    for (glm::vec3& wi : behind) wi.z = -std::copysign(wi.z, wo.z);
    for (const BsdfValue& value : bsdf.eval(c.material, wo, behind)) {
      EXPECT_EQ(value.f, glm::vec3(0.0f));
      EXPECT_EQ(value.pdf, 0.0f);
    }
  }
}

TEST_P(Bsdf, IsFiniteAtGrazing) {
  const std::vector<glm::vec3> u = {glm::vec3(0.0f), glm::vec3(kOneMinusEpsilon), glm::vec3(0.5f)};
  auto is_usable = [](float x) { return std::isfinite(x) && x >= 0.0f; };
  Material smoothest = c.material;
  smoothest.roughness = 0.0f;
  for (const Material& material : {c.material, smoothest})
    for (float z : {0.0f, 1e-30f, 1e-12f, 2e-7f, 1e-3f, -2e-7f, -1e-30f}) {
      const glm::vec3 wo{std::sqrt(1.0f - z * z), 0.0f, z};
      const std::vector<glm::vec3> wi = {wo, {-wo.x, 0.0f, z}, {-wo.x, 0.0f, -z}, {0, 0, 1}, -wo};
      for (const BsdfValue& value : bsdf.eval(material, wo, wi))
        EXPECT_TRUE(is_usable(value.f.y) && is_usable(value.pdf))
            << z << ": " << value.f.y << " " << value.pdf;
      for (const BsdfSample& sample : bsdf.sample(material, wo, u))
        EXPECT_TRUE(is_usable(sample.weight.y) && std::isfinite(sample.pdf) &&
                    std::isfinite(sample.wi.z))
            << z;
    }
}

// A specular material has samples but neither value nor density, so that light sampling skips it.
// A black metal terminates a path; a black base below a boundary still has a highlight.
template <Features kFeatures>
void expect_kind(MaterialType type, bool is_specular, bool can_be_black) {
  SCOPED_TRACE(int(type));
  const glm::vec3 wo{0.6f, 0.0f, 0.8f}, mirrored{-0.6f, 0.0f, 0.8f};
  const Bsdfs<kFeatures> bsdfs{};
  Material material{.type = type};
  EXPECT_EQ(bsdfs.is_specular(material), is_specular);
  if (is_specular) {
    for (glm::vec3 wi : {mirrored, -wo}) {
      EXPECT_EQ(bsdfs.eval(material, wo, wi).f, glm::vec3(0.0f));
      EXPECT_EQ(bsdfs.eval(material, wo, wi).pdf, 0.0f);
    }
    EXPECT_EQ(bsdfs.sample(material, wo, glm::vec3(0.0f)).wi, mirrored);
    EXPECT_EQ(bsdfs.sample(material, wo, glm::vec3(0.0f)).pdf, 0.0f);
  }
  material.reflectance = glm::vec3(0.0f);
  EXPECT_EQ(bsdfs.is_black(material), can_be_black);
  if (!can_be_black) return;
  for (glm::vec3 u : lobe_uniforms(100))
    EXPECT_EQ(bsdfs.sample(material, {0.995f, 0.0f, 0.1f}, u).weight, glm::vec3(0.0f));
  material.reflectance.z = 0.1f;
  EXPECT_FALSE(bsdfs.is_black(material));
}

TEST(Bsdfs, KnowWhatIsSpecularAndWhatIsBlack) {
  using enum MaterialType;
  auto expect_in_both = [](MaterialType type, bool is_specular, bool can_be_black) {
    expect_kind<kBasic>(type, is_specular, can_be_black);
    expect_kind<kExtended>(type, is_specular, can_be_black);
  };
  expect_in_both(kDiffuse, false, true);
  expect_in_both(kMirror, true, true);
  expect_in_both(kConductor, false, true);
  expect_in_both(kDielectric, true, false);
  expect_kind<kExtended>(kThinDielectric, true, false);
  for (MaterialType type : {kRoughDielectric, kPlastic, kPrincipled})
    expect_kind<kExtended>(type, false, false);
}

std::string name_of_lobe(const testing::TestParamInfo<LobeCase>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Lobes, Bsdf, testing::ValuesIn(lobe_cases()), name_of_lobe);

#ifdef WINNOW_GPU_TESTS
std::vector<LobeCase> lobe_cases_on_gpu() {
  std::vector<LobeCase> cases = lobe_cases();
  std::erase_if(cases, [](const LobeCase& c) { return !c.features.extended; });
  for (LobeCase& c : cases) c.on_gpu = true;
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Gpu, Bsdf, testing::ValuesIn(lobe_cases_on_gpu()), name_of_lobe);
#endif

}  // namespace
}  // namespace winnow
