// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>

#include "math/sampling.h"
#include "scene/shapes.h"
#include "tests/wavefront/support/on_device.h"
#include "tests/wavefront/support/test_scenes.h"

// Boundaries with the lower index of refraction inside: a bubble of air in glass.

namespace winnow {
namespace {

using Boundaries = OnDevice;
INSTANTIATE_TEST_SUITE_P(Cpu, Boundaries, testing::Values(Device::kCpu), device_name);
INSTANTIATE_TEST_SUITE_P(Gpu, Boundaries, testing::Values(Device::kCuda), device_name);

const RenderSettings kSquare{.width = 48, .height = 48, .max_bounces = 12};
constexpr float kCameraDistance = 5.0f, kFieldOfView = 40.0f;

/// Four lamps of different colours, 3 m behind the origin.
HostScene scene_of_lamps() {
  HostScene scene;
  const std::pair<glm::vec2, glm::vec3> kLamps[] = {
      {{-4, 0}, {1, 0, 0}}, {{0, 0}, {0, 1, 0}}, {{-4, -4}, {0, 0, 1}}, {{0, -4}, {1, 1, 0}}};
  for (const auto& [corner, emission] : kLamps)
    add_rectangle(scene, {corner, -3}, {4, 0, 0}, {0, 4, 0},
                  add_material(scene, {.reflectance = glm::vec3(0.0f), .emission = emission}));
  scene.sky = {.zenith = glm::vec3(0.0f), .horizon = glm::vec3(0.0f), .ground = glm::vec3(0.0f)};
  scene.camera = {
      .position = {0, 0, kCameraDistance}, .look_at = {0, 0, 0}, .vertical_fov = kFieldOfView};
  return scene;
}

Material glass(float ior) {
  return {.type = MaterialType::kDielectric, .reflectance = glm::vec3(1.0f), .ior = ior};
}

HostScene with_ball(HostScene scene, const Material& material) {
  scene.spheres.push_back({.material = add_material(scene, material)});
  return scene;
}

/// A ball of triangles whose normals point inwards.
HostScene with_reversed_ball(HostScene scene, const Material& material) {
  Mesh ball = make_sphere_mesh();
  for (glm::uvec3& triangle : ball.triangles) std::swap(triangle.y, triangle.z);
  for (glm::vec3& n : ball.normals) n = -n;
  add_mesh(scene, ball, glm::mat4(1.0f), add_material(scene, material));
  return scene;
}

glm::dvec3 mean_of(const Image& image) {
  glm::dvec3 sum(0.0);
  for (const glm::vec3& pixel : image.pixels) sum += glm::dvec3(pixel);
  return sum / double(image.pixels.size());
}

/// Distance of the line of sight through the centre of a pixel from the origin, m.
float distance_from_origin(uint32_t pixel) {
  const float half = std::tan(0.5f * glm::radians(kFieldOfView));
  const glm::vec2 at(float(pixel % kSquare.width), float(pixel / kSquare.width));
  const float slope = half * glm::length((at + 0.5f) / (0.5f * float(kSquare.width)) - 1.0f);
  return kCameraDistance * slope / std::sqrt(1.0f + slope * slope);
}

// Beyond the critical angle, 41.8 degrees, a bubble reflects the dark room behind the camera.
TEST_P(Boundaries, ABubbleInGlassHasABlackRing) {
  for (const HostScene& scene : {with_ball(scene_of_lamps(), glass(1.0f / 1.5f)),
                                 with_reversed_ball(scene_of_lamps(), glass(1.5f))}) {
    const Image image = render(scene, kSquare, 64);
    const glm::dvec3 mean = mean_of(image);
    EXPECT_NEAR(mean.x, 0.423, 0.004);
    EXPECT_NEAR(mean.y, 0.423, 0.004);
    EXPECT_NEAR(mean.z, 0.2116, 0.003);
    for (uint32_t pixel = 0; pixel < image.pixels.size(); ++pixel) {
      const float distance = distance_from_origin(pixel);
      const glm::vec3 seen = image.pixels[pixel];
      const bool is_in_ring = distance > 0.73f && distance < 0.8f;
      const bool is_bright = distance < 0.4f || distance > 1.06f;
      EXPECT_TRUE(!is_in_ring || seen == glm::vec3(0.0f)) << pixel;
      EXPECT_TRUE(!is_bright || seen.x + seen.y + seen.z > 0.8f) << pixel;
    }
  }
}

TEST_P(Boundaries, AReversedBallIsOneOfTheInverseIndex) {
  for (float ior : {1.33f, 0.6f}) {
    const Image ball = render(with_ball(scene_of_lamps(), glass(1.0f / ior)), kSquare, 64),
                reversed = render(with_reversed_ball(scene_of_lamps(), glass(ior)), kSquare, 64);
    const glm::dvec3 difference = mean_of(ball) - mean_of(reversed);
    EXPECT_LT(glm::length(difference), 0.01) << ior;
  }
}

// A ball of glass with a bubble, or with water, within a white sky is invisible.
TEST_P(Boundaries, AreInvisibleInAWhiteSky) {
  HostScene empty;
  empty.sky = {.zenith = glm::vec3(1.0f), .horizon = glm::vec3(1.0f), .ground = glm::vec3(1.0f)};
  empty.camera = {.position = {0, 0, 4}, .look_at = {0, 0, 0}, .vertical_fov = 20.0f};
  auto rough = [](float ior) {
    Material material = glass(ior);
    material.type = MaterialType::kRoughDielectric;
    material.roughness = 0.15f;
    return material;
  };
  auto nested = [&](float inner_ior) {
    HostScene scene = with_ball(empty, glass(1.5f));
    scene.spheres.push_back({.radius = 0.7f, .material = add_material(scene, glass(inner_ior))});
    return scene;
  };
  const RenderSettings settings{.width = 24, .height = 24, .max_bounces = 200, .roulette = false};
  for (float ior : {0.5f, 0.667f, 0.75f}) {
    SCOPED_TRACE(ior);
    EXPECT_NEAR(mean_of(render(with_ball(empty, glass(ior)), settings, 16)).x, 1.0, 1e-4);
    EXPECT_NEAR(mean_of(render(nested(ior), settings, 16)).x, 1.0, 1e-3);
    EXPECT_NEAR(mean_of(render(with_ball(empty, rough(ior)), settings, 16)).x, 1.0, 0.01);
  }
}

}  // namespace
}  // namespace winnow
