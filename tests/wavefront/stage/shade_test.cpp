// SPDX-License-Identifier: MIT
#include "wavefront/stage/shade.h"

#include <gtest/gtest.h>

#include "shading/bsdf/bsdf_by_type.h"
#include "tests/wavefront/support/test_scenes.h"

namespace winnow {
namespace {

/// A floor at y = 0 below an emissive sphere and a sky, and paths that look straight down at it.
class Shade : public testing::Test {
 protected:
  Shade() {
    scene_.sky = {.zenith = glm::vec3(2.0f), .horizon = glm::vec3(2.0f), .ground = glm::vec3(2.0f)};
    floor_ = add_material(scene_, {.reflectance = glm::vec3(0.5f)});
    uint32_t lamp =
        add_material(scene_, {.reflectance = glm::vec3(0.0f), .emission = {4.0f, 3.0f, 2.0f}});
    add_rectangle(scene_, {-5, 0, 5}, {10, 0, 0}, {0, 0, -10}, floor_);
    scene_.spheres.push_back({.center = {0, 3, 0}, .radius = 1.0f, .material = lamp});
  }

  DeviceScene<kBasic> device() {
    lights_ = build_light_table(scene_, {}, LightChoice::kPower, kBasic);
    return make_device_scene<kBasic>(scene_, {lights_, {}, {}, {}}, 1, 1);
  }

  /// Shades `path_` at `hit`; fills `shadow_`.
  Termination shade_at(const Hit& hit, Bounce bounce = {0, 8}, uint32_t sample = 0) {
    return shade(device(), Sampler{1, 2, sample}, bounce, hit, path_, shadow_);
  }

  static Path path_down() {
    return {.ray = {.origin = {1, 1, 1}, .direction = {0, -1, 0}},
            .throughput = {1.0f, 0.5f, 0.25f}};
  }
  /// The hit of path_down() on the floor.
  Hit floor_hit() const { return {.t = 1.0f, .u = 0.2f, .v = 0.4f, .primitive = 0}; }

  HostScene scene_;
  LightTable lights_;
  uint32_t floor_;
  Path path_ = path_down();
  ShadowRay shadow_;
};

TEST_F(Shade, AddsTheSkyToARayThatEscapesAndEndsIt) {
  EXPECT_EQ(shade_at(Hit{}), Termination::kEscaped);
  EXPECT_EQ(path_.radiance, 2.0f * glm::vec3(1.0f, 0.5f, 0.25f));  // a camera ray: full weight
  EXPECT_EQ(shadow_.ray.t_max, 0.0f);
}

TEST_F(Shade, WeighsTheSkyAgainstLightSampling) {
  path_.bsdf_pdf = 0.3f;
  shade_at(Hit{});
  float light_pdf = look_up_sky(device().lights, path_.ray.direction).pdf;
  ASSERT_GT(light_pdf, 0.0f);
  float weight = 0.3f / (0.3f + light_pdf);  // balance heuristic
  EXPECT_NEAR(path_.radiance.x, 2.0f * weight, 1e-6f);
}

TEST_F(Shade, GathersALampAndEndsThere) {
  path_.ray = {.origin = {0, 0.5f, 0}, .direction = {0, 1, 0}};
  EXPECT_EQ(shade_at({.t = 1.5f, .primitive = 2}), Termination::kHitLight);
  EXPECT_EQ(path_.radiance, glm::vec3(4.0f, 1.5f, 0.5f));
}

TEST_F(Shade, EndsWhereNothingIsReflected) {
  scene_.materials[floor_].reflectance = glm::vec3(0.0f);
  EXPECT_EQ(shade_at(floor_hit()), Termination::kZeroThroughput);
  EXPECT_EQ(path_.radiance, glm::vec3(0.0f));
}

TEST_F(Shade, GathersAndEndsAtTheLastBounce) {
  scene_.materials[floor_].emission = glm::vec3(1.0f);
  EXPECT_EQ(shade_at(floor_hit(), {8, 8}), Termination::kMaxDepth);
  EXPECT_EQ(path_.radiance, glm::vec3(1.0f, 0.5f, 0.25f));
  EXPECT_EQ(shadow_.ray.t_max, 0.0f);
}

TEST_F(Shade, TurnsThePathAndCastsAShadowRay) {
  scene_.sky = {};  // all light samples go to the lamp
  ASSERT_EQ(shade_at(floor_hit()), Termination::kAlive);
  EXPECT_NEAR(path_.throughput.x, 0.5f, 1e-6f);  // times the reflectance
  EXPECT_GT(path_.ray.direction.y, 0.0f);
  EXPECT_GE(path_.ray.origin.y, 0.0f);
  EXPECT_NEAR(glm::length(path_.ray.direction), 1.0f, 1e-6f);
  EXPECT_NEAR(path_.bsdf_pdf, path_.ray.direction.y / kPi, 1e-6f);

  EXPECT_GT(shadow_.ray.t_max, 0.0f);
  EXPECT_GT(shadow_.ray.direction.y, 0.0f);
  EXPECT_GT(shadow_.contribution.x, 0.0f);
  EXPECT_EQ(path_.radiance, glm::vec3(0.0f));  // the shadow ray's contribution is added later
}

TEST_F(Shade, SamplesNoLightAtAMirror) {
  scene_.materials[floor_] = {.type = MaterialType::kMirror, .reflectance = glm::vec3(1.0f)};
  ASSERT_EQ(shade_at(floor_hit()), Termination::kAlive);
  EXPECT_EQ(shadow_.ray.t_max, 0.0f);
  EXPECT_EQ(path_.bsdf_pdf, 0.0f);  // emission of the next hit has full weight
  EXPECT_NEAR(path_.ray.direction.y, 1.0f, 1e-6f);
}

TEST_F(Shade, RouletteKeepsTheMean) {
  constexpr int kSamples = 20'000;
  double sum = 0;
  int lost = 0;
  const float after_floor = 0.5f * kRouletteThroughput;
  for (int sample = 0; sample < kSamples; ++sample) {
    path_ = path_down();
    path_.throughput *= kRouletteThroughput;
    Termination cause = shade_at(floor_hit(), {kRouletteStart, 8}, uint32_t(sample));
    ASSERT_TRUE(cause == Termination::kAlive || cause == Termination::kRoulette);
    if (cause == Termination::kAlive) sum += path_.throughput.x;
    lost += cause == Termination::kRoulette;
  }
  EXPECT_NEAR(double(lost) / kSamples, 0.5, 0.02);
  EXPECT_NEAR(sum / kSamples, after_floor, 0.02 * kRouletteThroughput);
}

TEST_F(Shade, RouletteSeldomEndsPathsOfHighThroughput) {
  constexpr int kSamples = 20'000;
  int lost = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    path_ = path_down();
    path_.throughput *= 2.1f * kRouletteThroughput;  // half of it is left after the floor
    lost += shade_at(floor_hit(), {kRouletteStart, 8}, uint32_t(sample)) == Termination::kRoulette;
  }
  EXPECT_NEAR(double(lost) / kSamples, 1.0 - kMaxSurvival, 0.005);
}

TEST_F(Shade, PlaysNoRouletteBefore) {
  for (uint32_t sample = 0; sample < 1000; ++sample) {
    path_ = path_down();
    path_.throughput *= 1e-3f;
    ASSERT_EQ(shade_at(floor_hit(), {kRouletteStart - 1, 8}, sample), Termination::kAlive);
  }
}

TEST_F(Shade, EndsAPathThatIsNoLongerFinite) {
  path_.throughput = glm::vec3(INFINITY);
  path_.radiance = glm::vec3(1.0f);
  EXPECT_EQ(shade_at(Hit{}), Termination::kNotFinite);
  EXPECT_EQ(shade_at(floor_hit()), Termination::kNotFinite);
  EXPECT_EQ(path_.radiance, glm::vec3(1.0f));  // unchanged
  EXPECT_EQ(shadow_.ray.t_max, 0.0f);
}

TEST_F(Shade, ShadowRayStopsShortOfItsLight) {
  scene_.sky = {};
  for (uint32_t sample = 0; sample < 200; ++sample) {
    path_ = path_down();
    shade_at(floor_hit(), {0, 8}, sample);
    if (shadow_.ray.t_max == 0.0f) continue;
    glm::vec3 end = shadow_.ray.origin + shadow_.ray.t_max * shadow_.ray.direction;
    float outside = glm::length(end - glm::vec3(0, 3, 0)) - 1.0f;
    EXPECT_GT(outside, 0.0f);
    EXPECT_LT(outside, 1e-3f);
  }
}

}  // namespace
}  // namespace winnow
