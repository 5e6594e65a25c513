// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/mat3x2.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "image/srgb.h"
#include "scene/host_scene.h"
#include "scene/material.h"
#include "scene/texture_image.h"

namespace winnow {

struct TextureLevel {
  uint32_t width = 0, height = 0;     ///< texels
  const std::byte* texels = nullptr;  ///< [height][width], top row first, in host memory
};

/// A texture on one device: on a GPU a texture object, which filters in hardware; on the CPU the
/// mip levels of its image, filtered in the same way.
struct Texture {
  glm::mat3x2 from_uv{1.0f};              ///< see TextureDescription
  uint32_t image = 0;                     ///< index in TextureTable::pyramids
  uint32_t width = 0, height = 0;         ///< texels of level 0
  uint64_t object = 0;                    ///< cudaTextureObject_t
  simt::Span<const TextureLevel> levels;  ///< [level], on the CPU; only the first one unless
                                          ///< `filter` uses more
  TexelFormat format = TexelFormat::kLinear8;
  TextureWrap wrap_u = TextureWrap::kRepeat, wrap_v = TextureWrap::kRepeat;
  TextureFilter filter = TextureFilter::kLinear;
  /// Texels hold the coverage of a material as alpha, and colours times it. Both are filtered, so
  /// that filtered colours are those of the covered parts.
  bool is_weighted = false;
  /// Texels are sRGB-encoded values, filtered as they are and decoded afterwards. `format` is that
  /// of linear values.
  bool is_encoded = false;
};

/// Linear value of each sRGB byte, [byte].
inline const std::array<float, 256> kLinearOfSrgb = [] {
  std::array<float, 256> table;
  for (int byte = 0; byte < 256; ++byte) table[byte] = invert_tone_map(uint8_t(byte));
  return table;
}();

/// Maps a texel coordinate into [0, size).
inline uint32_t wrap_texel(int64_t i, uint32_t size, TextureWrap wrap) {
  const int64_t n = size;
  if (wrap == TextureWrap::kClamp) return uint32_t(glm::clamp<int64_t>(i, 0, n - 1));
  const int64_t period = wrap == TextureWrap::kMirror ? 2 * n : n;
  int64_t in_period = i % period;
  if (in_period < 0) in_period += period;
  return uint32_t(in_period < n ? in_period : 2 * n - 1 - in_period);
}

/// Reads a texel as linear values.
inline glm::vec4 read_texel(TexelFormat format, const TextureLevel& level, uint32_t x, uint32_t y) {
  const std::byte* texel = level.texels + texel_bytes(format) * (size_t(y) * level.width + x);
  if (format == TexelFormat::kFloat) {
    const auto* values = reinterpret_cast<const float*>(texel);
    return {values[0], values[1], values[2], values[3]};
  }
  if (format == TexelFormat::kLinear16) {
    constexpr float kFull16 = 65535.0f;
    const auto* values = reinterpret_cast<const uint16_t*>(texel);
    return glm::vec4(values[0], values[1], values[2], values[3]) / kFull16;
  }
  constexpr float kFull = 255.0f;
  auto byte = [&](int channel) { return uint8_t(texel[channel]); };
  const float alpha = float(byte(3)) / kFull;
  if (format == TexelFormat::kSrgb8)
    return {kLinearOfSrgb[byte(0)], kLinearOfSrgb[byte(1)], kLinearOfSrgb[byte(2)], alpha};
  return {float(byte(0)) / kFull, float(byte(1)) / kFull, float(byte(2)) / kFull, alpha};
}

/// Filters within a mip level.
///
/// @param at  (0, 0) is the upper left corner of the image, (1, 1) the opposite
inline glm::vec4 sample_level(const Texture& texture, const TextureLevel& level, glm::vec2 at) {
  const glm::vec2 position = at * glm::vec2(level.width, level.height);
  auto texel = [&](float x, float y) {
    return read_texel(texture.format, level, wrap_texel(int64_t(x), level.width, texture.wrap_u),
                      wrap_texel(int64_t(y), level.height, texture.wrap_v));
  };
  if (texture.filter == TextureFilter::kNearest)
    return texel(std::floor(position.x), std::floor(position.y));
  const glm::vec2 first = glm::floor(position - 0.5f), share = position - 0.5f - first;
  const glm::vec4 upper =
      glm::mix(texel(first.x, first.y), texel(first.x + 1.0f, first.y), share.x);
  const glm::vec4 lower =
      glm::mix(texel(first.x, first.y + 1.0f), texel(first.x + 1.0f, first.y + 1.0f), share.x);
  return glm::mix(upper, lower, share.y);
}

/// Filters within and between mip levels.
///
/// @param at   see sample_level()
/// @param lod  level of detail; fractions interpolate between two levels
inline glm::vec4 sample_levels(const Texture& texture, glm::vec2 at, float lod) {
  const float last = float(texture.levels.size - 1);
  const float clamped = glm::clamp(lod, 0.0f, last);  // 0 for NaN
  const auto first = uint32_t(clamped);
  const float share = clamped - float(first);
  const glm::vec4 fine = sample_level(texture, texture.levels[first], at);
  if (share == 0.0f) return fine;
  return glm::mix(fine, sample_level(texture, texture.levels[first + 1], at), share);
}

/// Looks up a texture, in linear values.
///
/// @param uv       texture coordinates of the surface
/// @param uv_size  width of the filter in uv
SIMT_HOST_DEVICE inline glm::vec4 sample_texture(const Texture& texture, glm::vec2 uv,
                                                 float uv_size) {
  // Beyond this a float has too few digits for the fractional part.
  constexpr float kFar = 1e6f;
  const glm::vec2 at = glm::clamp(texture.from_uv * glm::vec3(uv, 1.0f), -kFar, kFar);
  // The geometric mean of the scales from uv to texels along the two axes.
  const float stretch = std::abs(texture.from_uv[0].x * texture.from_uv[1].y -
                                 texture.from_uv[0].y * texture.from_uv[1].x) *
                        float(texture.width) * float(texture.height);
  const float texels = uv_size * std::sqrt(stretch);
  const bool has_levels = texture.filter == TextureFilter::kLinear;
  const float lod = has_levels && texels > 1.0f ? std::log2(texels) : 0.0f;
#if defined(__CUDA_ARCH__)
  const float4 found = tex2DLod<float4>(texture.object, at.x, at.y, lod);
  glm::vec4 value{found.x, found.y, found.z, found.w};
#else
  glm::vec4 value = sample_levels(texture, at, lod);
#endif
  if (texture.is_weighted && value.w > 0.0f) value = {glm::vec3(value) / value.w, value.w};
  if (texture.is_encoded)
    for (int i = 0; i < 3; ++i) value[i] = linear_from_srgb(value[i]);
  return value;
}

/// The mip levels of an image; each has half the size of the previous one.
struct TexturePyramid {
  std::vector<std::vector<std::byte>> texels;  ///< [level - 1]; level 0 is stored in the image
  std::vector<TextureLevel> levels;            ///< [level]
};

/// The textures of a scene in host memory. Refers to the images of the scene, which must outlive
/// it. Indices below the number of the scene's images or textures are those of the scene.
struct TextureTable {
  std::vector<TextureImage> weighted;    ///< images of weighted textures, after those of the scene
  std::vector<TexturePyramid> pyramids;  ///< [image]
  std::vector<Texture> textures;         ///< [texture], for the CPU
  std::vector<Material> materials;       ///< [material], those of the scene with their textures
};

/// Returns which textures the materials of a table use, [texture].
std::vector<bool> used_textures(const TextureTable& table);

/// Builds the mip levels of all images by averaging linear values, in parallel. Where a material
/// has an alpha texture that covers the surface as a colour texture does, the colours are weighted
/// by alpha. With Material::alpha_cutoff, the weights are 0 or 1.
TextureTable build_texture_table(const HostScene& scene);

}  // namespace winnow
