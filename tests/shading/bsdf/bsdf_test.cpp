// SPDX-License-Identifier: MIT
#include "shading/bsdf/bsdf.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "backend/renderer.h"
#include "scene/optical_constants.h"
#include "tests/shading/bsdf/support/bsdf_runner.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

// Properties of all BSDFs, on the host and on a GPU: over roughness, anisotropy and angle, from
// both sides.

struct Case {
  std::string name;
  Material material;
  bool refracts = false;
  bool on_gpu = false;
  Features features = kExtended;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

const glm::vec3 kTint{0.9f, 0.5f, 0.2f}, kWhite{1.0f};

std::vector<Case> cases(bool on_gpu = false) {
  using enum MaterialType;
  std::vector<Case> all;
  auto add = [&](const char* name, Material material) {
    const bool refracts = material.type == kRoughDielectric ||
                          (material.transmission > 0.0f && material.metallic < 1.0f);
    all.push_back({name, material, refracts, on_gpu});
  };
  Material gold{.type = kConductor, .reflectance = kWhite};
  gold.metal_n = find_metal("gold")->n;
  gold.metal_k = find_metal("gold")->k;
  Material schlick{.type = kConductor, .reflectance = kTint};
  Material glass{.type = kRoughDielectric, .reflectance = kTint};
  auto vary = [](Material material, float roughness, float anisotropy,
                 Masking masking = Masking::kCorrelated) {
    material.roughness = roughness;
    material.anisotropy = anisotropy;
    material.masking = masking;
    return material;
  };
  auto add_basic = [&](const char* name, Material material) {
    if (!on_gpu) all.push_back({name, material, false, false, kBasic});
  };
  add_basic("BasicDiffuse", {.type = kDiffuse, .reflectance = kTint});
  add_basic("BasicConductor010", vary(schlick, 0.1f, 0.0f));
  add_basic("BasicConductor030", vary(schlick, 0.3f, 0.0f));
  add_basic("BasicConductor060", vary(schlick, 0.6f, 0.0f));
  add_basic("BasicConductor100", vary(schlick, 1.0f, 0.0f));
  add("Diffuse", {.type = kDiffuse, .reflectance = kTint});
  add("Gold010", vary(gold, 0.1f, 0.0f));
  add("Gold050", vary(gold, 0.5f, 0.0f, Masking::kSeparable));
  add("Gold100", vary(gold, 1.0f, 0.0f));
  add("BrushedGold030", vary(gold, 0.3f, 0.6f));
  add("BrushedGold060", vary(gold, 0.6f, -0.6f, Masking::kSeparable));
  add("Schlick040", vary(schlick, 0.4f, 0.5f));
  add("Glass030", vary(glass, 0.3f, 0.0f));
  add("Glass060", vary(glass, 0.6f, 0.0f, Masking::kSeparable));
  add("Glass100", vary(glass, 1.0f, 0.0f));
  add("BrushedGlass050", vary(glass, 0.5f, 0.6f));
  glass.ior = 2.4f;
  glass.specular = kTint;
  add("Diamond050", vary(glass, 0.5f, -0.5f));

  const Material plastic{.type = kPlastic, .reflectance = kTint};
  add("Plastic000", vary(plastic, 0.0f, 0.0f));
  add("Plastic030", vary(plastic, 0.3f, 0.0f));
  add("Plastic080", vary(plastic, 0.8f, 0.0f));

  auto beckmann = [](Material material) {
    material.distribution = MicrofacetDistribution::kBeckmann;
    return material;
  };
  add("BeckmannGold010", beckmann(vary(gold, 0.1f, 0.0f)));
  add("BeckmannGold050", beckmann(vary(gold, 0.5f, 0.0f, Masking::kSeparable)));
  add("BeckmannGold100", beckmann(vary(gold, 1.0f, 0.0f)));
  add("BrushedBeckmannGold060", beckmann(vary(gold, 0.6f, 0.6f)));
  add("BeckmannGlass040", beckmann(vary(glass, 0.4f, 0.0f, Masking::kSeparable)));
  add("BeckmannGlass080", beckmann(vary(glass, 0.8f, 0.0f)));
  add("BrushedBeckmannGlass050", beckmann(vary(glass, 0.5f, -0.6f)));
  add("BeckmannPlastic050", beckmann(vary(plastic, 0.5f, 0.0f)));

  Material nonlinear = vary(plastic, 0.5f, 0.0f);
  nonlinear.nonlinear = true;
  nonlinear.specular = kTint;
  add("NonlinearPlastic050", nonlinear);

  const Material base{.type = kPrincipled, .reflectance = kTint};
  add("Base020", vary(base, 0.2f, 0.0f));
  add("Base070", vary(base, 0.7f, 0.5f));
  Material changed = base;
  changed.metallic = 1.0f;
  add("Metal030", vary(changed, 0.3f, 0.0f));
  add("Metal100", vary(changed, 1.0f, 0.0f));
  add("BrushedMetal060", vary(changed, 0.6f, 0.6f));
  changed.metallic = 0.0f;
  changed.transmission = 1.0f;
  add("PrincipledGlass030", vary(changed, 0.3f, 0.0f));
  add("PrincipledGlass100", vary(changed, 1.0f, 0.0f));
  changed = vary(base, 0.5f, 0.0f);
  changed.coat = 0.8f;
  changed.coat_roughness = 0.3f;
  add("Coated050", changed);
  changed = vary(base, 0.5f, 0.0f);
  changed.sheen = {0.9f, 0.7f, 0.5f};
  changed.sheen_roughness = 0.4f;
  add("Velvet050", changed);
  changed.metallic = 0.3f;
  changed.transmission = 0.5f;
  changed.coat = 0.5f;
  changed.coat_roughness = 0.4f;
  changed.anisotropy = 0.4f;
  changed.specular = {0.8f, 0.6f, 1.0f};
  add("Everything050", changed);
  return all;
}

glm::vec3 at_cosine(float cosine) {
  const float sine = std::sqrt(1.0f - cosine * cosine);
  return {0.6f * sine, 0.8f * sine, cosine};
}

const float kCosines[] = {1.0f, 0.7f, 0.3f, 0.15f, 0.05f, -0.6f, -0.95f};

std::vector<glm::vec3> uniforms(uint32_t count) {
  std::vector<glm::vec3> u;
  for (uint32_t i = 0; i < count; ++i)
    u.push_back(glm::vec3(Sampler{.seed = 6, .sample = i}.sample4(0)));
  return u;
}

std::vector<glm::vec3> directions(uint32_t count) {
  std::vector<glm::vec3> w;
  for (uint32_t i = 0; i < count; ++i) {
    const glm::vec4 u = Sampler{.seed = 5, .sample = i}.sample4(0);
    w.push_back(sample_uniform_sphere({u.x, u.y}));
  }
  return w;
}

/// Direction of scattering at a smooth surface, on the side of `wo` or on the other side.
glm::vec3 main_direction(const Case& c, glm::vec3 wo, bool behind) {
  if (!behind) return {-wo.x, -wo.y, wo.z};
  const float eta = wo.z > 0.0f ? c.material.ior : 1.0f / c.material.ior;
  const float sin2 = (1.0f - wo.z * wo.z) / (eta * eta);
  if (sin2 >= 1.0f) return glm::normalize(glm::vec3{-wo.x, -wo.y, -0.01f * wo.z});
  return {-wo.x / eta, -wo.y / eta, std::copysign(std::sqrt(1.0f - sin2), -wo.z)};
}

class Bsdf : public testing::TestWithParam<Case> {
 protected:
  const Case& c = GetParam();
  std::unique_ptr<BsdfRunner> bsdf;

  int chi_square_tests() const { return int(2 * std::size(kCosines) * cases().size()); }

  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; c.on_gpu && !why.empty())
      GTEST_SKIP() << why;
    const LobeNeeds needs = lobe_needs(std::span(&c.material, 1));
    bsdf = c.on_gpu ? make_cuda_bsdfs(needs) : make_host_bsdfs(c.features, needs);
    ASSERT_TRUE(bsdf);
  }

  /// Bins that resolve the lobes of `wo` on one side of the surface.
  DirectionBins bins_for(glm::vec3 wo, bool behind) const {
    return {.axis = main_direction(c, wo, behind), .focus = kNarrowFocus, .subdivision = 16};
  }

  /// f and pdf, integrated over each bin of one side. f is multiplied with the cosine.
  void integrate(const DirectionBins& bins, glm::vec3 wo, bool behind, std::vector<double>& f,
                 std::vector<double>& pdf) const {
    std::vector<glm::vec3> wi;
    bins.integrate([&](glm::vec3 w) {
      wi.push_back(w);
      return 0.0f;
    });
    const std::vector<BsdfValue> values = bsdf->eval(c.material, wo, wi);
    size_t next = 0;
    auto on_side = [&](size_t i) { return (wi[i].z * wo.z < 0.0f) == behind ? 1.0f : 0.0f; };
    f = bins.integrate([&](glm::vec3 w) {
      const size_t i = next++;
      return on_side(i) * values[i].f.y * std::abs(w.z);
    });
    next = 0;
    pdf = bins.integrate([&](glm::vec3) {
      const size_t i = next++;
      return on_side(i) * values[i].pdf;
    });
  }
};

double sum(const std::vector<double>& numbers) {
  double total = 0.0;
  for (double number : numbers) total += number;
  return total;
}

// Each side with its own bins; all samples on the other side are in one bin.
TEST_P(Bsdf, SamplesFollowTheDensity) {
  constexpr uint32_t kSampleCount = 50'000;
  const std::vector<glm::vec3> u = uniforms(kSampleCount);
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = bsdf->sample(c.material, wo, u);
    double total = 0.0;
    for (bool behind : {false, true}) {
      if (behind && !c.refracts) continue;
      SCOPED_TRACE(testing::Message() << "cosine " << cosine << (behind ? ", behind" : ""));
      const DirectionBins bins = bins_for(wo, behind);
      std::vector<double> f, pdf;
      integrate(bins, wo, behind, f, pdf);
      total += sum(pdf);
      std::vector<HistogramBin> histogram(size_t(bins.count()) + 1);
      for (size_t i = 0; i < pdf.size(); ++i) histogram[i].expected = pdf[i] * kSampleCount;
      histogram.back().expected = std::max(1.0 - sum(pdf), 0.0) * kSampleCount;
      for (const BsdfSample& sample : samples) {
        const bool here = sample.weight != glm::vec3(0.0f) && sample.pdf > 0.0f &&
                          (sample.wi.z * wo.z < 0.0f) == behind;
        ++histogram[here ? size_t(bins.bin_of(sample.wi)) : pdf.size()].observed;
      }
      if (histogram.back().expected < 5e-3 * kSampleCount &&
          histogram.back().observed < 5e-3 * kSampleCount)
        histogram.pop_back();
      if (sum(pdf) > 1e-2) {
        EXPECT_TRUE(fits_density(histogram, chi_square_tests()));
      }
    }
    EXPECT_LT(total, 1.0 + 5e-3) << cosine;
  }
}

TEST_P(Bsdf, WeightIsValueTimesCosineOverDensity) {
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = bsdf->sample(c.material, wo, uniforms(2000));
    std::vector<glm::vec3> wi;
    for (const BsdfSample& sample : samples) wi.push_back(sample.wi);
    const std::vector<BsdfValue> values = bsdf->eval(c.material, wo, wi);
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
      const bool behind = sample.wi.z * wo.z < 0.0f;
      const float eta = wo.z > 0.0f ? c.material.ior : 1.0f / c.material.ior;
      EXPECT_FLOAT_EQ(sample.eta_scale, behind ? eta * eta : 1.0f);
      EXPECT_TRUE(c.refracts || !behind);
    }
    EXPECT_GT(compared, 100);
  }
}

// Albedo by samples, and by numerical integration of f cos.
TEST_P(Bsdf, MeanWeightIsTheIntegralOfValueTimesCosine) {
  const std::vector<glm::vec3> u = uniforms(20'000);
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = bsdf->sample(c.material, wo, u);
    for (bool behind : {false, true}) {
      std::vector<double> f, pdf;
      integrate(bins_for(wo, behind), wo, behind, f, pdf);
      double mean = 0.0, square = 0.0;
      for (const BsdfSample& sample : samples) {
        const bool here = sample.pdf > 0.0f && (sample.wi.z * wo.z < 0.0f) == behind;
        const double weight = here ? sample.weight.y : 0.0;
        mean += weight / double(u.size());
        square += weight * weight / double(u.size());
      }
      const double error = std::sqrt(std::max(square - mean * mean, 0.0) / double(u.size()));
      EXPECT_NEAR(mean, sum(f), 4.0 * error + 3e-3) << "cosine " << cosine << ", " << behind;
    }
  }
}

// For refraction, radiance over the squared index is reciprocal.
TEST_P(Bsdf, IsReciprocal) {
  const std::vector<glm::vec3> wi = directions(1000);
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfValue> there = bsdf->eval(c.material, wo, wi);
    for (size_t i = 0; i < 200; ++i) {
      const bool behind = wi[i].z * wo.z < 0.0f;
      const float eta = wo.z > 0.0f ? c.material.ior : 1.0f / c.material.ior;
      const glm::vec3 back = bsdf->eval(c.material, wi[i], {wo})[0].f;
      const glm::vec3 scaled = there[i].f * (behind ? eta * eta : 1.0f);
      const float tolerance =
          c.features.extended ? 1e-4f * glm::length(back) + 1e-6f : 1e-5f * glm::length(back);
      EXPECT_LE(glm::length(scaled - back), tolerance)
          << cosine << " " << behind << ": " << scaled.x << " " << back.x;
    }
  }
}

TEST_P(Bsdf, WhiteSurfaceReflectsNoMoreThanArrives) {
  Material white = c.material;
  white.reflectance = white.specular = kWhite;
  const std::vector<glm::vec3> u = uniforms(20'000);
  for (float cosine : {1.0f, 0.7f, 0.4f, 0.15f, 0.03f, -0.03f, -0.15f, -0.6f, -0.95f}) {
    const glm::vec3 wo = at_cosine(cosine);
    double mean = 0.0, square = 0.0;
    for (const BsdfSample& sample : bsdf->sample(white, wo, u)) {
      const double energy = sample.weight.x * sample.eta_scale;
      mean += energy / double(u.size());
      square += energy * energy / double(u.size());
      if (!c.features.extended) {
        EXPECT_LE(sample.weight.x, 1.0f + 1e-6f);
      }
    }
    const double error = std::sqrt(std::max(square - mean * mean, 0.0) / double(u.size()));
    // The multiple scattering of principled surfaces is tabulated, for isotropic ones only.
    const bool by_table = white.type == MaterialType::kPrincipled;
    const double tables = !by_table ? 1e-6 : white.anisotropy == 0.0f ? 0.01 : 0.03;
    EXPECT_LE(mean, 1.0 + 4.0 * error + tables) << cosine;
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

/// Cosine-weighted mean over directions.
template <class Function>
double mean_over_cosine(const Function& function) {
  constexpr int kSteps = 48;
  double mean = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    const double cosine = (i + 0.5) / kSteps;
    mean += 2.0 * cosine * function(cosine) / kSteps;
  }
  return mean;
}

/// Albedo of rough plastic with a white base. Light that enters is reflected at the base, and again
/// with the boundary's mean internal reflectance, until it leaves.
double textbook_plastic_albedo(const Material& material, glm::dvec3 wo) {
  const TextbookFacets facets(material);
  auto boundary = [&](glm::dvec3 w, double eta, int steps) {
    return textbook_albedo(
        facets, Masking::kSeparable, w, eta,
        [&](double cosine) {
          return double(cross_dielectric(float(cosine), float(eta)).reflected);
        },
        steps);
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

/// Albedo of a white principled surface with sheen or coat, by the tabulated albedos of both. Below
/// them, all but the mirror reflection of metal and boundary counts as Lambertian.
double layered_albedo(const Material& material, glm::vec3 w) {
  static const LobeTables tables =
      make_lobe_tables({.principled = true}, []<class T>(const std::vector<T>& items) {
        return simt::Span<const T>(items.data(), items.size());
      });
  auto sheen = [&](double c) {
    return double(material.sheen.x * tables.sheen.at(float(c), material.sheen_roughness));
  };
  auto coat = [&](double c) {
    return double(material.coat * tables.boundary.at(float(c), material.coat_roughness, kCoatIor));
  };
  const double cosine = std::abs(w.z), metal = material.metallic;
  if (w.z < 0.0f && material.transmission > 0.0f) {  // attenuates only what leaves the glass
    const double eta = 1.0 / material.ior;
    auto fresnel = [&](double c) {
      return double(cross_dielectric(float(c), float(eta)).reflected);
    };
    const double leaves = (1.0 - metal) * material.transmission *
                          textbook_albedo(TextbookFacets(material), Masking::kSeparable,
                                          {w.x, w.y, cosine}, eta, fresnel)
                              .transmitted;
    return 1.0 - leaves * mean_over_cosine(
                              [&](double c) { return 1.0 - (1.0 - sheen(c)) * (1.0 - coat(c)); });
  }
  const double diffuse = mean_over_cosine([&](double c) {
    return (1.0 - std::max(sheen(c), sheen(cosine))) * (1.0 - std::max(coat(c), coat(cosine)));
  });
  const double mirror = (1.0 - sheen(cosine)) * (1.0 - coat(cosine));
  const double boundary = tables.boundary.at(float(cosine), material.roughness, material.ior);
  const double mirror_share = metal + (1.0 - metal) * boundary;
  const double fibres = sheen(cosine) * mean_over_cosine([&](double c) {
                          return 1.0 - std::max(coat(c), coat(cosine));
                        });
  return mirror_share * mirror + (1.0 - mirror_share) * diffuse + fibres + coat(cosine);
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
    auto fresnel = [&](double cosine) {
      return double(cross_dielectric(float(cosine), float(eta)).reflected);
    };
    const TextbookAlbedo albedo = textbook_albedo(facets, material.masking, wo, eta, fresnel);
    return {albedo.reflected + albedo.transmitted, kExact};
  }
  if (material.type == kPlastic && material.roughness > 0.0f)
    return {textbook_plastic_albedo(material, wo), kTabulated};
  if (material.type == kPrincipled) {
    const bool is_layered = material.coat > 0.0f || material.sheen != glm::vec3(0.0f);
    if (is_layered) return {layered_albedo(material, w), kApproximate};
    return {1.0, material.anisotropy == 0.0f ? kTabulated : kApproximate};
  }
  return {1.0, kTabulated};
}

// In a white furnace, the only energy that may be lost is that of multiple scattering, where the
// model has none.
TEST_P(Bsdf, WhiteSurfaceHasTheExpectedAlbedo) {
  Material white = c.material;
  white.reflectance = white.specular = kWhite;
  const std::vector<glm::vec3> u = uniforms(20'000);
  for (float cosine : {1.0f, 0.8f, 0.5f, 0.25f, 0.1f, -0.1f, -0.5f, -0.9f}) {
    double mean = 0.0, square = 0.0;
    for (const BsdfSample& sample : bsdf->sample(white, at_cosine(cosine), u)) {
      const double energy = sample.weight.x * sample.eta_scale;
      mean += energy / double(u.size());
      square += energy * energy / double(u.size());
    }
    const double error = std::sqrt(std::max(square - mean * mean, 0.0) / double(u.size()));
    const ExpectedAlbedo expected = expected_albedo(white, at_cosine(cosine));
    EXPECT_NEAR(mean, expected.value, expected.tolerance + 4.0 * error) << cosine;
  }
}

TEST_P(Bsdf, ScattersToTheOtherSideOnlyByRefraction) {
  if (c.refracts) return;
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    for (const BsdfSample& sample : bsdf->sample(c.material, wo, uniforms(2000)))
      if (sample.weight != glm::vec3(0.0f)) {
        EXPECT_GT(sample.wi.z * wo.z, 0.0f);
      }
    std::vector<glm::vec3> behind = directions(2000);
    for (glm::vec3& wi : behind) wi.z = -std::copysign(wi.z, wo.z);
    for (const BsdfValue& value : bsdf->eval(c.material, wo, behind)) {
      EXPECT_EQ(value.f, glm::vec3(0.0f));
      EXPECT_EQ(value.pdf, 0.0f);
    }
  }
}

TEST_P(Bsdf, IsFiniteAtGrazing) {
  const std::vector<glm::vec3> u = {{0.0f, 0.0f, 0.0f},
                                    {kOneMinusEpsilon, kOneMinusEpsilon, kOneMinusEpsilon},
                                    {0.5f, 0.5f, 0.5f}};
  for (float z : {0.0f, 1e-30f, 1e-12f, 2e-7f, 1e-3f, -2e-7f, -1e-30f}) {
    const glm::vec3 wo{std::sqrt(1.0f - z * z), 0.0f, z};
    const std::vector<glm::vec3> wi = {wo, {-wo.x, 0.0f, z}, {-wo.x, 0.0f, -z}, {0, 0, 1}, -wo};
    for (const BsdfValue& value : bsdf->eval(c.material, wo, wi))
      EXPECT_TRUE(std::isfinite(value.f.y) && value.f.y >= 0.0f && std::isfinite(value.pdf) &&
                  value.pdf >= 0.0f)
          << z << ": " << value.f.y << " " << value.pdf;
    for (const BsdfSample& sample : bsdf->sample(c.material, wo, u))
      EXPECT_TRUE(std::isfinite(sample.weight.y) && sample.weight.y >= 0.0f &&
                  std::isfinite(sample.pdf) && std::isfinite(sample.wi.z))
          << z;
  }
}

// A specular material has samples but neither value nor density, so that light sampling skips it.
template <Features kFeatures>
void expect_specular(MaterialType type) {
  const glm::vec3 wo{0.6f, 0.0f, 0.8f}, mirrored{-0.6f, 0.0f, 0.8f};
  const Bsdfs<kFeatures> bsdfs{};
  const Material material{.type = type};
  EXPECT_TRUE(bsdfs.is_specular(material));
  for (glm::vec3 wi : {mirrored, -wo}) {
    EXPECT_EQ(bsdfs.eval(material, wo, wi).f, glm::vec3(0.0f));
    EXPECT_EQ(bsdfs.eval(material, wo, wi).pdf, 0.0f);
  }
  EXPECT_EQ(bsdfs.sample(material, wo, glm::vec3(0.0f)).wi, mirrored);
  EXPECT_EQ(bsdfs.sample(material, wo, glm::vec3(0.0f)).pdf, 0.0f);
}

TEST(Bsdfs, SpecularMaterialsHaveNoDensity) {
  using enum MaterialType;
  for (MaterialType type : {kMirror, kDielectric}) expect_specular<kBasic>(type);
  for (MaterialType type : {kMirror, kDielectric, kThinDielectric})
    expect_specular<kExtended>(type);
  for (MaterialType type : {kDiffuse, kConductor}) {
    EXPECT_FALSE(Bsdfs<kBasic>::is_specular({.type = type}));
  }
  for (MaterialType type : {kDiffuse, kConductor, kRoughDielectric, kPlastic, kPrincipled})
    EXPECT_FALSE(Bsdfs<kExtended>::is_specular({.type = type}));
}

// A black metal terminates a path; a black base below a boundary still has a highlight.
template <Features kFeatures>
void expect_black(MaterialType type) {
  Material material{.type = type, .reflectance = glm::vec3(0.0f)};
  EXPECT_TRUE(Bsdfs<kFeatures>::is_black(material));
  for (glm::vec3 u : uniforms(100))
    EXPECT_EQ(Bsdfs<kFeatures>{}.sample(material, {0.995f, 0.0f, 0.1f}, u).weight, glm::vec3(0.0f));
  material.reflectance.z = 0.1f;
  EXPECT_FALSE(Bsdfs<kFeatures>::is_black(material));
}

TEST(Bsdfs, BlackMaterialsReflectNothing) {
  using enum MaterialType;
  for (MaterialType type : {kDiffuse, kMirror, kConductor}) {
    expect_black<kBasic>(type);
    expect_black<kExtended>(type);
  }
  EXPECT_FALSE(Bsdfs<kBasic>::is_black({.type = kDielectric, .reflectance = glm::vec3(0.0f)}));
  for (MaterialType type : {kDielectric, kRoughDielectric, kThinDielectric, kPlastic, kPrincipled})
    EXPECT_FALSE(Bsdfs<kExtended>::is_black({.type = type, .reflectance = glm::vec3(0.0f)}));
}

INSTANTIATE_TEST_SUITE_P(Lobes, Bsdf, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

#ifdef WINNOW_CUDA
INSTANTIATE_TEST_SUITE_P(Gpu, Bsdf, testing::ValuesIn(cases(true)),
                         [](const auto& info) { return info.param.name; });
#endif

}  // namespace
}  // namespace winnow
