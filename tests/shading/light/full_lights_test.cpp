#include "shading/light/full_lights.h"

#include <gtest/gtest.h>

#include "tests/shading/light/support/fully_lit_scene.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

/// Of the lights that have a place: the densities of all that a ray crosses, hidden or not.
float local_pdf(const FullyLitScene& lit, glm::vec3 from, glm::vec3 w) {
  float sum = 0.0f;
  for (const LocalLight& light : lit.table().local) {
    const EmissiveShape shape{.kind = light.kind == LocalLightKind::kSphere
                                          ? EmissiveKind::kSphere
                                          : EmissiveKind::kTriangle,
                              .p = light.p,
                              .edge1 = light.edge1,
                              .edge2 = light.edge2,
                              .n = light.n,
                              .radius = light.radius};
    if (std::optional<float> t = LitScene::hit(shape, from, w))
      sum += local_light_pdf(lit.lights, light.primitive, from, *t, std::abs(glm::dot(light.n, w)));
  }
  return sum;
}

FullLightSample sample_local(const FullyLitScene& lit, glm::vec3 from, glm::vec4 u,
                             glm::vec3 n = glm::vec3(0.0f)) {
  uint32_t light;
  glm::vec2 b;
  return sample_local_lights(lit.lights, from, n, {u.x, u.y}, {u.z, u.w}, light, b);
}

const LightChoice kChoices[] = {LightChoice::kUniform, LightChoice::kPower, LightChoice::kBvh};

TEST(FullLights, SamplesFollowTheDensityForEveryChoice) {
  for (LightChoice by : kChoices) {
    SCOPED_TRACE(enum_name(by));
    const FullyLitScene lit(mixed_lights(), by);
    const float chance = lit.lights.local_chance;
    EXPECT_TRUE(samples_follow_density(
        {.axis = kUp, .subdivision = 24}, [&](glm::vec4 u) { return sample_local(lit, {}, u).wi; },
        [&](glm::vec3 w) { return local_pdf(lit, {}, w) / chance; }, 3));
  }
}

TEST(FullLights, SampleCarriesTheDensityOfWhatItFound) {
  for (LightChoice by : kChoices) {
    SCOPED_TRACE(enum_name(by));
    const HostScene scene = mixed_lights();
    const FullyLitScene lit(scene, by);
    for (uint32_t i = 0; i < 2000; ++i) {
      const glm::vec4 u = Sampler{.sample = i}.sample4(0);
      uint32_t number;
      glm::vec2 b;
      const FullLightSample sample = sample_local_lights(
          lit.lights, {0.3f, 0.1f, -0.2f}, glm::vec3(0.0f), {u.x, u.y}, {u.z, u.w}, number, b);
      const LocalLight& light = lit.table().local[number];
      EXPECT_NEAR(sample.pdf / sample.mis_pdf, 1.0f, 1e-5f);
      const float found = local_light_pdf(lit.lights, light.primitive, {0.3f, 0.1f, -0.2f},
                                          sample.distance, std::abs(glm::dot(light.n, sample.wi)));
      EXPECT_NEAR(found / sample.mis_pdf, 1.0f, 1e-4f);
    }
  }
}

/// Irradiance at `from`, red; with the normal known or not.
double irradiance(const FullyLitScene& lit, glm::vec3 from, glm::vec3 n, bool knows_normal,
                  double& standard_error) {
  constexpr uint32_t kCount = 100'000;
  double sum = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < kCount; ++i) {
    const glm::vec4 u = Sampler{.seed = 9, .sample = i}.sample4(0);
    const FullLightSample light = sample_local(lit, from, u, knows_normal ? n : glm::vec3(0.0f));
    if (light.pdf == 0.0f) continue;
    const double value = light.radiance.x * std::max(glm::dot(light.wi, n), 0.0f) / light.pdf *
                         lit.lights.local_chance;
    sum += value;
    squares += value * value;
  }
  const double mean = sum / kCount;
  standard_error = std::sqrt((squares / kCount - mean * mean) / kCount);
  return mean;
}

TEST(FullLights, EveryChoiceGivesTheSameIrradiance) {
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
      for (bool knows_normal : {false, true}) {
        const FullyLitScene lit(scene, by);
        double error;
        const double mean = irradiance(lit, from, n, knows_normal, error);
        means.push_back({mean, error});
        EXPECT_LT(error, 0.05 * mean);
        EXPECT_LT(std::abs(mean - means[0].first),
                  4.0 * std::sqrt(error * error + means[0].second * means[0].second))
            << enum_name(by) << (knows_normal ? " with normal" : "");
      }
    EXPECT_LT(means.back().second, 0.7 * means[0].second);  // the tree is what it is for
  }
}

TEST(FullLights, DiskSamplesFollowTheDensityAndGiveTheIrradiance) {
  HostScene scene = empty_scene();
  const glm::vec3 down = glm::normalize(glm::vec3(0.3f, -1.0f, 0.2f));
  for (float angle : {20.0f, 0.53f}) {
    scene.delta_lights = {{.type = DeltaLightType::kDirectional,
                           .direction = down,
                           .intensity = glm::vec3(5.0f),
                           .disk_angle = angle}};
    const FullyLitScene lit(scene);
    ASSERT_EQ(lit.lights.distant_chance, 1.0f);
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

TEST(FullLights, DistantLightsAreChosenByIrradiance) {
  HostScene scene = empty_scene();
  for (float e : {1.0f, 3.0f})
    scene.delta_lights.push_back({.type = DeltaLightType::kDirectional,
                                  .direction = {e == 1.0f ? 1 : 0, e == 1.0f ? 0 : 1, 0},
                                  .intensity = glm::vec3(e)});
  const FullyLitScene lit(scene);
  double sums[2] = {};
  constexpr uint32_t kCount = 10'000;
  for (uint32_t i = 0; i < kCount; ++i) {
    const glm::vec4 u = Sampler{.sample = i}.sample4(0);
    const FullLightSample light = sample_distant_lights(lit.lights, {u.x, u.y}, {u.z, u.w});
    EXPECT_EQ(light.mis_pdf, kInfinity);
    sums[light.wi.y != 0.0f] += light.radiance.x / light.pdf / kCount;
  }
  EXPECT_NEAR(sums[0], 1.0, 0.05);
  EXPECT_NEAR(sums[1], 3.0, 0.05);
}

TEST(FullLights, SpotFadesLinearlyInItsAngle) {
  const float cone = 0.8f, start = 0.5f;
  auto falloff = [&](float angle) { return spot_falloff(cone, start, std::cos(angle)); };
  EXPECT_EQ(falloff(0.0f), 1.0f);
  EXPECT_EQ(falloff(0.49f), 1.0f);
  EXPECT_NEAR(falloff(0.65f), 0.5f, 1e-5f);
  EXPECT_EQ(falloff(0.81f), 0.0f);
  EXPECT_EQ(spot_falloff(cone, cone, std::cos(0.79f)), 1.0f);
  EXPECT_EQ(spot_falloff(cone, cone, std::cos(0.81f)), 0.0f);
}

/// The power that a light is chosen by is the integral of its intensity.
TEST(FullLights, SpotIsAsStrongAsItsFalloffSums) {
  for (auto [cone, start] : {std::pair{40.0f, 40.0f}, {40.0f, 10.0f}, {170.0f, 0.0f}}) {
    HostScene scene = empty_scene();
    scene.delta_lights = {{.type = DeltaLightType::kPoint, .intensity = glm::vec3(1.0f)},
                          {.type = DeltaLightType::kSpot,
                           .intensity = glm::vec3(1.0f),
                           .cone_angle = cone,
                           .falloff_start = start}};
    const FullyLitScene lit(scene);
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

TEST(FullLights, ChancesSumToOneAndNoKindStarves) {
  HostScene scene = mixed_lights();
  scene.sky.zenith = glm::vec3(1e6f);
  scene.delta_lights = {{.type = DeltaLightType::kDirectional, .intensity = glm::vec3(1e-3f)}};
  for (LightChoice by : kChoices) {
    const FullyLitScene lit(scene, by);
    const FullLights& lights = lit.lights;
    EXPECT_NEAR(lights.local_chance + lights.sky_chance + lights.distant_chance, 1.0f, 1e-6f);
    EXPECT_GE(std::min(lights.local_chance, lights.distant_chance), 0.16f);
  }
}

TEST(FullLights, NoGeometryGivesANotANumber) {
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
      const FullyLitScene lit(scene, by);
      for (glm::vec3 from :
           {glm::vec3{0, 0, 0}, {1, 0, 0}, {0, 5, 0}, {1e18f, 1e18f, 0}, {0, 20, 0}})
        for (glm::vec3 n : {glm::vec3(0.0f), kUp, -kUp})
          for (uint32_t i = 0; i < 100; ++i) {
            const FullLightSample light =
                sample_local(lit, from, Sampler{.sample = i}.sample4(0), n);
            ASSERT_TRUE(light.pdf >= 0.0f && std::isfinite(light.pdf));
            ASSERT_FALSE(std::isnan(light.mis_pdf));
            if (light.pdf == 0.0f) continue;
            ASSERT_NEAR(glm::length(light.wi), 1.0f, 1e-5f);
          }
    }
}

}  // namespace
}  // namespace winnow
