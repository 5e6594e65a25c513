#include "shading/bsdf/all_lobes.h"

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "backend/renderer.h"
#include "scene/optical_constants.h"
#include "tests/shading/bsdf/support/lobe_runner.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

// What every lobe must keep, here and on a GPU: over roughness, anisotropy and angle, from both
// sides.

struct Case {
  std::string name;
  Material material;
  bool refracts = false;
  bool on_gpu = false;
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

const float kCosines[] = {1.0f, 0.7f, 0.15f, -0.6f, -0.95f};

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

/// Where a smooth surface would send light, on the side of `wo` or behind the surface.
glm::vec3 main_direction(const Case& c, glm::vec3 wo, bool behind) {
  if (!behind) return {-wo.x, -wo.y, wo.z};
  const float eta = wo.z > 0.0f ? c.material.ior : 1.0f / c.material.ior;
  const float sin2 = (1.0f - wo.z * wo.z) / (eta * eta);
  if (sin2 >= 1.0f) return glm::normalize(glm::vec3{-wo.x, -wo.y, -0.01f * wo.z});
  return {-wo.x / eta, -wo.y / eta, std::copysign(std::sqrt(1.0f - sin2), -wo.z)};
}

class AllLobesTest : public testing::TestWithParam<Case> {
 protected:
  const Case& c = GetParam();
  std::unique_ptr<LobeRunner> lobes;

  int chi_square_tests() const { return int(2 * std::size(kCosines) * cases().size()); }

  void SetUp() override {
    if (std::string why = list_cuda_devices().why_none; c.on_gpu && !why.empty())
      GTEST_SKIP() << why;
    const LobeNeeds needs = lobe_needs(std::span(&c.material, 1));
    lobes = c.on_gpu ? make_cuda_lobes(needs) : make_host_lobes(needs);
    ASSERT_TRUE(lobes);
  }

  /// Bins that resolve what `wo` sees on one side of the surface.
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
    const std::vector<BsdfValue> values = lobes->eval(c.material, wo, wi);
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

// Both sides, each with bins of its own; what goes to the other side is in one bin.
TEST_P(AllLobesTest, SamplesFollowTheDensity) {
  constexpr uint32_t kSampleCount = 50'000;
  const std::vector<glm::vec3> u = uniforms(kSampleCount);
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = lobes->sample(c.material, wo, u);
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

TEST_P(AllLobesTest, WeightIsValueTimesCosineOverDensity) {
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = lobes->sample(c.material, wo, uniforms(2000));
    std::vector<glm::vec3> wi;
    for (const BsdfSample& sample : samples) wi.push_back(sample.wi);
    const std::vector<BsdfValue> values = lobes->eval(c.material, wo, wi);
    int compared = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
      const BsdfSample& sample = samples[i];
      if (sample.weight == glm::vec3(0.0f) || sample.pdf == 0.0f) continue;
      ++compared;
      EXPECT_NEAR(glm::length(sample.wi), 1.0f, 1e-5f);
      const glm::vec3 weight = values[i].f * std::abs(sample.wi.z) / values[i].pdf;
      // The half vector of a narrow lobe comes back from `wi` with a few digits less.
      EXPECT_NEAR(sample.pdf / values[i].pdf, 1.0f, 5e-3f) << cosine;
      EXPECT_LT(glm::length(sample.weight - weight), 2e-5f * (1.0f + glm::length(weight)));
      const bool behind = sample.wi.z * wo.z < 0.0f;
      const float eta = wo.z > 0.0f ? c.material.ior : 1.0f / c.material.ior;
      EXPECT_FLOAT_EQ(sample.eta_scale, behind ? eta * eta : 1.0f);
      EXPECT_TRUE(c.refracts || !behind);
    }
    EXPECT_GT(compared, 100);
  }
}

// Energy as the samples see it, and as plain integration of f cos does.
TEST_P(AllLobesTest, MeanWeightIsTheIntegralOfValueTimesCosine) {
  const std::vector<glm::vec3> u = uniforms(20'000);
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfSample> samples = lobes->sample(c.material, wo, u);
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

// Of light that changes its medium, radiance over the squared index is what goes either way alike.
TEST_P(AllLobesTest, IsReciprocal) {
  const std::vector<glm::vec3> wi = directions(1000);
  for (float cosine : kCosines) {
    const glm::vec3 wo = at_cosine(cosine);
    const std::vector<BsdfValue> there = lobes->eval(c.material, wo, wi);
    for (size_t i = 0; i < 200; ++i) {
      const bool behind = wi[i].z * wo.z < 0.0f;
      const float eta = wo.z > 0.0f ? c.material.ior : 1.0f / c.material.ior;
      const glm::vec3 back = lobes->eval(c.material, wi[i], {wo})[0].f;
      const glm::vec3 scaled = there[i].f * (behind ? eta * eta : 1.0f);
      EXPECT_LE(glm::length(scaled - back), 1e-4f * glm::length(back) + 1e-6f)
          << cosine << " " << behind << ": " << scaled.x << " " << back.x;
    }
  }
}

// A white surface in a white furnace gives back no more than it gets.
TEST_P(AllLobesTest, GivesNoMoreThanItGets) {
  Material white = c.material;
  white.reflectance = white.specular = kWhite;
  const std::vector<glm::vec3> u = uniforms(20'000);
  for (float cosine : {1.0f, 0.7f, 0.4f, 0.15f, 0.03f, -0.03f, -0.15f, -0.6f, -0.95f}) {
    const glm::vec3 wo = at_cosine(cosine);
    double mean = 0.0, square = 0.0;
    for (const BsdfSample& sample : lobes->sample(white, wo, u)) {
      const double energy = sample.weight.x * sample.eta_scale;
      mean += energy / double(u.size());
      square += energy * energy / double(u.size());
    }
    const double error = std::sqrt(std::max(square - mean * mean, 0.0) / double(u.size()));
    // A principled surface gives back what its tables say that facets lose, which know nothing of
    // an anisotropy.
    const bool by_table = white.type == MaterialType::kPrincipled;
    const double tables = !by_table ? 1e-6 : white.anisotropy == 0.0f ? 0.01 : 0.03;
    EXPECT_LE(mean, 1.0 + 4.0 * error + tables) << cosine;
  }
}

/// Whether a white one gives back all that it gets: nothing of it is rough and knows one bounce
/// only, takes from what is below it, or differs between two axes.
bool loses_nothing(const Material& material) {
  using enum MaterialType;
  if (material.type == kPlastic) return material.roughness == 0.0f;
  if (material.type == kPrincipled)
    return material.anisotropy == 0.0f && material.coat == 0.0f &&
           material.sheen == glm::vec3(0.0f);
  return material.type == kDiffuse;
}

TEST_P(AllLobesTest, IsWhiteInAWhiteFurnace) {
  Material white = c.material;
  white.reflectance = white.specular = kWhite;
  const std::vector<glm::vec3> u = uniforms(20'000);
  for (float cosine : {1.0f, 0.8f, 0.5f, 0.25f, 0.1f, -0.1f, -0.5f, -0.9f}) {
    double mean = 0.0, square = 0.0;
    for (const BsdfSample& sample : lobes->sample(white, at_cosine(cosine), u)) {
      const double energy = sample.weight.x * sample.eta_scale;
      mean += energy / double(u.size());
      square += energy * energy / double(u.size());
    }
    const double error = std::sqrt(std::max(square - mean * mean, 0.0) / double(u.size()));
    if (loses_nothing(white)) {
      EXPECT_NEAR(mean, 1.0, 0.01 + 3.0 * error) << cosine;
    } else {
      EXPECT_GT(mean, 0.25) << cosine;
    }
  }
}

TEST_P(AllLobesTest, IsFiniteAtGrazing) {
  const std::vector<glm::vec3> u = {{0.0f, 0.0f, 0.0f},
                                    {kOneMinusEpsilon, kOneMinusEpsilon, kOneMinusEpsilon},
                                    {0.5f, 0.5f, 0.5f}};
  for (float z : {0.0f, 1e-30f, 1e-12f, 2e-7f, 1e-3f, -2e-7f, -1e-30f}) {
    const glm::vec3 wo{std::sqrt(1.0f - z * z), 0.0f, z};
    const std::vector<glm::vec3> wi = {wo, {-wo.x, 0.0f, z}, {-wo.x, 0.0f, -z}, {0, 0, 1}, -wo};
    for (const BsdfValue& value : lobes->eval(c.material, wo, wi))
      EXPECT_TRUE(std::isfinite(value.f.y) && value.f.y >= 0.0f && std::isfinite(value.pdf) &&
                  value.pdf >= 0.0f)
          << z << ": " << value.f.y << " " << value.pdf;
    for (const BsdfSample& sample : lobes->sample(c.material, wo, u))
      EXPECT_TRUE(std::isfinite(sample.weight.y) && sample.weight.y >= 0.0f &&
                  std::isfinite(sample.pdf) && std::isfinite(sample.wi.z))
          << z;
  }
}

TEST(AllLobes, SendSpecularLightOutOfReachOfLightSampling) {
  const std::unique_ptr<LobeRunner> lobes = make_host_lobes({});
  const glm::vec3 wo{0.6f, 0.0f, 0.8f}, mirrored{-0.6f, 0.0f, 0.8f};
  using enum MaterialType;
  for (MaterialType type : {kMirror, kDielectric, kThinDielectric}) {
    const Material material{.type = type};
    EXPECT_TRUE(AllLobes{}.is_specular(material));
    for (const BsdfValue& value : lobes->eval(material, wo, {mirrored, -wo})) {
      EXPECT_EQ(value.f, glm::vec3(0.0f));
      EXPECT_EQ(value.pdf, 0.0f);
    }
    EXPECT_EQ(lobes->sample(material, wo, {glm::vec3(0.0f)})[0].wi, mirrored);
  }
  for (MaterialType type : {kDiffuse, kConductor, kRoughDielectric, kPlastic, kPrincipled})
    EXPECT_FALSE(AllLobes{}.is_specular({.type = type}));
}

// Black metal ends a path; a black body below a boundary is still glossy.
TEST(AllLobes, KnowWhatReflectsNothing) {
  using enum MaterialType;
  for (MaterialType type : {kDiffuse, kMirror, kConductor})
    EXPECT_TRUE(AllLobes{}.reflects_nothing({.type = type, .reflectance = glm::vec3(0.0f)}));
  for (MaterialType type : {kDielectric, kRoughDielectric, kThinDielectric, kPlastic, kPrincipled})
    EXPECT_FALSE(AllLobes{}.reflects_nothing({.type = type, .reflectance = glm::vec3(0.0f)}));
}

INSTANTIATE_TEST_SUITE_P(Lobes, AllLobesTest, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

#ifdef WINNOW_CUDA
INSTANTIATE_TEST_SUITE_P(Gpu, AllLobesTest, testing::ValuesIn(cases(true)),
                         [](const auto& info) { return info.param.name; });
#endif

}  // namespace
}  // namespace winnow
