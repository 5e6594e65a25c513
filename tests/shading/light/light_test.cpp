// SPDX-License-Identifier: MIT
#include "shading/light/light.h"

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"
#include "tests/support/sample_directions.h"

namespace winnow {
namespace {

// Tests of both kinds of shading.
template <class Lit>
struct LightSampling : testing::Test {
  /// Basic shading chooses lights by power.
  static std::vector<LightChoice> choices() {
    if (std::is_same_v<Lit, LitScene<kBasic>>) return {LightChoice::kPower};
    return {LightChoice::kUniform, LightChoice::kPower, LightChoice::kBvh};
  }
};
TYPED_TEST_SUITE(LightSampling, LitScenes, LitSceneName);

TYPED_TEST(LightSampling, SphereSamplesFollowTheDensity) {
  const glm::vec3 far{30.0f, -4.0f, 3.0f}, near{1.2f, 2.5f, 3.0f}, inside{0.3f, 1.8f, 3.2f},
      center{0.0f, 2.0f, 3.0f};
  HostScene scene = empty_scene();
  add_sphere(scene, center, 1.0f);
  const TypeParam lit(scene);
  for (glm::vec3 from : {far, near, inside, center}) {
    SCOPED_TRACE(from.x);
    glm::vec3 to_center = center - from;
    float distance = glm::length(to_center);
    // The rim of the cone lies on the 10th ring.
    float rim = 0.5f * sphere_one_minus_cos(1.0f, distance);
    EXPECT_TRUE(samples_follow_density(
        {.axis = distance > 0.0f ? to_center / distance : kUp,
         .focus = rim < 0.5f ? std::log(rim) / std::log(0.5) : 1.0},
        [&](glm::vec4 u) { return lit.sample(from, u).wi; },
        [&](glm::vec3 w) { return lit.pdf(from, w); }, 4));
  }
}

TYPED_TEST(LightSampling, TriangleSamplesFollowTheDensity) {
  for (float height : {0.3f, 4.0f}) {
    HostScene scene = empty_scene();
    add_triangle(scene, {-1, height, -1}, {2, height, -0.5f}, {0, height + 0.5f, 1.5f});
    const TypeParam lit(scene);
    EXPECT_TRUE(samples_follow_density(
        {.axis = kUp, .rings = 40, .subdivision = 64},
        [&](glm::vec4 u) { return lit.sample({}, u).wi; },
        [&](glm::vec3 w) { return lit.pdf({}, w); }, 2));
  }
}

TYPED_TEST(LightSampling, SamplesOfManyLightsAndASkyFollowTheDensity) {
  for (LightChoice by : this->choices()) {
    SCOPED_TRACE(enum_name(by));
    const TypeParam lit(mixed_lights(), by);
    EXPECT_TRUE(samples_follow_density(
        {.axis = kUp, .subdivision = 24}, [&](glm::vec4 u) { return lit.sample({}, u).wi; },
        [&](glm::vec3 w) { return lit.pdf({}, w); }, int(this->choices().size())));
  }
}

TYPED_TEST(LightSampling, SamplesOfAFewSpheresFollowTheDensity) {
  HostScene scene = empty_scene();
  add_sphere(scene, {0.0f, 2.0f, 1.0f}, 0.7f);
  add_sphere(scene, {3.0f, 0.5f, -4.0f}, 1.0f, 1);
  add_sphere(scene, {0.1f, 0.2f, 0.1f}, 0.5f, 1);  // around the point
  for (const float sky : {0.0f, 0.2f}) {
    scene.sky.zenith = glm::vec3(sky);
    const TypeParam lit(scene);
    EXPECT_TRUE(samples_follow_density(
        {.axis = kUp, .subdivision = 24}, [&](glm::vec4 u) { return lit.sample({}, u).wi; },
        [&](glm::vec3 w) { return lit.pdf({}, w); }, 2));
  }
}

TYPED_TEST(LightSampling, SampleCarriesDistanceRadianceAndDensityOfWhatItFound) {
  HostScene scene = empty_scene();
  scene.sky = kBlueSky;
  add_sphere(scene, {0.0f, 2.0f, 1.0f}, 0.7f);
  add_sphere(scene, {0.5f, 0.0f, -3.0f}, 1.0f, 1);
  add_triangle(scene, {-2, -1, -1}, {2, -1.5f, -1}, {0, -1, 2}, 1);
  add_triangle(scene, {-3, 1, -2}, {-3, 2, 2}, {-3, 0.5f, 1});
  for (LightChoice by : this->choices()) {
    SCOPED_TRACE(enum_name(by));
    const TypeParam lit(scene, by);
    for (uint32_t i = 0; i < 2000; ++i) {
      const glm::vec3 from{0.3f, 0.1f, -0.2f};
      const LightSample light = lit.sample(from, Sampler{.sample = i}.sample4(0));
      EXPECT_NEAR(light.pdf / light.mis_pdf, 1.0f, 1e-5f);
      if (light.distance == kInfinity) {
        EXPECT_EQ(light.radiance, eval_sky(kBlueSky, light.wi));
        continue;
      }
      const LightSample seen = lit.look(from, light.wi);
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
    const glm::vec4 u = Sampler{.sample = i}.sample4(0);
    const glm::vec3 from = glm::vec3{1.0f, 0.0f, 0.0f} + 2.0f * sample_uniform_sphere(u);
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
    if (std::is_same_v<TypeParam, LitScene<kExtended>>)
      scene.delta_lights = {
          {.position = {1, 0, 0}, .intensity = glm::vec3(1)},
          {.type = DeltaLightType::kSpot, .position = {0, 5, 0}, .intensity = glm::vec3(2)}};
    for (LightChoice by : this->choices()) {
      const TypeParam lit(scene, by);
      for (glm::vec3 from : points)
        for (glm::vec3 n : {glm::vec3(0.0f), kUp, -kUp})
          for (uint32_t i = 0; i < 250; ++i) {
            const LightSample light = lit.sample(from, Sampler{.sample = i}.sample4(0), n);
            ASSERT_TRUE(light.pdf >= 0.0f && std::isfinite(light.pdf));
            ASSERT_FALSE(std::isnan(light.mis_pdf));
            if (light.pdf == 0.0f) continue;
            ASSERT_NEAR(glm::length(light.wi), 1.0f, 1e-5f);
            ASSERT_GE(light.distance, 0.0f);
            ASSERT_TRUE(std::isfinite(light.radiance.x));
          }
    }
  }
}

void expect_estimate(Estimate estimate, double expected) {
  EXPECT_NEAR(estimate.mean, expected, 4.0 * estimate.error + 1e-5 * expected);
  EXPECT_LT(estimate.error, 0.02 * expected);  // the comparison says something
}

/// By light sampling alone, and together with cosine sampling.
template <class Lit>
void expect_irradiance(const Lit& lit, glm::vec3 n, double expected) {
  expect_estimate(sampled_irradiance(lit, {}, n), expected);
  expect_estimate(combined_irradiance(lit, {}, n), expected);
}

/// Irradiance of a polygon of constant radiance wholly above the plane.
/// Lambert, Photometria, 1760: half the sum of the edges' angles times cosines.
double polygon_irradiance(const std::vector<glm::dvec3>& vertices, glm::dvec3 from, glm::dvec3 n,
                          double radiance) {
  double sum = 0.0;
  for (size_t i = 0; i < vertices.size(); ++i) {
    glm::dvec3 a = glm::normalize(vertices[i] - from);
    glm::dvec3 b = glm::normalize(vertices[(i + 1) % vertices.size()] - from);
    sum += std::acos(glm::dot(a, b)) * glm::dot(glm::normalize(glm::cross(a, b)), n);
  }
  return 0.5 * radiance * std::abs(sum);
}

// E = pi L (r / d)^2 cos, of a sphere wholly above the plane.
TYPED_TEST(LightSampling, SphereGivesItsAnalyticIrradiance) {
  for (glm::vec3 center : {glm::vec3{0.0f, 2.0f, 0.0f}, glm::vec3{3.0f, 2.0f, -1.0f},
                           glm::vec3{0.0f, 1.01f, 0.0f}, glm::vec3{300.0f, 400.0f, 0.0f}}) {
    HostScene scene = empty_scene();
    add_sphere(scene, center, 1.0f);
    const TypeParam lit(scene);
    double d2 = glm::dot(center, center), cosine = center.y / std::sqrt(d2);
    double expected = M_PI * 4.0 / d2 * cosine;
    expect_estimate(sampled_irradiance(lit, {}, kUp), expected);
    if (d2 < 100.0) expect_estimate(combined_irradiance(lit, {}, kUp), expected);
  }
}

TYPED_TEST(LightSampling, RectangleGivesItsAnalyticIrradiance) {
  std::vector<glm::vec3> corners = {{-1, 2, -1}, {2, 2, -1}, {2, 2.5f, 3}, {-1, 2.5f, 3}};
  HostScene scene = empty_scene();
  add_triangle(scene, corners[0], corners[1], corners[2]);
  add_triangle(scene, corners[2], corners[3], corners[0]);
  const TypeParam lit(scene);
  std::vector<glm::dvec3> polygon(corners.begin(), corners.end());
  double expected = polygon_irradiance(polygon, {}, glm::dvec3(kUp), 4.0);
  expect_irradiance(lit, kUp, expected);
}

TYPED_TEST(LightSampling, ConstantSkyGivesPiTimesItsRadiance) {
  HostScene scene = empty_scene();
  scene.sky = kGraySky;
  const TypeParam lit(scene);
  for (glm::vec3 n : {kUp, -kUp, glm::vec3{0.6f, 0.0f, 0.8f}})
    expect_irradiance(lit, n, M_PI * 0.3);
}

// The integral of (horizon + z (zenith - horizon)) z over the upper hemisphere.
TYPED_TEST(LightSampling, GradientSkyGivesItsAnalyticIrradiance) {
  HostScene scene = empty_scene();
  scene.sky = kBlueSky;
  expect_estimate(sampled_irradiance(TypeParam(scene), {}, kUp),
                  M_PI * (0.9 / 3.0 + 2.0 * 0.2 / 3.0));
}

TYPED_TEST(LightSampling, SphereAndSkyTogetherGiveTheSumOfWhatIsSeen) {
  HostScene scene = empty_scene();
  scene.sky = kGraySky;
  add_sphere(scene, {1.0f, 2.0f, 0.0f}, 0.8f);
  double sphere = M_PI * 0.64 / 5.0 * 2.0 / std::sqrt(5.0);  // times radiance
  expect_estimate(combined_irradiance(TypeParam(scene), {}, kUp),
                  sphere * 4.0 + (M_PI - sphere) * 0.3);
}

TYPED_TEST(LightSampling, EverywhereInsideAnEmittingSphereIrradianceIsPiTimesItsRadiance) {
  HostScene scene = empty_scene();
  add_sphere(scene, {1.0f, 0.0f, 0.0f}, 2.0f);
  const TypeParam lit(scene);
  for (glm::vec3 from : {glm::vec3{1.0f, 0.0f, 0.0f}, glm::vec3{0.0f, 0.5f, 1.0f},
                         glm::vec3{1.0f, -1.99f, 0.0f}, glm::vec3{1.0f, -1.9999f, 0.0f}}) {
    SCOPED_TRACE(from.y);
    expect_estimate(combined_irradiance(lit, from, kUp), M_PI * 4.0);
  }
}

TYPED_TEST(LightSampling, OneSidedTriangleGivesTheSameIrradianceByBothStrategies) {
  HostScene scene = empty_scene();
  add_triangle(scene, {-1, 2, -1}, {1, 2, -1}, {0, 2, 1});         // its normal is -y
  add_triangle(scene, {-2, 1, -1}, {-1.5f, 2, 0}, {-2, 2, 1}, 1);  // emits on both sides
  scene.materials[0].two_sided_emission = false;
  const TypeParam one_sided(scene);
  scene.materials[0].two_sided_emission = true;
  const TypeParam two_sided(scene);
  const Estimate below = sampled_irradiance(one_sided, {0.1f, 0, 0}, kUp),
                 both = sampled_irradiance(two_sided, {0.1f, 0, 0}, kUp);
  EXPECT_GT(below.mean, 0.5);
  EXPECT_NEAR(below.mean, both.mean, 4.0 * std::hypot(below.error, both.error));
  for (uint32_t i = 0; i < 100; ++i) {
    const LightSample above = one_sided.sample({0, 3, 0}, Sampler{.sample = i}.sample4(0));
    EXPECT_TRUE(above.pdf == 0.0f || above.wi.x < -0.2f);
  }
}

TEST(ExtendedLights, OneSidedLightsAreSampledOnlyFromTheirFront) {
  HostScene scene = empty_scene();
  add_triangle(scene, {-1, 0, -1}, {0, 0, 1}, {1, 0, -1});  // its normal is +y
  add_sphere(scene, {5, 0, 0}, 1.0f);
  for (Material& material : scene.materials) material.two_sided_emission = false;
  for (LightChoice by : {LightChoice::kUniform, LightChoice::kPower, LightChoice::kBvh}) {
    SCOPED_TRACE(enum_name(by));
    const LitScene<kExtended> lit(scene, by);
    int samples = 0;
    for (uint32_t i = 0; i < 100; ++i) {
      const glm::vec4 u = Sampler{.sample = i}.sample4(0);
      const LightSample behind = lit.sample({0, -1, 0}, u);
      EXPECT_TRUE(behind.pdf == 0.0f || behind.wi.x > 0.5f);  // only the sphere
      EXPECT_EQ(lit.sample({5, -0.5f, 0}, u).pdf, 0.0f);      // inside of it, behind the triangle
      samples += lit.sample({0, 1, 0}, u).pdf > 0.0f;
    }
    EXPECT_EQ(samples, 100);
  }
}

TEST(ExtendedLights, EveryChoiceGivesTheSameIrradiance) {
  HostScene scene = light_cloud(300);
  scene.delta_lights = {
      {.type = DeltaLightType::kPoint, .position = {1, 2, 1}, .intensity = {3, 2, 1}},
      {.type = DeltaLightType::kSpot,
       .position = {-1, 3, 0},
       .direction = {0, -1, 0},
       .intensity = {30, 2, 1},
       .cone_angle = 100.0f,
       .falloff_start = 5.0f}};
  for (glm::vec3 n : {kUp, glm::vec3{0.6f, 0.0f, -0.8f}}) {
    std::vector<Estimate> means;
    for (LightChoice by : {LightChoice::kUniform, LightChoice::kPower, LightChoice::kBvh})
      for (bool known_normal : {false, true}) {
        const LitScene<kExtended> lit(scene, by);
        const Estimate e = sampled_irradiance(lit, {0.1f, -1.0f, 0.3f}, n, 100'000, known_normal);
        means.push_back(e);
        EXPECT_LT(e.error, 0.05 * e.mean);
        EXPECT_LT(std::abs(e.mean - means[0].mean), 4.0 * std::hypot(e.error, means[0].error))
            << enum_name(by) << (known_normal ? " with normal" : "");
      }
    EXPECT_LT(means.back().error, 0.7 * means[0].error);  // the purpose of the tree
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
        [&](glm::vec4 u) { return lit.sample({}, u).wi; },
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
    const LightSample light = lit.sample({}, Sampler{.sample = i}.sample4(0));
    EXPECT_EQ(light.mis_pdf, kInfinity);
    sums[light.wi.y != 0.0f] += light.radiance.x / light.pdf / kCount;
  }
  EXPECT_NEAR(sums[0], 1.0, 0.05);
  EXPECT_NEAR(sums[1], 3.0, 0.05);
}

/// Returns the falloff of a spot by its angles, in radians.
float fade_of_spot(SpotFalloff falloff, float cone, float start, float cosine) {
  return spot_falloff(falloff, spot_coordinate(falloff, cone), spot_coordinate(falloff, start),
                      cosine);
}

TEST(ExtendedLights, SpotFadesLinearlyInItsAngle) {
  const float cone = 0.8f, start = 0.5f;
  auto fade = [](float end, float begin, float cosine) {
    return fade_of_spot(SpotFalloff::kLinear, end, begin, cosine);
  };
  auto falloff = [&](float angle) { return fade(cone, start, std::cos(angle)); };
  EXPECT_EQ(falloff(0.0f), 1.0f);
  EXPECT_EQ(falloff(0.49f), 1.0f);
  EXPECT_NEAR(falloff(0.65f), 0.5f, 1e-5f);
  EXPECT_EQ(falloff(0.81f), 0.0f);
  EXPECT_EQ(fade(cone, cone, std::cos(0.79f)), 1.0f);
  EXPECT_EQ(fade(cone, cone, std::cos(0.81f)), 0.0f);
}

TEST(ExtendedLights, SpotFadesByItsCosine) {
  const double cone = 0.8, start = 0.5;
  for (const double angle : {0.51, 0.6, 0.7, 0.79}) {
    const double t = (std::cos(angle) - std::cos(cone)) / (std::cos(start) - std::cos(cone));
    const auto cosine = float(std::cos(angle));
    EXPECT_NEAR(fade_of_spot(SpotFalloff::kSquared, 0.8f, 0.5f, cosine), t * t, 1e-5);
    EXPECT_NEAR(fade_of_spot(SpotFalloff::kSmooth, 0.8f, 0.5f, cosine), t * t * (3 - 2 * t), 1e-5);
    EXPECT_NEAR(fade_of_spot(SpotFalloff::kFourth, 0.8f, 0.5f, cosine), t * t * t * t, 1e-5);
  }
  for (const SpotFalloff falloff :
       {SpotFalloff::kSquared, SpotFalloff::kSmooth, SpotFalloff::kFourth}) {
    EXPECT_EQ(fade_of_spot(falloff, 0.8f, 0.5f, std::cos(0.49f)), 1.0f);
    EXPECT_EQ(fade_of_spot(falloff, 0.8f, 0.5f, std::cos(0.81f)), 0.0f);
    EXPECT_EQ(fade_of_spot(falloff, 0.8f, 0.8f, std::cos(0.79f)), 1.0f);
  }
}

// The power by which a light is chosen is the integral of its intensity.
TEST(ExtendedLights, PowerOfASpotIsTheIntegralOfItsFalloff) {
  using enum SpotFalloff;
  for (auto [cone, start, falloff] : {std::tuple{40.0f, 40.0f, kLinear},
                                      {40.0f, 10.0f, kLinear},
                                      {170.0f, 0.0f, kLinear},
                                      {40.0f, 10.0f, kSquared},
                                      {90.0f, 0.0f, kSmooth},
                                      {170.0f, 20.0f, kFourth}}) {
    HostScene scene = empty_scene();
    scene.delta_lights = {{.type = DeltaLightType::kPoint, .intensity = glm::vec3(1.0f)},
                          {.type = DeltaLightType::kSpot,
                           .intensity = glm::vec3(1.0f),
                           .cone_angle = cone,
                           .falloff_start = start,
                           .falloff = falloff}};
    const LitScene<kExtended> lit(scene);
    double sum = 0.0;
    constexpr int kSteps = 100'000;
    for (int i = 0; i < kSteps; ++i) {
      const double angle = M_PI * (i + 0.5) / kSteps;
      sum +=
          fade_of_spot(falloff, cone * kPi / 180.0f, start * kPi / 180.0f, float(std::cos(angle))) *
          std::sin(angle) * M_PI / kSteps;
    }
    EXPECT_NEAR(lit.lights.local[1].pmf / lit.lights.local[0].pmf, sum / 2.0, 1e-3);
  }
}

TEST(ExtendedLights, AFewSpheresAreChosenByPowerAndDistance) {
  HostScene scene = empty_scene();
  add_sphere(scene, {0.0f, 2.0f, 0.0f}, 0.1f);
  add_sphere(scene, {6.0f, 0.0f, 0.0f}, 0.2f);   // four times the power at three times the distance
  add_sphere(scene, {0.0f, 0.0f, 60.0f}, 0.1f);  // at thirty times the distance
  const LitScene<kExtended> lit(scene);
  const double weights[] = {1.0, 4.0 / 9.0, 1.0 / 900.0},
               sum = weights[0] + weights[1] + weights[2];
  uint32_t counts[3] = {};
  constexpr uint32_t kCount = 100'000;
  for (uint32_t i = 0; i < kCount; ++i) {
    const LightSample light = lit.sample({}, Sampler{.sample = i}.sample4(0));
    ++counts[light.distance < 3.0f ? 0 : light.distance < 10.0f ? 1 : 2];
  }
  for (int k = 0; k < 3; ++k) {
    const double p = weights[k] / sum;
    EXPECT_NEAR(counts[k] / double(kCount), p, 4.0 * std::sqrt(p * (1.0 - p) / kCount));
  }
}

TEST(ExtendedLights, ProbabilitiesSumToOneAndEachKindHasAShare) {
  HostScene scene = mixed_lights();
  scene.sky.zenith = glm::vec3(1e6f);
  scene.delta_lights = {{.type = DeltaLightType::kDirectional, .intensity = glm::vec3(1e-3f)}};
  for (LightChoice by : {LightChoice::kUniform, LightChoice::kPower, LightChoice::kBvh}) {
    const LitScene<kExtended> lit(scene, by);
    const Lights<kExtended>& lights = lit.lights;
    EXPECT_NEAR(lights.local_probability + lights.sky_probability + lights.distant_probability,
                1.0f, 1e-6f);
    EXPECT_GE(std::min(lights.local_probability, lights.distant_probability), 0.24f);
  }
}

}  // namespace
}  // namespace winnow
