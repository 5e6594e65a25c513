// SPDX-License-Identifier: MIT
#include "load/gltf/textures.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/common.hpp>
#include <sstream>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/one_line.h"
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

TextureDescription GltfTextures::describe(const GltfTextureInfo& info) const {
  TextureDescription description{.from_uv = info.from_uv};
  const JsonReader texture = document_.item("textures", *info.index);
  if (const auto reference = texture.find("sampler")) {
    const JsonReader sampler = document_.item("samplers", *reference);
    description.wrap_u = wrap_of(integer_of(sampler, "wrapS", 0));
    description.wrap_v = wrap_of(integer_of(sampler, "wrapT", 0));
    if (integer_of(sampler, "magFilter", 0) == kGlNearest)
      description.filter = TextureFilter::kNearest;
  }
  return description;
}

/// The image of a texture, where it has one that can be read.
std::optional<JsonReader> GltfTextures::source_of(const GltfTextureInfo& info) {
  const JsonReader texture = document_.item("textures", *info.index);
  if (const auto webp = find_extension(texture, "EXT_texture_webp"))
    if (const auto source = webp->find("source")) return source;
  const std::optional<JsonReader> source = texture.find("source");
  if (source) return source;
  const auto extensions = find_member(texture, "extensions");
  const bool has_other = extensions && extensions->is_object() && !extensions->keys().empty();
  document_.warn(texture.pointer(),
                 has_other
                     ? fmt::format("a texture that {} alone describes is left out: expected a "
                                   "PNG, JPEG or WebP image",
                                   one_line(extensions->keys().front()))
                     : "a texture without a PNG, JPEG or WebP image is left out");
  return std::nullopt;
}

uint32_t GltfTextures::add(const GltfTextureInfo& info, TexelMeaning meaning) {
  if (!info.index) return kNoTexture;
  const std::optional<JsonReader> source = source_of(info);
  if (!source) return kNoTexture;
  TextureDescription description = describe(info);
  description.image = image_of(*source, meaning);
  return description.image == kNoTexture ? kNoTexture : library_.add(description);
}

std::optional<MetallicRoughnessTextures> GltfTextures::add_specular_glossiness(
    const GltfTextureInfo& diffuse, const GltfTextureInfo& specular,
    const SpecularGlossiness& factors) {
  const std::optional<JsonReader> source = specular.index ? source_of(specular) : std::nullopt;
  if (!source) return std::nullopt;
  const TextureDescription description = describe(specular);
  if (diffuse.index && (describe(diffuse) != description || diffuse.uv_set != specular.uv_set)) {
    document_.warn(specular.index->pointer(),
                   "a texture of specular and glossiness that covers the surface in another way "
                   "than the diffuse one is ignored; its factors are used");
    return std::nullopt;
  }
  auto read = [&](const std::optional<JsonReader>& from) -> std::optional<TextureImage> {
    const std::optional<GltfImage> image = from ? find_image(*from) : std::nullopt;
    return image ? read_image(*image, *from, TexelMeaning::kColor) : std::nullopt;
  };
  const std::optional<TextureImage> specular_image = read(source);
  const std::optional<TextureImage> diffuse_image =
      read(diffuse.index ? source_of(diffuse) : std::nullopt);
  if (!specular_image || specular_image->format != TexelFormat::kSrgb8) return std::nullopt;
  if (diffuse_image && diffuse_image->format != TexelFormat::kSrgb8) return std::nullopt;

  MetallicRoughnessImages images = metallic_roughness_images(
      diffuse_image ? &*diffuse_image : nullptr, *specular_image, factors);
  images.base_color.name = specular_image->name + ", as base colour";
  images.roughness_metallic.name = specular_image->name + ", as roughness and metallic";
  return MetallicRoughnessTextures{
      library_.add_image(std::move(images.base_color), description),
      library_.add_image(std::move(images.roughness_metallic), description)};
}

uint32_t GltfTextures::image_of(const JsonReader& source, TexelMeaning meaning) {
  const auto [known, is_new] =
      images_.try_emplace({document_.index("images", source), meaning}, kNoTexture);
  if (!is_new) return known->second;
  const std::optional<GltfImage> image = find_image(source);
  if (image && !image->bytes) return known->second = library_.image_of(image->file, meaning);
  if (auto read = image ? read_image(*image, source, meaning) : std::nullopt)
    known->second = library_.keep(std::move(*read));
  return known->second;
}

/// Where the bytes of an image are; nothing, with a warning, if its description is broken.
std::optional<GltfImage> GltfTextures::find_image(const JsonReader& source) {
  try {
    return document_.image(source);
  } catch (const Error& error) {
    document_.warn(error, "the texture is left out");
    return std::nullopt;
  }
}

/// The texels of an image; nothing, with a warning, if they cannot be read.
std::optional<TextureImage> GltfTextures::read_image(const GltfImage& image,
                                                     const JsonReader& source,
                                                     TexelMeaning meaning) {
  const std::string pointer = fmt::format("/images/{}", document_.index("images", source));
  try {
    if (!image.bytes) return read_texture_file(image.file, meaning);
    std::istringstream stream(*image.bytes);
    TextureImage read = read_texture_bytes(stream, meaning);
    read.name = document_.name() + pointer;
    return read;
  } catch (const Error& error) {
    document_.warn(pointer, fmt::format("{}; the texture is left out", error.what()));
    return std::nullopt;
  }
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
