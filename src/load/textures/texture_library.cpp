// SPDX-License-Identifier: MIT
#include "load/textures/texture_library.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <glm/common.hpp>

#include "base/error.h"
#include "load/textures/texels.h"
#include "math/sampling.h"

namespace winnow {
namespace {

constexpr float kLargestByte = 255.0f;

/// Returns an image with `change` applied to its linear texels.
TextureImage change_texels(const TextureImage& image, glm::vec4 (*change)(glm::vec4)) {
  const bool is_float = image.format == TexelFormat::kFloat;
  TextureImage changed{image.name, image.width, image.height,
                       is_float ? TexelFormat::kFloat : TexelFormat::kLinear8, image.texels};
  const size_t step = texel_bytes(image.format);
  for (size_t at = 0; at < changed.texels.size(); at += step) {
    std::byte* bytes = &changed.texels[at];
    const glm::vec4 texel = change(linear_texel(image, at / step));
    if (is_float) {
      std::memcpy(bytes, &texel, sizeof texel);
      continue;
    }
    const glm::vec4 limited = glm::clamp(texel, 0.0f, 1.0f);
    for (int i = 0; i < 4; ++i) bytes[i] = std::byte(std::lround(kLargestByte * limited[i]));
  }
  return changed;
}

/// Returns the fields of a texture as bits that are equal if the fields are.
TextureLibrary::TextureBits bits_of(const TextureDescription& texture) {
  TextureLibrary::TextureBits bits = {texture.image, uint32_t(texture.wrap_u),
                                      uint32_t(texture.wrap_v), uint32_t(texture.filter)};
  constexpr size_t kFirst = 4;
  for (int i = 0; i < 6; ++i)  // -0 becomes 0
    bits[kFirst + size_t(i)] = std::bit_cast<uint32_t>(texture.from_uv[i / 2][i % 2] + 0.0f);
  return bits;
}

glm::vec4 with_green_inverted(glm::vec4 texel) {
  return {texel.r, 1.0f - texel.g, texel.b, texel.a};
}

glm::vec4 luminance_as_coverage(glm::vec4 texel) {
  return glm::vec4(luminance(glm::vec3(texel)));
}

}  // namespace

uint32_t TextureLibrary::image_of(const std::filesystem::path& file, TexelMeaning meaning) {
  const auto [known, is_new] = images_.try_emplace({file, meaning}, kNoTexture);
  if (!is_new) return known->second;
  try {
    known->second = keep(read_texture_file(file, meaning));
  } catch (const Error& error) {
    std::error_code status;
    const bool missing = !std::filesystem::exists(file, status);
    scene_.warnings.push_back(
        missing ? fmt::format("{}: the texture does not exist; it is left out", file.string())
                : fmt::format("{}; the texture is left out", error.what()));
  }
  return known->second;
}

uint32_t TextureLibrary::add_file(const std::filesystem::path& file, TexelMeaning meaning,
                                  TextureDescription description) {
  description.image = image_of(file, meaning);
  return description.image == kNoTexture ? kNoTexture : add(description);
}

uint32_t TextureLibrary::add_image(TextureImage image, TextureDescription description) {
  description.image = keep(std::move(image));
  return add(description);
}

uint32_t TextureLibrary::add_checkerboard(glm::vec3 a, glm::vec3 b,
                                          TextureDescription description) {
  const glm::vec4 squares[] = {{a, 1.0f}, {b, 1.0f}, {b, 1.0f}, {a, 1.0f}};
  TextureImage image{
      .name = "checkerboard", .width = 2, .height = 2, .format = TexelFormat::kFloat};
  image.texels.resize(sizeof squares);
  std::memcpy(image.texels.data(), squares, sizeof squares);
  description.filter = TextureFilter::kNearest;
  const std::string texels(reinterpret_cast<const char*>(squares), sizeof squares);
  const auto [known, is_new] = checkerboards_.try_emplace(texels, kNoTexture);
  if (is_new) known->second = keep(std::move(image));
  description.image = known->second;
  return add(description);
}

uint32_t TextureLibrary::add_changed(uint32_t texture, const std::string& use,
                                     glm::vec4 (*change)(glm::vec4)) {
  TextureDescription description = scene_.textures[texture];
  const auto [known, is_new] = changed_.try_emplace({description.image, use}, kNoTexture);
  if (is_new) {
    TextureImage image = change_texels(scene_.images[description.image], change);
    known->second = keep(std::move(image));
  }
  description.image = known->second;
  return add(description);
}

uint32_t TextureLibrary::add_with_green_inverted(uint32_t texture) {
  return add_changed(texture, "green inverted", with_green_inverted);
}

uint32_t TextureLibrary::add_luminance_as_coverage(uint32_t texture) {
  return add_changed(texture, "luminance as coverage", luminance_as_coverage);
}

uint32_t TextureLibrary::add_normals_from_heights(const TextureDescription& heights, float height) {
  TextureDescription description = heights;
  const std::string use = fmt::format("normals of heights {}", height);
  const auto [known, is_new] = changed_.try_emplace({heights.image, use}, kNoTexture);
  if (is_new) known->second = keep(normals_from_heights(scene_.images[heights.image], height));
  description.image = known->second;
  return add(description);
}

uint32_t TextureLibrary::add(const TextureDescription& description) {
  std::vector<TextureDescription>& textures = scene_.textures;
  const auto [known, is_new] = known_.try_emplace(bits_of(description), uint32_t(textures.size()));
  if (is_new) textures.push_back(description);
  return known->second;
}

}  // namespace winnow
