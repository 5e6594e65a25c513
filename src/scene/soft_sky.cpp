// SPDX-License-Identifier: MIT
#include "scene/soft_sky.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/trigonometric.hpp>

#include "math/constants.h"
#include "math/frame.h"

namespace winnow {
namespace {

/// A rectangle of light on the sky.
struct Softbox {
  float azimuth, elevation;       ///< degrees, centre; azimuth from +z to +x
  float half_width, half_height;  ///< degrees
  float radiance;                 ///< W sr^-1 m^-2
};

constexpr Softbox kSoftboxes[] = {
    {-25.0f, 48.0f, 26.0f, 17.0f, 4.5f},
    {75.0f, 35.0f, 6.0f, 28.0f, 3.0f},
};

/// Returns the radiance of a softbox in direction `w`; its edges are soft.
float eval_softbox(const Softbox& box, glm::vec3 w) {
  constexpr float kEdge = 3.0f;  // degrees
  const float azimuth = glm::radians(box.azimuth), elevation = glm::radians(box.elevation);
  const glm::vec3 center(std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                         std::cos(azimuth) * std::cos(elevation));
  const glm::vec3 right(std::cos(azimuth), 0.0f, -std::sin(azimuth));
  const glm::vec3 local = Frame(center, right).to_local(w);
  if (local.z <= 0.0f) return 0.0f;
  auto inside = [&](float across, float half) {
    const float angle = std::abs(glm::degrees(std::atan2(across, local.z)));
    return 1.0f - glm::smoothstep(half - kEdge, half, angle);
  };
  return box.radiance * inside(local.x, box.half_width) * inside(local.y, box.half_height);
}

/// Returns the irradiance of a surface that faces the zenith.
glm::vec3 upper_irradiance(const Sky& sky) {
  return kPi * sky.horizon + (2.0f / 3.0f) * kPi * (sky.zenith - sky.horizon);
}

/// Returns the radiance of the ground relative to the mean that a surface facing down sees. It gets
/// darker downwards, so that the lower half of a mirror stands out against the ground behind it.
/// @param depth  sine of the angle below the horizon
float ground_factor(float depth) {
  constexpr float kAtHorizon = 1.3f;
  return kAtHorizon - (kAtHorizon - 1.0f) * 1.5f * depth;
}

/// True if the surface visibly reflects or refracts its surroundings.
bool is_glossy(const Material& material) {
  if (material.type == MaterialType::kPrincipled)
    return material.metallic > 0.0f || material.transmission > 0.0f || material.coat > 0.0f ||
           material.iridescence > 0.0f;
  return traits_of(material.type).glossy;
}

}  // namespace

Sky soft_sky() {
  return {.zenith = {1.50f, 1.55f, 1.65f},
          .horizon = {0.58f, 0.56f, 0.53f},
          .ground = {0.15f, 0.165f, 0.19f}};
}

EnvironmentMap studio_sky() {
  constexpr uint32_t kHeight = 128;  // rows; a texel has 1.4 degrees, half of a soft edge
  constexpr float kStep = kPi / float(kHeight);
  const Sky gradient = soft_sky();
  EnvironmentMap map{.image = {2 * kHeight, kHeight, {}}};
  std::vector<float> boxes;  // [texel above the horizon], radiance
  double from_boxes = 0.0;   // irradiance
  for (uint32_t y = 0; y < kHeight / 2; ++y)
    for (uint32_t x = 0; x < 2 * kHeight; ++x) {
      const float theta = kStep * (float(y) + 0.5f), phi = kStep * (float(x) + 0.5f);
      const float sine = std::sin(theta), cosine = std::cos(theta);
      const glm::vec3 w(sine * std::sin(phi), cosine, -sine * std::cos(phi));
      float radiance = 0.0f;
      for (const Softbox& box : kSoftboxes) radiance += eval_softbox(box, w);
      from_boxes += double(radiance * sine * cosine * kStep * kStep);
      boxes.push_back(radiance);
      map.image.pixels.push_back(glm::mix(gradient.horizon, gradient.zenith, cosine));
    }
  const glm::vec3 whole = upper_irradiance(gradient);
  const glm::vec3 dimmed = (whole - glm::vec3(float(from_boxes))) / whole;
  for (size_t i = 0; i < boxes.size(); ++i)
    map.image.pixels[i] = dimmed * map.image.pixels[i] + boxes[i];
  for (uint32_t y = kHeight / 2; y < kHeight; ++y) {
    const float depth = -std::cos(kStep * (float(y) + 0.5f));
    map.image.pixels.resize(size_t(2 * kHeight) * (y + 1), ground_factor(depth) * gradient.ground);
  }
  return map;
}

void add_soft_sky(HostScene& scene) {
  if (std::ranges::any_of(scene.materials, is_glossy))
    scene.environment = studio_sky();
  else
    scene.sky = soft_sky();
}

}  // namespace winnow
