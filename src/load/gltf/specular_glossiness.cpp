// SPDX-License-Identifier: MIT
#include "load/gltf/specular_glossiness.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include "load/textures/texels.h"

namespace winnow {
namespace {

float largest_channel(glm::vec3 color) {
  return std::max({color.x, color.y, color.z});
}

}  // namespace

// Let s be the largest channel of specular and m the metallic share. Both descriptions reflect the
// same amount of light at normal incidence, and the same diffusely, if
//   s = 0.04 (1 - m) + base m   and   diffuse (1 - s) / (1 - 0.04) = base (1 - m).
// Without `base` this is a quadratic equation in m.
MetallicRoughness metallic_roughness_of(const SpecularGlossiness& surface) {
  constexpr float kDielectric = 0.04f, kTiny = 1e-6f;
  const float s = largest_channel(surface.specular);
  float metallic = 0.0f;
  if (s > kDielectric) {
    const float scaled = largest_channel(surface.diffuse) * (1.0f - s) / (1.0f - kDielectric);
    const float b = scaled + s - 2.0f * kDielectric;
    const float root = std::sqrt(std::max(b * b - 4.0f * kDielectric * (kDielectric - s), 0.0f));
    metallic = std::clamp((root - b) / (2.0f * kDielectric), 0.0f, 1.0f);
  }
  const glm::vec3 from_diffuse =
      surface.diffuse * ((1.0f - s) / ((1.0f - kDielectric) * std::max(1.0f - metallic, kTiny)));
  const glm::vec3 from_specular =
      (surface.specular - kDielectric * (1.0f - metallic)) / std::max(metallic, kTiny);
  return {.base_color =
              glm::clamp(glm::mix(from_diffuse, from_specular, metallic * metallic), 0.0f, 1.0f),
          .metallic = metallic,
          .roughness = 1.0f - surface.glossiness};
}

MetallicRoughnessImages metallic_roughness_images(const TextureImage* diffuse,
                                                  const TextureImage& specular,
                                                  const SpecularGlossiness& factors) {
  auto surface_at = [&](glm::vec4 s, glm::vec4 d) {
    return metallic_roughness_of({.diffuse = factors.diffuse * glm::vec3(d),
                                  .specular = factors.specular * glm::vec3(s),
                                  .glossiness = factors.glossiness * s.a});
  };
  return {.base_color = combine_texels(&specular, diffuse, TexelFormat::kSrgb8,
                                       [&](glm::vec4 s, glm::vec4 d) {
                                         return glm::vec4(surface_at(s, d).base_color, d.a);
                                       }),
          .roughness_metallic = combine_texels(
              &specular, diffuse, TexelFormat::kLinear8, [&](glm::vec4 s, glm::vec4 d) {
                const MetallicRoughness surface = surface_at(s, d);
                return glm::vec4(1.0f, surface.roughness, surface.metallic, 1.0f);
              })};
}

}  // namespace winnow
