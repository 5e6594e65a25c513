// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/mat3x2.hpp>
#include <string>
#include <vector>

namespace winnow {

/// How a texel is stored: four channels, red first.
enum class TexelFormat : uint32_t {
  kLinear8,   ///< bytes that stand for [0, 1]
  kSrgb8,     ///< bytes; red, green and blue sRGB-encoded, alpha linear
  kFloat,     ///< floats, linear
  kLinear16,  ///< numbers of 16 bits that stand for [0, 1]
};

inline size_t texel_bytes(TexelFormat format) {
  constexpr size_t kChannels = 4;
  if (format == TexelFormat::kFloat) return kChannels * sizeof(float);
  return kChannels * (format == TexelFormat::kLinear16 ? sizeof(uint16_t) : sizeof(uint8_t));
}

struct TextureImage {
  std::string name = {};  ///< name of the file, for messages
  uint32_t width = 0, height = 0;
  TexelFormat format = TexelFormat::kLinear8;
  std::vector<std::byte> texels = {};  ///< [height][width], top row first
};

/// Mapping of texture coordinates outside of [0, 1).
enum class TextureWrap : uint32_t { kRepeat, kMirror, kClamp };

enum class TextureFilter : uint32_t {
  kNearest,          ///< the texel that contains the point
  kLinear,           ///< trilinear interpolation of texels and mip levels
  kBilinear,         ///< interpolation of texels, without mip levels
  kBilinearEncoded,  ///< kBilinear of sRGB-encoded values, which are decoded after it, as in Cycles
};

/// An image with its mapping to surfaces.
struct TextureDescription {
  uint32_t image = 0;  ///< index in HostScene::images
  TextureWrap wrap_u = TextureWrap::kRepeat, wrap_v = TextureWrap::kRepeat;
  TextureFilter filter = TextureFilter::kLinear;
  glm::mat3x2 from_uv{1.0f};  ///< maps the uv of a surface to that of the image, whose (0, 0) is
                              ///< its upper left corner
  bool operator==(const TextureDescription&) const = default;
};

}  // namespace winnow
