// SPDX-License-Identifier: MIT
#include "load/textures/texture_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace winnow {
namespace {

void invert_green(TextureImage& image) {
  const size_t step = texel_bytes(image.format);
  for (size_t texel = 0; texel < image.texels.size(); texel += step) {
    if (image.format == TexelFormat::kFloat) {
      float green;
      std::byte* at = &image.texels[texel + sizeof green];
      std::memcpy(&green, at, sizeof green);
      green = 1.0f - green;
      std::memcpy(at, &green, sizeof green);
    } else {
      image.texels[texel + 1] = ~image.texels[texel + 1];
    }
  }
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
  for (size_t i = 0; i < scene_.images.size(); ++i)
    if (scene_.images[i].name == image.name && scene_.images[i].texels == image.texels) {
      description.image = uint32_t(i);
      return add(description);
    }
  return add_image(std::move(image), description);
}

uint32_t TextureLibrary::add_with_green_inverted(uint32_t texture) {
  TextureDescription description = scene_.textures[texture];
  const auto [known, is_new] = inverted_.try_emplace(description.image, kNoTexture);
  if (is_new) {
    TextureImage image = scene_.images[description.image];
    invert_green(image);
    known->second = keep(std::move(image));
  }
  description.image = known->second;
  return add(description);
}

uint32_t TextureLibrary::add(const TextureDescription& description) {
  std::vector<TextureDescription>& textures = scene_.textures;
  const auto known = std::find(textures.begin(), textures.end(), description);
  if (known != textures.end()) return uint32_t(known - textures.begin());
  textures.push_back(description);
  return uint32_t(textures.size() - 1);
}

}  // namespace winnow
