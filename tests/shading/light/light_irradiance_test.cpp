// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "math/sampler.h"
#include "math/sampling.h"
#include "tests/shading/light/support/lit_scene.h"

namespace winnow {
namespace {

template <class Lit>
class LightIrradiance : public testing::Test {};
TYPED_TEST_SUITE(LightIrradiance, LitScenes, LitSceneName);

struct Estimate {
  double mean = 0.0, standard_error = 0.0;
};

template <class Sample>
Estimate average(const Sample& sample, uint32_t sample_count = 40'000) {
  double sum = 0.0, squares = 0.0;
  for (uint32_t i = 0; i < sample_count; ++i) {
    double value = sample(Sampler{.seed = 11, .sample = i});
    sum += value;
    squares += value * value;
  }
  double mean = sum / sample_count;
  return {mean, std::sqrt(std::max(squares / sample_count - mean * mean, 0.0) / sample_count)};
}

/// Irradiance (red) on a plane through `from`, by light sampling alone.
template <class Lit>
Estimate sampled_irradiance(const Lit& scene, glm::vec3 from, glm::vec3 n) {
  return average([&](Sampler sampler) {
    LightSample light = scene.sample(from, sampler.sample4(0));
    if (light.pdf == 0.0f) return 0.0f;
    return light.radiance.x * std::max(glm::dot(light.wi, n), 0.0f) / light.pdf;
  });
}

/// The same by light sampling and by cosine sampling together, as a path tracer does.
template <class Lit>
Estimate combined_irradiance(const Lit& scene, glm::vec3 from, glm::vec3 n) {
  return average([&](Sampler sampler) {
    float sum = 0.0f;
    LightSample light = scene.sample(from, sampler.sample4(0));
    float cosine = std::max(glm::dot(light.wi, n), 0.0f);
    // What another light hides is not lit.
    bool visible = scene.look(from, light.wi).distance >= light.distance * 0.999f;
    if (light.pdf > 0.0f && visible)
      sum += light.radiance.x * cosine / light.pdf *
             power_heuristic(light.mis_pdf, cosine_hemisphere_pdf(cosine));

    glm::vec4 u = sampler.sample4(1);
    glm::vec3 w = sample_cosine_hemisphere({u.x, u.y});
    LightSample seen = scene.look(from, Frame(n).to_world(w));
    sum += seen.radiance.x * kPi * power_heuristic(cosine_hemisphere_pdf(w.z), seen.pdf);
    return sum;
  });
}

void expect_estimate(Estimate estimate, double expected) {
  EXPECT_NEAR(estimate.mean, expected, 4.0 * estimate.standard_error + 1e-5 * expected);
  EXPECT_LT(estimate.standard_error, 0.02 * expected);  // the comparison says something
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
TYPED_TEST(LightIrradiance, SphereGivesItsAnalyticIrradiance) {
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

TYPED_TEST(LightIrradiance, RectangleGivesItsAnalyticIrradiance) {
  std::vector<glm::vec3> corners = {{-1, 2, -1}, {2, 2, -1}, {2, 2.5f, 3}, {-1, 2.5f, 3}};
  HostScene scene = empty_scene();
  add_triangle(scene, corners[0], corners[1], corners[2]);
  add_triangle(scene, corners[2], corners[3], corners[0]);
  const TypeParam lit(scene);
  std::vector<glm::dvec3> polygon(corners.begin(), corners.end());
  double expected = polygon_irradiance(polygon, {}, glm::dvec3(kUp), 4.0);
  expect_estimate(sampled_irradiance(lit, {}, kUp), expected);
  expect_estimate(combined_irradiance(lit, {}, kUp), expected);
}

TYPED_TEST(LightIrradiance, ConstantSkyGivesPiTimesItsRadiance) {
  HostScene scene = empty_scene();
  scene.sky = kGraySky;
  const TypeParam lit(scene);
  for (glm::vec3 n : {kUp, -kUp, glm::vec3{0.6f, 0.0f, 0.8f}}) {
    expect_estimate(sampled_irradiance(lit, {}, n), M_PI * 0.3);
    expect_estimate(combined_irradiance(lit, {}, n), M_PI * 0.3);
  }
}

// The integral of (horizon + z (zenith - horizon)) z over the upper hemisphere.
TYPED_TEST(LightIrradiance, GradientSkyGivesItsAnalyticIrradiance) {
  HostScene scene = empty_scene();
  scene.sky = kBlueSky;
  expect_estimate(sampled_irradiance(TypeParam(scene), {}, kUp),
                  M_PI * (0.9 / 3.0 + 2.0 * 0.2 / 3.0));
}

TYPED_TEST(LightIrradiance, SphereAndSkyTogetherGiveTheSumOfWhatIsSeen) {
  HostScene scene = empty_scene();
  scene.sky = kGraySky;
  add_sphere(scene, {1.0f, 2.0f, 0.0f}, 0.8f);
  double sphere = M_PI * 0.64 / 5.0 * 2.0 / std::sqrt(5.0);  // times radiance
  expect_estimate(combined_irradiance(TypeParam(scene), {}, kUp),
                  sphere * 4.0 + (M_PI - sphere) * 0.3);
}

TYPED_TEST(LightIrradiance, EverywhereInsideAnEmittingSphereIrradianceIsPiTimesItsRadiance) {
  HostScene scene = empty_scene();
  add_sphere(scene, {1.0f, 0.0f, 0.0f}, 2.0f);
  const TypeParam lit(scene);
  for (glm::vec3 from : {glm::vec3{1.0f, 0.0f, 0.0f}, glm::vec3{0.0f, 0.5f, 1.0f},
                         glm::vec3{1.0f, -1.99f, 0.0f}, glm::vec3{1.0f, -1.9999f, 0.0f}}) {
    SCOPED_TRACE(from.y);
    expect_estimate(combined_irradiance(lit, from, kUp), M_PI * 4.0);
  }
}

}  // namespace
}  // namespace winnow
