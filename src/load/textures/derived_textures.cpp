// SPDX-License-Identifier: MIT
#include "load/textures/derived_textures.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <utility>

#include "load/textures/texels.h"
#include "math/sampling.h"

namespace winnow {
namespace {

size_t texel_count(const TextureImage& image) {
  return size_t{image.width} * image.height;
}

float luminance_of_texel(const TextureImage& image, size_t index) {
  return luminance(glm::vec3(linear_texel(image, index)));
}

/// Returns the luminance of `image` at the texel (x, y) of `of`, which may have another size.
float luminance_at(const TextureImage& image, uint32_t x, uint32_t y, const TextureImage& of) {
  const uint64_t column = uint64_t{x} * image.width / of.width;
  const uint64_t row = uint64_t{y} * image.height / of.height;
  return luminance_of_texel(image, row * image.width + column);
}

/// Returns an image of floats with the values `texel(x, y)`.
template <class Texel>
TextureImage make_float_image(std::string name, uint32_t width, uint32_t height, Texel texel) {
  TextureImage image{
      .name = std::move(name), .width = width, .height = height, .format = TexelFormat::kFloat};
  image.texels.resize(texel_count(image) * texel_bytes(image.format));
  std::byte* bytes = image.texels.data();
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      const glm::vec4 value = texel(x, y);
      std::memcpy(bytes, &value, sizeof value);
      bytes += sizeof value;
    }
  return image;
}

/// Returns the index of the texel next to `at`; `wrap` applies beyond the edges.
uint32_t neighbour(uint32_t at, int step, uint32_t size, TextureWrap wrap) {
  const int64_t next = int64_t{at} + step;
  if (next >= 0 && next < int64_t{size}) return uint32_t(next);
  return wrap == TextureWrap::kRepeat ? uint32_t((next + size) % size) : at;
}

/// Rounds `x` to one of few numbers, so that similar surfaces share an image.
float round_ratio(float x) {
  constexpr float kStepsPerOctave = 4.0f, kMaxOctaves = 8.0f;
  const float octaves = std::clamp(std::log2(std::max(x, 0.0f)), -kMaxOctaves, kMaxOctaves);
  return std::exp2(std::round(octaves * kStepsPerOctave) / kStepsPerOctave);
}

/// Returns a texture of normals for a texture of heights.
/// @param stretch  factors of the slopes along u and v
uint32_t normals_of_heights(uint32_t heights, glm::vec2 stretch, TextureLibrary& textures) {
  const TextureDescription mapping = textures.description(heights);
  const TextureImage& image = textures.image(mapping.image);
  auto height = [&](uint32_t x, uint32_t y) {
    return luminance_of_texel(image, size_t{y} * image.width + x);
  };
  TextureImage normals = make_float_image(
      image.name, image.width, image.height, [&](uint32_t x, uint32_t y) -> glm::vec4 {
        auto difference_u = height(neighbour(x, 1, image.width, mapping.wrap_u), y) -
                            height(neighbour(x, -1, image.width, mapping.wrap_u), y);
        auto difference_v = height(x, neighbour(y, 1, image.height, mapping.wrap_v)) -
                            height(x, neighbour(y, -1, image.height, mapping.wrap_v));
        const float du = 0.5f * stretch.x * float(image.width) * difference_u;
        const float dv = 0.5f * stretch.y * float(image.height) * difference_v;
        return {0.5f - 0.5f * du, 0.5f + 0.5f * dv, 1.0f, 1.0f};
      });
  return textures.add_image(std::move(normals), mapping);
}

}  // namespace

uint32_t pack_roughness_metallic(uint32_t roughness, uint32_t metallic, RoughnessUnit unit,
                                 TextureLibrary& textures) {
  auto image_of = [&](uint32_t texture) {
    return texture == kNoTexture ? nullptr : &textures.image(textures.description(texture).image);
  };
  const TextureImage *rough = image_of(roughness), *metal = image_of(metallic);
  const TextureImage& larger =
      !rough || (metal && texel_count(*metal) > texel_count(*rough)) ? *metal : *rough;
  TextureImage packed = make_float_image(
      larger.name, larger.width, larger.height, [&](uint32_t x, uint32_t y) -> glm::vec4 {
        float green = rough ? luminance_at(*rough, x, y, larger) : 1.0f;
        if (unit == RoughnessUnit::kAlpha) green = std::sqrt(std::max(green, 0.0f));
        const float blue = metal ? luminance_at(*metal, x, y, larger) : 1.0f;
        return {0.0f, glm::clamp(green, 0.0f, 1.0f), glm::clamp(blue, 0.0f, 1.0f), 1.0f};
      });
  const TextureDescription mapping = textures.description(rough ? roughness : metallic);
  return textures.add_image(std::move(packed), mapping);
}

void BumpMaps::add(uint32_t heights, float height, glm::vec2 uv_size, Material& material) {
  constexpr float kMinScale = 1e-6f;
  const glm::mat3x2& from_uv = textures_.description(heights).from_uv;
  const glm::vec2 size =  // size of the image on the surface
      uv_size / glm::max(glm::abs(glm::vec2(from_uv[0].x, from_uv[1].y)), glm::vec2(kMinScale));
  const float ratio = round_ratio(size.y / size.x);
  const auto [known, is_new] = normals_.try_emplace({heights, ratio}, kNoTexture);
  if (is_new)
    known->second =
        normals_of_heights(heights, {std::sqrt(ratio), 1.0f / std::sqrt(ratio)}, textures_);
  material.textures.normal = known->second;
  material.normal_scale = height / std::sqrt(size.x * size.y);
}

}  // namespace winnow
