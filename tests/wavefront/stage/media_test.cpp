// SPDX-License-Identifier: MIT
#include "wavefront/stage/media.h"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "bvh/embree_accel.h"
#include "device_scene/device_scene.h"
#include "shading/light/light_table.h"
#include "tests/support/expect_near.h"

namespace winnow {
namespace {

/// A ball of radius 1 around the origin, which is no surface, and a black one behind it.
class SampleMediumStage : public testing::Test {
 protected:
  SampleMediumStage() {
    scene_.materials = {{.type = MaterialType::kNull, .bounds_media = true, .interior = 0},
                        {.reflectance = glm::vec3(0.0f)}};
    scene_.material_names = {"boundary", "black"};
    scene_.spheres = {{.center = {0, 0, 0}, .radius = 1.0f, .material = 0},
                      {.center = {0, 0, 9}, .radius = 1.0f, .material = 1}};
  }

  /// Returns where a path from (0, 0, -4) along +z scatters.
  Hit travel_along_z(const Medium& medium, float u_distance, PathInMedia& path) {
    scene_.media = {medium};
    const LightTable lights = build_light_table(scene_, {}, LightChoice::kPower, kMedia);
    const auto device = make_device_scene<kMedia>(scene_, {lights, {}, {}, {}}, 1, 1);
    const EmbreeScene embree(scene_);
    path.ray = {.origin = {0, 0, -4}, .direction = {0, 0, 1}};
    return travel(device, embree.accel(), embree.accel().intersect(path.ray),
                  {0.1f, u_distance, 0.0f, 0.0f}, path);
  }

  HostScene scene_;
};

TEST_F(SampleMediumStage, PassesWhatOnlyAbsorbsAndWeighsByTheLengthInside) {
  PathInMedia path;
  const Hit hit = travel_along_z({.absorption = {0.5f, 1.0f, 0.0f}}, 0.9f, path);
  EXPECT_EQ(hit.primitive, 1u);
  EXPECT_NEAR(hit.t, 12.0f, 1e-5f);
  expect_near(path.throughput, {std::exp(-1.0f), std::exp(-2.0f), 1.0f});
  EXPECT_EQ(path.medium, kNoMedium);
}

TEST_F(SampleMediumStage, EndsInFogAtTheSampledOpticalDepth) {
  PathInMedia path;
  const float u = 0.5f;
  const Hit hit =
      travel_along_z({.absorption = glm::vec3(0.5f), .scattering = glm::vec3(1.5f)}, u, path);
  EXPECT_TRUE(ended_in_medium(hit));
  EXPECT_NEAR(hit.t, 3.0f - std::log(1.0f - u) / 2.0f, 1e-5f);
  expect_near(path.throughput, glm::vec3(0.75f));  // the albedo
  EXPECT_EQ(path.medium, 0u);
}

TEST_F(SampleMediumStage, PassesFogThatIsThinnerThanTheSampledOpticalDepth) {
  PathInMedia path;
  const Hit hit = travel_along_z({.scattering = glm::vec3(0.1f)}, 0.5f, path);
  EXPECT_EQ(hit.primitive, 1u);
  expect_near(path.throughput, glm::vec3(1.0f));  // transmittance over its probability
}

/// By hand: extinctions 1 and 3, red chosen, depth -ln(1 - u) of red.
TEST_F(SampleMediumStage, WeighsColouredFogByTheMeanDensityOfItsChannels) {
  PathInMedia path;
  path.throughput = {0.5f, 0.5f, 0.0f};
  const float t = 0.4f, red = std::exp(-t), green = std::exp(-3.0f * t);
  const Hit hit = travel_along_z({.scattering = {1.0f, 3.0f, 7.0f}}, 1.0f - red, path);
  EXPECT_NEAR(hit.t, 3.0f + t, 1e-5f);
  const float density = 0.5f * red + 0.5f * 3.0f * green;
  expect_near(path.throughput, {0.5f * red / density, 0.5f * 3.0f * green / density, 0.0f});
}

TEST_F(SampleMediumStage, WithoutMediaEndsWhereTheAlphaTestDoesWithTheSameBits) {
  HostScene scene;
  scene.materials = {{.reflectance = glm::vec3(0.5f), .alpha = 0.3f}};
  scene.material_names = {"leaf"};
  for (int i = 0; i < 9; ++i)
    scene.spheres.push_back({.center = {0, 0, 2.1f * float(i)}, .radius = 1.0f, .material = 0});
  const LightTable lights = build_light_table(scene, {}, LightChoice::kPower, kMedia);
  const auto device = make_device_scene<kMedia>(scene, {lights, {}, {}, {}}, 1, 1);
  const EmbreeScene embree(scene);
  uint32_t behind_another = 0;
  for (int i = 0; i < 500; ++i) {
    PathInMedia path;
    path.ray = {.origin = {0.31f, 0.2f, -4.0f},
                .direction = glm::normalize(glm::vec3(0.001f * float(i % 25) - 0.02f,
                                                      0.002f * float(i / 25) - 0.03f, 1.0f))};
    const Hit first = embree.accel().intersect(path.ray);
    const Hit expected = alpha_tested_hit(device, embree.accel(), path.ray, 0.0f, first);
    const Hit hit = travel(device, embree.accel(), first, glm::vec4(0.5f), path);
    EXPECT_EQ(hit.t, expected.t);
    EXPECT_EQ(hit.primitive, expected.primitive);
    EXPECT_EQ(path.throughput, glm::vec3(1.0f));
    behind_another += expected.t > first.t;
  }
  EXPECT_GT(behind_another, 200u);
}

}  // namespace
}  // namespace winnow
