#include "shading/light/light.h"

#include "tests/shading/light/support/lit_scene.h"
#include "tests/support/chi_square.h"

namespace winnow {
namespace {

TEST(Light, SphereSamplesFollowTheDensity) {
  struct Case {
    const char* name;
    glm::vec3 from;
  };
  for (Case c : {Case{"far", {30.0f, -4.0f, 3.0f}}, Case{"near", {1.2f, 2.5f, 3.0f}},
                 Case{"inside", {0.3f, 1.8f, 3.2f}}, Case{"center", {0.0f, 2.0f, 3.0f}}}) {
    SCOPED_TRACE(c.name);
    HostScene scene = empty_scene();
    add_sphere(scene, {0.0f, 2.0f, 3.0f}, 1.0f);
    LitScene lit(scene);
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

TEST(Light, TriangleSamplesFollowTheDensity) {
  for (float height : {0.3f, 4.0f}) {
    HostScene scene = empty_scene();
    add_triangle(scene, {-1, height, -1}, {2, height, -0.5f}, {0, height + 0.5f, 1.5f});
    LitScene lit(scene);
    EXPECT_TRUE(samples_follow_density(
        {.axis = kUp, .rings = 40, .subdivision = 16},
        [&](glm::vec4 u) { return lit.sample({}, u).wi; },
        [&](glm::vec3 w) { return lit.pdf({}, w); }, 2));
  }
}

TEST(Light, SamplesOfManyLightsAndASkyFollowTheDensity) {
  LitScene lit(mixed_lights());
  EXPECT_TRUE(samples_follow_density(
      {.axis = kUp, .subdivision = 24}, [&](glm::vec4 u) { return lit.sample({}, u).wi; },
      [&](glm::vec3 w) { return lit.pdf({}, w); }));
}

TEST(Light, SampleCarriesDistanceAndRadianceOfWhatItFound) {
  HostScene scene = empty_scene();
  scene.sky = kBlueSky;
  add_sphere(scene, {0.0f, 2.0f, 1.0f}, 0.7f);
  add_triangle(scene, {-2, -1, -1}, {2, -1.5f, -1}, {0, -1, 2}, 1);
  LitScene lit(scene);
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

TEST(Light, OnAnEmittingSphereNoLightIsSampled) {
  HostScene scene = empty_scene();
  add_sphere(scene, {1.0f, 0.0f, 0.0f}, 2.0f);
  LitScene lit(scene);
  for (uint32_t i = 0; i < 1000; ++i) {
    glm::vec4 u = Sampler{.sample = i}.sample4(0);
    glm::vec3 from = glm::vec3{1.0f, 0.0f, 0.0f} + 2.0f * sample_uniform_sphere({u.x, u.y});
    EXPECT_EQ(lit.sample(from, u).pdf, 0.0f);
    EXPECT_EQ(lit.pdf(from, {0.0f, 0.0f, 1.0f}), 0.0f);
  }
}

TEST(Light, InThePlaneOfATriangleItGivesNone) {
  HostScene scene = empty_scene();
  add_triangle(scene, {1, 0, 0}, {2, 0, 0}, {1, 0, 1});
  LitScene lit(scene);
  for (uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(lit.sample({}, Sampler{.sample = i}.sample4(0)).pdf, 0.0f);
}

TEST(Light, WithoutAnyLightThereIsNone) {
  LitScene lit(empty_scene());
  EXPECT_EQ(lit.sample({}, glm::vec4(0.5f)).pdf, 0.0f);
  EXPECT_EQ(lit.pdf({}, kUp), 0.0f);
}

TEST(Light, NoGeometryGivesANotANumber) {
  const std::vector<glm::vec3> points = {
      {0, 0, 0}, {1, 0, 0},         {0, 0, 1},          {0.25f, 0, 0},  {0, 1e-30f, 0}, {0, 5, 0},
      {0, 6, 0}, {1e18f, 1e18f, 0}, {0, 6.0000005f, 0}, {1e-4f, 20, 0}, {0, 20, 0}};
  for (float scale : {1e-15f, 1e-3f, 1.0f, 1e6f}) {
    HostScene scene = empty_scene();
    scene.sky = kBlueSky;
    add_triangle(scene, glm::vec3{0, 0, 0}, scale * glm::vec3{1, 0, 0}, scale * glm::vec3{0, 0, 1});
    add_sphere(scene, {0, 5, 0}, scale);
    add_sphere(scene, {0, 20, 0}, 1e-15f);
    LitScene lit(scene);
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

}  // namespace
}  // namespace winnow
