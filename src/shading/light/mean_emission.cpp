#include "shading/light/mean_emission.h"

#include <cmath>
#include <glm/common.hpp>

#include "math/sampling.h"

namespace winnow {

bool emits_unevenly(const Material& material) {
  return material.textures.emission != kNoTexture || has_alpha_cutouts(material);
}

glm::vec3 mean_emission(const HostScene& scene, const std::vector<Texture>& textures,
                        uint32_t triangle) {
  const Material& material = scene.materials[scene.triangle_materials[triangle]];
  const uint32_t number = material.textures.emission;
  if (number == kNoTexture || scene.uvs.empty()) return material.emission;
  const Texture& texture = textures[number];
  const glm::uvec3 corners = scene.triangles[triangle];
  const glm::vec2 uv = scene.uvs[corners.x], a = scene.uvs[corners.y] - uv,
                  b = scene.uvs[corners.z] - uv;

  // A grid of points, each with the part of the texture around it, which its mip map averages.
  constexpr int kSide = 8;
  const float size = std::sqrt(0.5f * std::abs(a.x * b.y - a.y * b.x)) / float(kSide);
  glm::vec3 sum(0.0f);
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const glm::vec2 weights = sample_uniform_triangle(
          {(float(x) + 0.5f) / float(kSide), (float(y) + 0.5f) / float(kSide)});
      sum += glm::vec3(sample_texture(texture, uv + weights.x * a + weights.y * b, size));
    }
  return material.emission * (sum / float(kSide * kSide));
}

}  // namespace winnow
