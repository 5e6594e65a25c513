// SPDX-License-Identifier: MIT
#include "shading/light/build_sky_guide.h"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

/// A guide of two cells that meet at the plane x = 0. The table of the first one is uneven, that of
/// the second one even.
SkyGuideTable two_cells() {
  SkyGuideTable guide{
      .tables = {0, 1},
      .cells = {
          .corner = glm::vec3(-1.0f), .cells_per_meter = {1.0f, 0.5f, 0.5f}, .size = {2, 1, 1}}};
  std::vector<float> weights(SkyGuide::kBinCount, 1.0f);
  append_cdf_table(weights, guide.bins);
  for (uint32_t bin = 0; bin < SkyGuide::kBinCount; ++bin)
    weights[bin] = bin % 5 == 0 ? 9.0f : 1.0f;
  guide.bins.insert(guide.bins.begin(), SkyGuide::kBinCount + 1, {});
  std::vector<CdfEntry> uneven;
  append_cdf_table(weights, uneven);
  std::copy(uneven.begin(), uneven.end(), guide.bins.begin());
  return guide;
}

constexpr glm::vec3 kUneven{-0.5f, 0.0f, 0.0f}, kEven{0.5f, 0.0f, 0.0f};

HostScene under_sky(const Sky& sky) {
  HostScene scene = empty_scene();
  scene.sky = sky;
  return scene;
}

HostScene under_map() {
  HostScene scene = empty_scene();
  scene.environment = environment_of(32, [](glm::vec3 w) {
    return glm::vec3(0.3f + std::exp(20.0f * (w.x - 1.0f)) + (w.z > 0.5f ? 0.0f : 0.2f));
  });
  return scene;
}

template <class Lit>
class GuidedSky : public testing::Test {};
TYPED_TEST_SUITE(GuidedSky, LitScenes, LitSceneName);

TYPED_TEST(GuidedSky, IsSampledByTheTableOfTheCell) {
  const SkyGuideTable table = two_cells();
  TypeParam lit(under_sky(kGraySky));
  lit.lights.guide = make_sky_guide(table, span_of);
  for (const glm::vec3 from : {kUneven, kEven})
    EXPECT_TRUE(samples_follow_density(
        {.axis = kGraySky.up, .rings = 24, .sectors = 48},
        [&](glm::vec4 u) { return lit.sample(from, u).wi; },
        [&](glm::vec3 w) { return look_up_sky(lit.lights, from, w).pdf; }, 4));
  const glm::vec3 w = sample_sky_at(lit.lights, glm::uvec2(1u << 28)).w;  // in the first bin
  EXPECT_GT(look_up_sky(lit.lights, kUneven, w).pdf, 2.0f * look_up_sky(lit.lights, kEven, w).pdf);
}

TYPED_TEST(GuidedSky, GivesTheIrradianceOfTheSky) {
  const SkyGuideTable table = two_cells();
  TypeParam lit(under_sky(kBlueSky));
  const Estimate expected = sampled_irradiance(lit, kUneven, kUp);
  lit.lights.guide = make_sky_guide(table, span_of);
  for (const glm::vec3 from : {kUneven, kEven}) {
    for (const Estimate& guided :
         {sampled_irradiance(lit, from, kUp), combined_irradiance(lit, from, kUp)})
      EXPECT_NEAR(guided.mean, expected.mean, 4.0 * std::hypot(guided.error, expected.error));
  }
}

template <class Lit>
void expect_known_densities(const Lit& lit) {
  uint32_t at_borders = 0;  // rounding moves a few directions to the next bin
  for (uint32_t i = 0; i < 20'000; ++i) {
    const LightSample sample = lit.sample(kUneven, Sampler{.sample = i}.light3(0));
    ASSERT_GT(sample.pdf, 0.0f);
    const EnvironmentLookup seen = look_up_sky(lit.lights, kUneven, sample.wi);
    at_borders += std::abs(sample.pdf - seen.pdf) > 2e-3f * seen.pdf;
    EXPECT_LT(glm::length(sample.radiance - seen.radiance), 2e-3f * glm::length(seen.radiance));
  }
  EXPECT_LT(at_borders, 20u);
}

TYPED_TEST(GuidedSky, SamplesKnowTheirDensity) {
  const SkyGuideTable table = two_cells();
  TypeParam lit(under_sky(kBlueSky));
  lit.lights.guide = make_sky_guide(table, span_of);
  expect_known_densities(lit);
}

TEST(GuidedMap, SamplesKnowTheirDensity) {
  const SkyGuideTable table = two_cells();
  LitScene<kExtended> lit(under_map());
  lit.lights.guide = make_sky_guide(table, span_of);
  expect_known_densities(lit);
  const double integral = DirectionBins{.rings = 64, .sectors = 128, .subdivision = 8}.integral(
      [&](glm::vec3 w) { return look_up_sky(lit.lights, kUneven, w).pdf; });
  EXPECT_NEAR(integral, 1.0, 5e-3);
}

TEST(GuidedMap, IsInvertible) {
  const LitScene<kExtended> map(under_map()), gradient(under_sky(kBlueSky));
  for (const auto* lit : {&map, &gradient})
    for (uint32_t i = 0; i < 10'000; ++i) {
      const glm::uvec2 u(Sampler{.sample = i}.light3(0));
      const glm::uvec2 back = invert_sky(lit->lights, sample_sky_at(lit->lights, u).w);
      for (int axis = 0; axis < 2; ++axis) {
        const auto error = int32_t(back[axis] - u[axis]);  // on a circle
        EXPECT_LT(std::abs(double(error)) * 0x1p-32, 1e-4) << i;
      }
    }
}

TEST(GuidedSky, WeighsASampleByTheCellInWhichItsShadowRayStarts) {
  const SkyGuideTable table = two_cells();
  LitScene<kBasic> lit(under_sky(kBlueSky));
  lit.lights.guide = make_sky_guide(table, span_of);
  for (uint32_t i = 0; i < 1000; ++i) {
    LightPoint point;
    LightSample sample =
        sample_light(lit.lights, kUneven, glm::vec3(0.0f), Sampler{.sample = i}.light3(0), point);
    set_mis_origin(lit.lights, kUneven, kEven, point.sky_bin, sample);
    EXPECT_NEAR(sample.mis_pdf, look_up_sky(lit.lights, kEven, sample.wi).pdf,
                1e-3f * sample.mis_pdf);
  }
}

/// The surfaces of a room of 4 m x 3 m x 5 m, each of many triangles.
HostScene room() {
  HostScene scene = empty_scene();
  for (float z = 0.0f; z < 5.0f; z += 0.25f)
    for (float x = 0.0f; x < 4.0f; x += 0.25f)
      for (const float y : {0.0f, 3.0f})
        add_triangle(scene, {x, y, z}, {x + 0.25f, y, z}, {x, y, z + 0.25f});
  return scene;
}

/// Returns whether a ray from inside the room leaves it through its window, 1 m x 1 m.
bool sees_window(const Ray& ray) {
  if (!(ray.direction.x > 0.0f)) return false;
  const glm::vec3 p = ray.origin + (4.0f - ray.origin.x) / ray.direction.x * ray.direction;
  return p.y > 1.0f && p.y < 2.0f && p.z > 2.0f && p.z < 3.0f;
}

SkyGuideTable build(const HostScene& scene, const LitScene<kBasic>& lit,
                    const std::function<bool(const Ray&)>& is_occluded) {
  SceneCells cells(scene);
  return build_sky_guide(cells,
                         {.direction = [&](glm::uvec2 u) { return sample_sky_at(lit.lights, u).w; },
                          .is_occluded = is_occluded});
}

TEST(SkyGuide, SendsManySamplesThroughAWindow) {
  const HostScene scene = room();
  LitScene<kBasic> lit(under_sky(kBlueSky));
  const SkyGuideTable table = build(scene, lit, [](const Ray& ray) { return !sees_window(ray); });
  const SkyGuide guide = make_sky_guide(table, span_of);
  ASSERT_TRUE(guide.exists());
  const auto passing = [&](glm::vec3 from) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 10'000; ++i)
      count += sees_window(
          {.origin = from, .direction = lit.sample(from, Sampler{.sample = i}.light3(0)).wi});
    return count;
  };
  for (const glm::vec3 from : {glm::vec3(1, 0, 1), glm::vec3(2, 0, 4), glm::vec3(0.5f, 3, 2.5f)}) {
    lit.lights.guide = {};
    const uint32_t unguided = passing(from);
    lit.lights.guide = guide;
    EXPECT_GT(passing(from), 4 * unguided);
  }
}

TEST(SkyGuide, IsAbsentInTheOpenAndInAClosedRoom) {
  const HostScene scene = room();
  const LitScene<kBasic> lit(under_sky(kBlueSky));
  const auto is_empty = [&](const std::function<bool(const Ray&)>& is_occluded) {
    return build(scene, lit, is_occluded).tables.empty();
  };
  EXPECT_TRUE(is_empty([](const Ray&) { return false; }));
  EXPECT_TRUE(is_empty([](const Ray& ray) { return ray.direction.y < 0.0f; }));
  EXPECT_TRUE(is_empty([](const Ray&) { return true; }));
}

TEST(SkyGuide, IsAbsentWithoutGeometryOrExtent) {
  const LitScene<kBasic> lit(under_sky(kBlueSky));
  HostScene point = empty_scene();
  point.spheres = {{glm::vec3(1e6f), 0.001f, 0}};  // its radius is less than a rounding
  for (const HostScene& scene : {empty_scene(), point})
    EXPECT_TRUE(build(scene, lit, [](const Ray&) { return false; }).tables.empty());
}

TEST(SkyGuide, DoesNotDependOnTheNumberOfThreads) {
  const HostScene scene = room();
  const LitScene<kBasic> lit(under_sky(kBlueSky));
  const auto with_threads = [&](size_t count) {
    const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                            count);
    return build(scene, lit, [](const Ray& ray) { return !sees_window(ray); });
  };
  const SkyGuideTable one = with_threads(1), many = with_threads(8);
  EXPECT_EQ(one.tables, many.tables);
  ASSERT_EQ(one.bins.size(), many.bins.size());
  for (size_t i = 0; i < one.bins.size(); ++i) EXPECT_EQ(one.bins[i].begin, many.bins[i].begin);
}

}  // namespace
}  // namespace winnow
