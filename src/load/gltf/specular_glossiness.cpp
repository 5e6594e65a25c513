// SPDX-License-Identifier: MIT
#include "load/gltf/specular_glossiness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include "image/srgb.h"

namespace winnow {
namespace {

constexpr size_t kRgba = 4;  // channels, and bytes, of a texel
constexpr float kByteMax = 255.0f;

float largest_channel(glm::vec3 color) {
  return std::max({color.x, color.y, color.z});
}

/// Linear texels of an sRGB image at the resolution of another one.
class Texels {
 public:
  explicit Texels(const TextureImage* image) : image_(image) {
    for (size_t i = 0; i < linear_.size(); ++i) linear_[i] = linear_from_srgb(float(i) / kByteMax);
  }

  /// Returns the texel at (x, y) of `width` x `height`; white without an image.
  glm::vec4 at(uint32_t x, uint32_t y, uint32_t width, uint32_t height) const {
    if (!image_) return glm::vec4(1.0f);
    const size_t column = uint64_t(x) * image_->width / width;
    const size_t row = uint64_t(y) * image_->height / height;
    const std::byte* texel = &image_->texels[(row * image_->width + column) * kRgba];
    auto linear = [&](int channel) { return linear_[size_t(texel[channel])]; };
    return {linear(0), linear(1), linear(2), float(texel[3]) / kByteMax};
  }

 private:
  const TextureImage* image_;
  std::array<float, 256> linear_;  ///< linear value of each byte
};

std::byte byte_of(float value) {
  return std::byte(std::lround(std::clamp(value, 0.0f, 1.0f) * kByteMax));
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
  const bool is_diffuse_larger = diffuse && diffuse->texels.size() > specular.texels.size();
  const TextureImage& largest = is_diffuse_larger ? *diffuse : specular;
  const uint32_t width = largest.width, height = largest.height;
  MetallicRoughnessImages images{
      {.width = width, .height = height, .format = TexelFormat::kSrgb8},
      {.width = width, .height = height, .format = TexelFormat::kLinear8}};
  images.base_color.texels.resize(largest.texels.size());
  images.roughness_metallic.texels.resize(largest.texels.size());

  const Texels diffuse_texels(diffuse), specular_texels(&specular);
  size_t at = 0;
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x, at += kRgba) {
      const glm::vec4 d = diffuse_texels.at(x, y, width, height);
      const glm::vec4 s = specular_texels.at(x, y, width, height);
      const MetallicRoughness surface =
          metallic_roughness_of({.diffuse = factors.diffuse * glm::vec3(d),
                                 .specular = factors.specular * glm::vec3(s),
                                 .glossiness = factors.glossiness * s.a});
      std::byte* color = &images.base_color.texels[at];
      for (int i = 0; i < 3; ++i) color[i] = byte_of(srgb_from_linear(surface.base_color[i]));
      color[3] = byte_of(d.a);
      std::byte* data = &images.roughness_metallic.texels[at];
      data[0] = data[3] = byte_of(1.0f);
      data[1] = byte_of(surface.roughness);
      data[2] = byte_of(surface.metallic);
    }
  return images;
}

}  // namespace winnow
