// SPDX-License-Identifier: MIT
#include "shading/light/light.h"

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

// Tests of both kinds of shading.
template <class Lit>
class LightSampling : public testing::Test {};
TYPED_TEST_SUITE(LightSampling, LitScenes, LitSceneName);

TYPED_TEST(LightSampling, SphereSamplesFollowTheDensity) {
  struct Case {
    const char* name;
    glm::vec3 from;
  };
  for (Case c : {Case{"far", {30.0f, -4.0f, 3.0f}}, Case{"near", {1.2f, 2.5f, 3.0f}},
                 Case{"inside", {0.3f, 1.8f, 3.2f}}, Case{"center", {0.0f, 2.0f, 3.0f}}}) {
    SCOPED_TRACE(c.name);
    HostScene scene = empty_scene();
    add_sphere(scene, {0.0f, 2.0f, 3.0f}, 1.0f);
    const TypeParam lit(scene);
    glm::vec3 to_center = glm::vec3{0.0f, 2.0f, 3.0f} - c.from;
    float distance = glm::length(to_center);
    // The rim of the cone lies on the 10th ring.
    float rim = 0.5f * sphere_one_minus_cos(1.0f, distance);
    EXPECT_TRUE(samples_follow_density(
        {.axis = distance > 0.0f ? to_center / distance : kUp,
         .focus = rim < 0.5f ? std::log(rim) / std::log(0.5) : 1.0},
        [&](glm::vec4 u) { return lit.sample(c.from, u).wi; },
        [&](glm::vec3 w) { return lit.pdf(c.from, w); }, 4));
  }
}

TYPED_TEST(LightSampling, TriangleSamplesFollowTheDensity) {
  for (float height : {0.3f, 4.0f}) {
    HostScene scene = empty_scene();
    add_triangle(scene, {-1, height, -1}, {2, height, -0.5f}, {0, height + 0.5f, 1.5f});
    const TypeParam lit(scene);
    EXPECT_TRUE(samples_follow_density(
        {.axis = kUp, .rings = 40, .subdivision = 16},
        [&](glm::vec4 u) { return lit.sample({}, u).wi; },
        [&](glm::vec3 w) { return lit.pdf({}, w); }, 2));
  }
}

TYPED_TEST(LightSampling, SamplesOfManyLightsAndASkyFollowTheDensity) {
  const TypeParam lit(mixed_lights());
  EXPECT_TRUE(samples_follow_density(
      {.axis = kUp, .subdivision = 24}, [&](glm::vec4 u) { return lit.sample({}, u).wi; },
      [&](glm::vec3 w) { return lit.pdf({}, w); }));
}

TYPED_TEST(LightSampling, SampleCarriesDistanceAndRadianceOfWhatItFound) {
  HostScene scene = empty_scene();
  scene.sky = kBlueSky;
  add_sphere(scene, {0.0f, 2.0f, 1.0f}, 0.7f);
  add_triangle(scene, {-2, -1, -1}, {2, -1.5f, -1}, {0, -1, 2}, 1);
  const TypeParam lit(scene);
  for (uint32_t i = 0; i < 2000; ++i) {
    LightSample light = lit.sample({}, Sampler{.sample = i}.sample4(0));
    LightSample seen = lit.look({}, light.wi);
    if (light.distance == kInfinity) {
      EXPECT_EQ(light.radiance, eval_sky(kBlueSky, light.wi));
    } else {
      EXPECT_NEAR(light.distance, seen.distance, 2e-3f);
      EXPECT_EQ(light.radiance, seen.radiance);
      EXPECT_NEAR(light.pdf / seen.pdf, 1.0f, 1e-4f);
    }
  }
}

TYPED_TEST(LightSampling, OnAnEmittingSphereNoLightIsSampled) {
  HostScene scene = empty_scene();
  add_sphere(scene, {1.0f, 0.0f, 0.0f}, 2.0f);
  const TypeParam lit(scene);
  for (uint32_t i = 0; i < 1000; ++i) {
    glm::vec4 u = Sampler{.sample = i}.sample4(0);
    glm::vec3 from = glm::vec3{1.0f, 0.0f, 0.0f} + 2.0f * sample_uniform_sphere({u.x, u.y});
    EXPECT_EQ(lit.sample(from, u).pdf, 0.0f);
    EXPECT_EQ(lit.pdf(from, {0.0f, 0.0f, 1.0f}), 0.0f);
  }
}

TYPED_TEST(LightSampling, InThePlaneOfATriangleItGivesNone) {
  HostScene scene = empty_scene();
  add_triangle(scene, {1, 0, 0}, {2, 0, 0}, {1, 0, 1});
  const TypeParam lit(scene);
  for (uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(lit.sample({}, Sampler{.sample = i}.sample4(0)).pdf, 0.0f);
}

TYPED_TEST(LightSampling, WithoutAnyLightThereIsNone) {
  const TypeParam lit(empty_scene());
  EXPECT_EQ(lit.sample({}, glm::vec4(0.5f)).pdf, 0.0f);
  EXPECT_EQ(lit.pdf({}, kUp), 0.0f);
}

TYPED_TEST(LightSampling, NoGeometryGivesANotANumber) {
  const std::vector<glm::vec3> points = {
      {0, 0, 0}, {1, 0, 0},         {0, 0, 1},          {0.25f, 0, 0},  {0, 1e-30f, 0}, {0, 5, 0},
      {0, 6, 0}, {1e18f, 1e18f, 0}, {0, 6.0000005f, 0}, {1e-4f, 20, 0}, {0, 20, 0}};
  for (float scale : {1e-15f, 1e-3f, 1.0f, 1e6f}) {
    HostScene scene = empty_scene();
    scene.sky = kBlueSky;
    add_triangle(scene, glm::vec3{0, 0, 0}, scale * glm::vec3{1, 0, 0}, scale * glm::vec3{0, 0, 1});
    add_sphere(scene, {0, 5, 0}, scale);
    add_sphere(scene, {0, 20, 0}, 1e-15f);
    const TypeParam lit(scene);
    for (glm::vec3 from : points)
      for (uint32_t i = 0; i < 500; ++i) {
        LightSample light = lit.sample(from, Sampler{.sample = i}.sample4(0));
        ASSERT_TRUE(light.pdf >= 0.0f && std::isfinite(light.pdf));
        if (light.pdf == 0.0f) continue;
        ASSERT_NEAR(glm::length(light.wi), 1.0f, 1e-5f);
        ASSERT_GE(light.distance, 0.0f);
        ASSERT_TRUE(std::isfinite(light.radiance.x));
      }
  }
}

/// A sample of the local lights.
LightSample sample_local(const LitScene<kExtended>& lit, glm::vec3 from, glm::vec4 u,
                         glm::vec3 n = glm::vec3(0.0f)) {
  LightPoint point;
  return sample_local_lights(lit.lights, from, n, {u.x, u.y}, {u.z, u.w}, point);
}

const LightChoice kChoices[] = {LightChoice::kUniform, LightChoice::kPower, LightChoice::kBvh};

TEST(ExtendedLights, OneSidedLightsAreSampledOnlyFromTheirFront) {
  HostScene scene = empty_scene();
  add_triangle(scene, {-1, 0, -1}, {0, 0, 1}, {1, 0, -1});  // its normal is +y
  add_sphere(scene, {5, 0, 0}, 1.0f);
  for (Material& material : scene.materials) material.two_sided_emission = false;
  for (LightChoice by : kChoices) {
    SCOPED_TRACE(enum_name(by));
    const LitScene<kExtended> lit(scene, by);
    int samples = 0;
    for (uint32_t i = 0; i < 100; ++i) {
      const glm::vec4 u = Sampler{.sample = i}.sample4(0);
      const LightSample behind = sample_local(lit, {0, -1, 0}, u);
      if (behind.pdf > 0.0f) EXPECT_GT(behind.wi.x, 0.5f);  // the sphere
      const LightSample inside = sample_local(lit, {5, -0.5f, 0}, u);
      if (inside.pdf > 0.0f) EXPECT_LT(inside.wi.x, -0.5f);
      samples += sample_local(lit, {0, 1, 0}, u).pdf > 0.0f;
    }
    EXPECT_EQ(samples, 100);
  }
}

TEST(ExtendedLights, SamplesFollowTheDensityForEveryChoice) {
  for (LightChoice by : kChoices) {
    SCOPED_TRACE(enum_name(by));
    const LitScene<kExtended> lit(mixed_lights(), by);
    EXPECT_TRUE(samples_follow_density(
        {.axis = kUp, .subdivision = 24}, [&](glm::vec4 u) { return lit.sample({}, u).wi; },
        [&](glm::vec3 w) { return lit.pdf({}, w); }, 3));
  }
}

TEST(ExtendedLights, SampleCarriesTheDensityOfWhatItFound) {
  for (LightChoice by : kChoices) {
    SCOPED_TRACE(enum_name(by));
    const HostScene scene = mixed_lights();
    const LitScene<kExtended> lit(scene, by);
    for (uint32_t i = 0; i < 2000; ++i) {
      const glm::vec4 u = Sampler{.sample = i}.sample4(0);
      LightPoint point;
      const LightSample sample = sample_local_lights(
          lit.lights, {0.3f, 0.1f, -0.2f}, glm::vec3(0.0f), {u.x, u.y}, {u.z, u.w}, point);
      const Light& light = lit.table().local[point.light];
      EXPECT_NEAR(sample.pdf / sample.mis_pdf, 1.0f, 1e-5f);
      const float found = local_light_pdf(lit.lights, light.primitive, {0.3f, 0.1f, -0.2f},
                                          sample.distance, std::abs(glm::dot(light.n, sample.wi)));
      EXPECT_NEAR(found / sample.mis_pdf, 1.0f, 1e-4f);
    }
  }
}

/// Irradiance at `from`, red, by samples that take the normal into account or not.
double irradiance(const LitScene<kExtended>& lit, glm::vec3 from, glm::vec3 n, bool has_normal,
                  double& standard_error) {
  constexpr uint32_t kCount = 100'000;
  double sum = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < kCount; ++i) {
    const glm::vec4 u = Sampler{.seed = 9, .sample = i}.sample4(0);
    const LightSample light = sample_local(lit, from, u, has_normal ? n : glm::vec3(0.0f));
    if (light.pdf == 0.0f) continue;
    const double value = light.radiance.x * std::max(glm::dot(light.wi, n), 0.0f) / light.pdf *
                         lit.lights.local_probability;
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kCount;
  standard_error = std::sqrt((squares / kCount - mean * mean) / kCount);
  return mean;
}

TEST(ExtendedLights, EveryChoiceGivesTheSameIrradiance) {
  HostScene scene = empty_scene();
  const uint32_t kLights = 300;
  for (uint32_t i = 0; i < kLights; ++i) {
    const glm::vec4 u = Sampler{.seed = 1, .sample = i}.sample4(0);
    const glm::vec4 v = Sampler{.seed = 1, .sample = i}.sample4(1);
    const glm::vec3 p = 8.0f * glm::vec3(u) - 4.0f;
    if (i % 3 == 0)
      add_sphere(scene, p, 0.05f + 0.1f * u.w, i % 2);
    else
      add_triangle(scene, p, p + glm::vec3(v), p + glm::vec3(v.y, -v.z, v.w), i % 2);
  }
  for (const DeltaLight& light :
       {DeltaLight{.type = DeltaLightType::kPoint, .position = {1, 2, 1}, .intensity = {3, 2, 1}},
        DeltaLight{.type = DeltaLightType::kSpot,
        .position = {-1, 3, 0},
        .direction = {0, -1, 0},
        .intensity = {30, 2, 1},
        .cone_angle = 100.0f,
        .falloff_start = 5.0f}})
    scene.delta_lights.push_back(light);
  const glm::vec3 from{0.1f, -1.0f, 0.3f};
  for (glm::vec3 n : {kUp, glm::vec3{0.6f, 0.0f, -0.8f}}) {
    std::vector<std::pair<double, double>> means;
    for (LightChoice by : kChoices)
      for (bool has_normal : {false, true}) {
        const LitScene<kExtended> lit(scene, by);
        double error;
        const double mean = irradiance(lit, from, n, has_normal, error);
        means.push_back({mean, error});
        EXPECT_LT(error, 0.05 * mean);
        EXPECT_LT(std::abs(mean - means[0].first),
                  4.0 * std::sqrt(error * error + means[0].second * means[0].second))
            << enum_name(by) << (has_normal ? " with normal" : "");
      }
    EXPECT_LT(means.back().second, 0.7 * means[0].second);  // the purpose of the tree
  }
}

TEST(ExtendedLights, DiskSamplesFollowTheDensityAndGiveTheIrradiance) {
  HostScene scene = empty_scene();
  const glm::vec3 down = glm::normalize(glm::vec3(0.3f, -1.0f, 0.2f));
  for (float angle : {20.0f, 0.53f}) {
    scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                           .direction = down,
                           .intensity = glm::vec3(5.0f),
                           .disk_angle = angle}};
    const LitScene<kExtended> lit(scene);
    ASSERT_EQ(lit.lights.distant_probability, 1.0f);
    const double half = 0.5 * angle * M_PI / 180.0;
    EXPECT_NEAR(lit.lights.distant[0].radiance.x * M_PI * std::pow(std::sin(half), 2), 5.0, 1e-3);
    const double rim = 0.5 * (1.0 - std::cos(half));
    EXPECT_TRUE(samples_follow_density(
        {.axis = -down, .focus = std::log(rim) / std::log(0.5)},
        [&](glm::vec4 u) {
          return sample_distant_lights(lit.lights, {u.x, u.y}, {u.z, u.w}).wi;
        },
        [&](glm::vec3 w) { return lit.look_far(w).pdf; }, 2));
  }
}

TEST(ExtendedLights, DistantLightsAreChosenByIrradiance) {
  HostScene scene = empty_scene();
  for (float e : {1.0f, 3.0f})
    scene.delta_lights.push_back({.type = DeltaLightType::kDirectional,
                                  .direction = {e == 1.0f ? 1 : 0, e == 1.0f ? 0 : 1, 0},
                                  .intensity = glm::vec3(e)});
  const LitScene<kExtended> lit(scene);
  double sums[2] = {};
  constexpr uint32_t kCount = 10'000;
  for (uint32_t i = 0; i < kCount; ++i) {
    const glm::vec4 u = Sampler{.sample = i}.sample4(0);
    const LightSample light = sample_distant_lights(lit.lights, {u.x, u.y}, {u.z, u.w});
    EXPECT_EQ(light.mis_pdf, kInfinity);
    sums[light.wi.y != 0.0f] += light.radiance.x / light.pdf / kCount;
  }
  EXPECT_NEAR(sums[0], 1.0, 0.05);
  EXPECT_NEAR(sums[1], 3.0, 0.05);
}

TEST(ExtendedLights, SpotFadesLinearlyInItsAngle) {
  const float cone = 0.8f, start = 0.5f;
  auto falloff = [&](float angle) { return spot_falloff(cone, start, std::cos(angle)); };
  EXPECT_EQ(falloff(0.0f), 1.0f);
  EXPECT_EQ(falloff(0.49f), 1.0f);
  EXPECT_NEAR(falloff(0.65f), 0.5f, 1e-5f);
  EXPECT_EQ(falloff(0.81f), 0.0f);
  EXPECT_EQ(spot_falloff(cone, cone, std::cos(0.79f)), 1.0f);
  EXPECT_EQ(spot_falloff(cone, cone, std::cos(0.81f)), 0.0f);
}

// The power by which a light is chosen is the integral of its intensity.
TEST(ExtendedLights, PowerOfASpotIsTheIntegralOfItsFalloff) {
  for (auto [cone, start] : {std::pair{40.0f, 40.0f}, {40.0f, 10.0f}, {170.0f, 0.0f}}) {
    HostScene scene = empty_scene();
    scene.delta_lights = {{.type = DeltaLightType::kPoint, .intensity = glm::vec3(1.0f)},
                          {.type = DeltaLightType::kSpot,
                           .intensity = glm::vec3(1.0f),
                           .cone_angle = cone,
                           .falloff_start = start}};
    const LitScene<kExtended> lit(scene);
    double sum = 0.0;
    constexpr int kSteps = 100'000;
    for (int i = 0; i < kSteps; ++i) {
      const double angle = M_PI * (i + 0.5) / kSteps;
      sum += spot_falloff(cone * kPi / 180.0f, start * kPi / 180.0f, float(std::cos(angle))) *
             std::sin(angle) * M_PI / kSteps;
    }
    EXPECT_NEAR(lit.lights.local[1].pmf / lit.lights.local[0].pmf, sum / 2.0, 1e-3);
  }
}

TEST(ExtendedLights, ProbabilitiesSumToOneAndEachKindHasAShare) {
  HostScene scene = mixed_lights();
  scene.sky.zenith = glm::vec3(1e6f);
  scene.delta_lights = {{.type = DeltaLightType::kDirectional, .intensity = glm::vec3(1e-3f)}};
  for (LightChoice by : kChoices) {
    const LitScene<kExtended> lit(scene, by);
    const Lights<kExtended>& lights = lit.lights;
    EXPECT_NEAR(lights.local_probability + lights.sky_probability + lights.distant_probability,
                1.0f, 1e-6f);
    EXPECT_GE(std::min(lights.local_probability, lights.distant_probability), 0.16f);
  }
}

TEST(ExtendedLights, NoGeometryGivesANotANumber) {
  for (float scale : {1e-15f, 1e-3f, 1.0f, 1e6f})
    for (LightChoice by : kChoices) {
      HostScene scene = empty_scene();
      add_triangle(scene, glm::vec3{0, 0, 0}, scale * glm::vec3{1, 0, 0},
                   scale * glm::vec3{0, 0, 1});
      add_sphere(scene, {0, 5, 0}, scale);
      add_sphere(scene, {0, 20, 0}, 1e-15f);
      scene.delta_lights = {
          {.position = {1, 0, 0}, .intensity = glm::vec3(1)},
          {.type = DeltaLightType::kSpot, .position = {0, 5, 0}, .intensity = glm::vec3(2)}};
      const LitScene<kExtended> lit(scene, by);
      for (glm::vec3 from :
           {glm::vec3{0, 0, 0}, {1, 0, 0}, {0, 5, 0}, {1e18f, 1e18f, 0}, {0, 20, 0}})
        for (glm::vec3 n : {glm::vec3(0.0f), kUp, -kUp})
          for (uint32_t i = 0; i < 100; ++i) {
            const LightSample light = sample_local(lit, from, Sampler{.sample = i}.sample4(0), n);
            ASSERT_TRUE(light.pdf >= 0.0f && std::isfinite(light.pdf));
            ASSERT_FALSE(std::isnan(light.mis_pdf));
            if (light.pdf == 0.0f) continue;
            ASSERT_NEAR(glm::length(light.wi), 1.0f, 1e-5f);
          }
    }
}

}  // namespace
}  // namespace winnow
