// SPDX-License-Identifier: MIT
#include "load/gltf/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <sstream>

#include "base/error.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

// Enumerators of OpenGL.
constexpr int kGlNearest = 9728, kGlClampToEdge = 33071, kGlMirroredRepeat = 33648;

TextureWrap wrap_of(int gl) {
  if (gl == kGlClampToEdge) return TextureWrap::kClamp;
  return gl == kGlMirroredRepeat ? TextureWrap::kMirror : TextureWrap::kRepeat;
}

/// KHR_texture_transform rotates uv counter-clockwise on an image whose v points down.
void apply_transform(const JsonReader& transform, GltfTextureInfo& info) {
  constexpr double kMax = 1e6;  // a larger float does not resolve texels
  auto pair = [&](const char* key, double by_default) {
    const std::vector<double> numbers = numbers_of(transform, key);
    return numbers.size() < 2 ? glm::dvec2(by_default)
                              : glm::clamp(glm::dvec2(numbers[0], numbers[1]), -kMax, kMax);
  };
  const glm::dvec2 offset = pair("offset", 0.0), scale = pair("scale", 1.0);
  const double angle = number_of(transform, "rotation", 0.0);
  const double c = std::cos(angle), s = std::sin(angle);
  info.from_uv[0] = scale.x * glm::dvec2(c, -s);
  info.from_uv[1] = scale.y * glm::dvec2(s, c);
  info.from_uv[2] = offset;
  info.uv_set = integer_of(transform, "texCoord", info.uv_set);
}

}  // namespace

GltfTextureInfo gltf_texture_info(const std::optional<JsonReader>& object, const char* key) {
  const auto texture = object ? find_member(*object, key) : std::nullopt;
  const auto index = texture ? find_member(*texture, "index") : std::nullopt;
  if (!index || !index->is_number()) return {};
  GltfTextureInfo info{.index = index, .uv_set = integer_of(*texture, "texCoord", 0)};
  if (const auto transform = find_extension(*texture, "KHR_texture_transform"))
    apply_transform(*transform, info);
  return info;
}

uint32_t GltfTextures::add(const GltfTextureInfo& info, TexelMeaning meaning) {
  if (!info.index) return kNoTexture;
  const JsonReader texture = document_.item("textures", *info.index);
  const std::optional<JsonReader> source = texture.find("source");
  if (!source) {
    document_.warn(texture.pointer(), "a texture without a PNG or JPEG image is left out");
    return kNoTexture;
  }
  TextureDescription description{.from_uv = info.from_uv};
  if (const auto reference = texture.find("sampler")) {
    const JsonReader sampler = document_.item("samplers", *reference);
    description.wrap_u = wrap_of(integer_of(sampler, "wrapS", 0));
    description.wrap_v = wrap_of(integer_of(sampler, "wrapT", 0));
    if (integer_of(sampler, "magFilter", 0) == kGlNearest)
      description.filter = TextureFilter::kNearest;
  }
  description.image = image_of(*source, meaning);
  return description.image == kNoTexture ? kNoTexture : library_.add(description);
}

uint32_t GltfTextures::image_of(const JsonReader& source, TexelMeaning meaning) {
  const uint32_t index = document_.index("images", source);
  const auto [known, is_new] = images_.try_emplace({index, meaning}, kNoTexture);
  if (!is_new) return known->second;
  const GltfImage image = document_.image(source);
  if (!image.bytes) return known->second = library_.image_of(image.file, meaning);
  const std::string pointer = fmt::format("/images/{}", index);
  try {
    std::istringstream stream(*image.bytes);
    TextureImage read = read_texture_bytes(stream, meaning);
    read.name = document_.name() + pointer;
    known->second = uint32_t(scene_.images.size());
    scene_.images.push_back(std::move(read));
  } catch (const Error& error) {
    document_.warn(pointer, fmt::format("{}; the texture is left out", error.what()));
  }
  return known->second;
}

bool GltfTextures::is_see_through(uint32_t texture) const {
  if (texture == kNoTexture) return false;
  const TextureImage& image = scene_.images[scene_.textures[texture].image];
  if (image.format == TexelFormat::kFloat) return false;
  const size_t size = texel_bytes(image.format);
  constexpr std::byte kOpaque{0xff};
  for (size_t alpha = size - 1; alpha < image.texels.size(); alpha += size)
    if (image.texels[alpha] != kOpaque) return true;
  return false;
}

}  // namespace winnow
