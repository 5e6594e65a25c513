// SPDX-License-Identifier: MIT
#include "load/textures/texels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "image/srgb.h"

namespace winnow {
namespace {

constexpr int kTexelChannels = 4, kAlphaChannel = 3;
constexpr float kWhiteByte = 255.0f;

std::byte byte_of_component(float component) {
  return std::byte(std::lround(kWhiteByte * (0.5f + 0.5f * component)));
}

}  // namespace

glm::vec4 linear_texel(const TextureImage& image, size_t index) {
  const std::byte* bytes = &image.texels[index * texel_bytes(image.format)];
  glm::vec4 texel;
  if (image.format == TexelFormat::kFloat) {
    std::memcpy(&texel, bytes, sizeof texel);
    return texel;
  }
  for (int i = 0; i < kTexelChannels; ++i) {
    texel[i] = float(bytes[i]) / kWhiteByte;
    if (image.format == TexelFormat::kSrgb8 && i != kAlphaChannel)
      texel[i] = linear_from_srgb(texel[i]);
  }
  return texel;
}

glm::vec4 mean_texel(const TextureImage& image) {
  const size_t count = size_t(image.width) * image.height;
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

  TextureImage normals{.name = heights.name, .width = heights.width, .height = heights.height};
  normals.texels.resize(levels.size() * texel_bytes(normals.format));
  std::byte* texel = normals.texels.data();
  for (size_t y = 0; y < rows; ++y) {
    const float* row = &levels[y * width];
    const float* above = &levels[(y + rows - 1) % rows * width];
    const float* below = &levels[(y + 1) % rows * width];
    for (size_t x = 0; x < width; ++x, texel += kTexelChannels) {
      // Sobel-Feldman operator: differences over two texels, smoothed across.
      const size_t left = (x + width - 1) % width, right = (x + 1) % width;
      const float along_x =
          above[right] - above[left] + 2.0f * (row[right] - row[left]) + below[right] - below[left];
      const float along_y =
          below[left] - above[left] + 2.0f * (below[x] - above[x]) + below[right] - above[right];
      constexpr float kWeights = 8.0f;
      const glm::vec3 normal =
          glm::normalize(glm::vec3(-along_x / kWeights, along_y / kWeights, 1.0f));
      for (int i = 0; i < 3; ++i) texel[i] = byte_of_component(normal[i]);
      texel[kAlphaChannel] = std::byte(uint8_t(kWhiteByte));
    }
  }
  return normals;
}

}  // namespace winnow
