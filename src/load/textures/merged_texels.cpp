// SPDX-License-Identifier: MIT
#include "load/textures/merged_texels.h"

#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "image/srgb.h"
#include "load/textures/texels.h"

namespace winnow {
namespace {

/// Returns the linear texel of `image` at the texel (x, y) of `size`; 1 without an image.
glm::vec4 texel_in(const TextureImage* image, uint32_t x, uint32_t y, const TextureImage& size) {
  if (!image) return glm::vec4(1.0f);
  const size_t column = uint64_t(x) * image->width / size.width;
  const size_t row = uint64_t(y) * image->height / size.height;
  return glm::clamp(linear_texel(*image, row * image->width + column), 0.0f, 1.0f);
}

glm::vec4 merged_texel(glm::vec4 first, glm::vec4 second, ChannelMerge merge) {
  switch (merge) {
    case ChannelMerge::kTint:
      return {second.a * glm::vec3(first), 1.0f};
    case ChannelMerge::kRedGreen:
      return {first.r, second.g, 1.0f, 1.0f};
    case ChannelMerge::kColorAlpha:
      return {glm::vec3(first), second.a};
  }
  return first;
}

std::byte byte_of_fraction(float value) {
  constexpr float kWhite = 255.0f;
  return std::byte(std::lround(kWhite * value));
}

}  // namespace

TextureImage merge_texels(const TextureImage* first, const TextureImage* second,
                          ChannelMerge merge) {
  auto count = [](const TextureImage* image) {
    return image ? uint64_t(image->width) * image->height : 0;
  };
  const TextureImage& larger = count(second) > count(first) ? *second : *first;
  const bool is_color = merge != ChannelMerge::kRedGreen;
  TextureImage result{.name = first ? first->name : second->name,
                      .width = larger.width,
                      .height = larger.height,
                      .format = is_color ? TexelFormat::kSrgb8 : TexelFormat::kLinear8};
  result.texels.resize(size_t(count(&larger)) * texel_bytes(result.format));
  std::byte* bytes = result.texels.data();
  for (uint32_t y = 0; y < result.height; ++y)
    for (uint32_t x = 0; x < result.width; ++x) {
      const glm::vec4 texel =
          merged_texel(texel_in(first, x, y, result), texel_in(second, x, y, result), merge);
      for (int i = 0; i < 3; ++i)
        *bytes++ = byte_of_fraction(is_color ? srgb_from_linear(texel[i]) : texel[i]);
      *bytes++ = byte_of_fraction(texel.a);
    }
  return result;
}

}  // namespace winnow
