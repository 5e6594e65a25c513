// SPDX-License-Identifier: MIT
#include "load/textures/texels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "image/srgb.h"

namespace winnow {
namespace {

constexpr int kTexelChannels = 4, kAlphaChannel = 3;
constexpr float kWhiteByte = 255.0f, kWhite16 = 65535.0f;

bool has_bytes(const TextureImage* image) {
  return !image || image->format == TexelFormat::kSrgb8 || image->format == TexelFormat::kLinear8;
}

glm::vec4 merged_texel(glm::vec4 first, glm::vec4 second, ChannelMerge merge) {
  switch (merge) {
    case ChannelMerge::kRedGreen:
      return {first.r, second.g, 1.0f, 1.0f};
    case ChannelMerge::kColorAlpha:
      return {glm::vec3(first), second.a};
  }
  return first;
}

}  // namespace

glm::vec4 linear_texel(const TextureImage& image, size_t index) {
  static const std::array<float, 256> kLinear = [] {
    std::array<float, 256> linear;
    for (size_t i = 0; i < linear.size(); ++i) linear[i] = linear_from_srgb(float(i) / kWhiteByte);
    return linear;
  }();
  const std::byte* bytes = &image.texels[index * texel_bytes(image.format)];
  glm::vec4 texel;
  if (image.format == TexelFormat::kFloat) {
    std::memcpy(&texel, bytes, sizeof texel);
    return texel;
  }
  if (image.format == TexelFormat::kLinear16) {
    std::array<uint16_t, kTexelChannels> values;
    std::memcpy(values.data(), bytes, sizeof values);
    return glm::vec4(values[0], values[1], values[2], values[3]) / kWhite16;
  }
  for (int i = 0; i < kTexelChannels; ++i) {
    const bool is_srgb = image.format == TexelFormat::kSrgb8 && i != kAlphaChannel;
    texel[i] = is_srgb ? kLinear[size_t(bytes[i])] : float(bytes[i]) / kWhiteByte;
  }
  return texel;
}

void store_texel(glm::vec4 linear, TexelFormat format, std::byte* texel) {
  if (format == TexelFormat::kFloat) {
    std::memcpy(texel, &linear, sizeof linear);
    return;
  }
  glm::vec4 stored = glm::clamp(linear, 0.0f, 1.0f);
  if (format == TexelFormat::kLinear16) {
    std::array<uint16_t, kTexelChannels> values;
    for (int i = 0; i < kTexelChannels; ++i)
      values[size_t(i)] = uint16_t(std::lround(kWhite16 * stored[i]));
    std::memcpy(texel, values.data(), sizeof values);
    return;
  }
  for (int i = 0; i < kTexelChannels; ++i) {
    if (format == TexelFormat::kSrgb8 && i != kAlphaChannel)
      stored[i] = srgb_from_linear(stored[i]);
    texel[i] = std::byte(std::lround(kWhiteByte * stored[i]));
  }
}

glm::vec4 texel_at(const TextureImage& image, uint32_t x, uint32_t y, const TextureImage& of) {
  const uint64_t column = uint64_t{x} * image.width / of.width;
  const uint64_t row = uint64_t{y} * image.height / of.height;
  return linear_texel(image, row * image.width + column);
}

glm::vec4 mean_texel(const TextureImage& image) {
  const size_t count = texel_count(image);
  glm::dvec4 sum(0.0);
  for (size_t i = 0; i < count; ++i) sum += glm::dvec4(linear_texel(image, i));
  return glm::vec4(sum / double(std::max<size_t>(count, 1)));
}

TextureImage normals_from_heights(const TextureImage& heights, float height) {
  const size_t width = heights.width, rows = heights.height;
  std::vector<float> levels(width * rows);  // [row][column], in texels
  const float scale = height * float(std::max(width, rows));
  for (size_t i = 0; i < levels.size(); ++i) {
    const glm::vec4 texel = linear_texel(heights, i);
    const float level = scale * (texel.r + texel.g + texel.b) / 3.0f;
    levels[i] = std::isfinite(level) ? level : 0.0f;
  }

  TextureImage normals{
      .name = heights.name,
      .width = heights.width,
      .height = heights.height,
      .format = has_bytes(&heights) ? TexelFormat::kLinear8 : TexelFormat::kLinear16};
  fill_texels(normals, [&](size_t x, size_t y) {
    const float* row = &levels[y * width];
    const float* above = &levels[(y + rows - 1) % rows * width];
    const float* below = &levels[(y + 1) % rows * width];
    // Sobel-Feldman operator: differences over two texels, smoothed across.
    const size_t left = (x + width - 1) % width, right = (x + 1) % width;
    const float along_x =
        above[right] - above[left] + 2.0f * (row[right] - row[left]) + below[right] - below[left];
    const float along_y =
        below[left] - above[left] + 2.0f * (below[x] - above[x]) + below[right] - above[right];
    constexpr float kWeights = 8.0f;
    const glm::vec3 normal =
        glm::normalize(glm::vec3(-along_x / kWeights, along_y / kWeights, 1.0f));
    return glm::vec4(0.5f + 0.5f * normal, 1.0f);
  });
  return normals;
}

glm::mat2 image_axes(const glm::mat3x2& from_uv) {
  const glm::mat2 linear(from_uv[0], from_uv[1]);
  const float determinant = glm::determinant(linear);
  if (!(std::abs(determinant) > 0.0f)) return glm::mat2(1.0f);
  const float side = determinant > 0.0f ? 1.0f : -1.0f;
  const glm::vec2 right =
      side * glm::vec2(linear[1].y, linear[0].y) / std::hypot(linear[1].y, linear[0].y);
  constexpr float kRounding = 1e-6f;
  if (side > 0.0f && right.x > 0.0f && std::abs(right.y) < kRounding) return glm::mat2(1.0f);
  return {right, side * glm::vec2(-right.y, right.x)};
}

TextureImage turned_normals(const TextureImage& normals, const glm::mat2& turn) {
  TextureImage result{.name = normals.name,
                      .width = normals.width,
                      .height = normals.height,
                      .format = normals.format};
  fill_texels(result, [&](uint32_t x, uint32_t y) {
    const glm::vec4 texel = texel_at(normals, x, y, result);
    const glm::vec2 slope = turn * (glm::vec2(texel) - 0.5f) + 0.5f;
    return glm::vec4(slope, texel.z, texel.w);
  });
  return result;
}

TextureImage combine_texels(const TextureImage* first, const TextureImage* second,
                            TexelFormat format,
                            const std::function<glm::vec4(glm::vec4, glm::vec4)>& combine) {
  const bool is_second_larger = second && (!first || texel_count(*second) > texel_count(*first));
  const TextureImage& larger = is_second_larger ? *second : *first;
  if (!has_bytes(first) || !has_bytes(second))
    format = format == TexelFormat::kSrgb8 ? TexelFormat::kFloat : TexelFormat::kLinear16;
  TextureImage result{.name = first ? first->name : second->name,
                      .width = larger.width,
                      .height = larger.height,
                      .format = format};
  fill_texels(result, [&](uint32_t x, uint32_t y) {
    auto texel_of = [&](const TextureImage* image) {
      return image ? glm::clamp(texel_at(*image, x, y, result), 0.0f, 1.0f) : glm::vec4(1.0f);
    };
    return combine(texel_of(first), texel_of(second));
  });
  return result;
}

TextureImage merge_texels(const TextureImage* first, const TextureImage* second,
                          ChannelMerge merge) {
  const bool is_color = merge != ChannelMerge::kRedGreen;
  return combine_texels(first, second, is_color ? TexelFormat::kSrgb8 : TexelFormat::kLinear8,
                        [merge](glm::vec4 a, glm::vec4 b) { return merged_texel(a, b, merge); });
}

}  // namespace winnow
