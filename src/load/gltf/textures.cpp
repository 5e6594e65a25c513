// SPDX-License-Identifier: MIT
#include "load/gltf/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec4.hpp>
#include <sstream>
#include <string>

#include "base/error.h"
#include "load/gltf/values.h"

namespace winnow {

namespace {

// OpenGL enumerators.
constexpr int kGlNearest = 9728, kGlClampToEdge = 33071, kGlMirroredRepeat = 33648;

TextureWrap wrap_of(int gl) {
  if (gl == kGlClampToEdge) return TextureWrap::kClamp;
  return gl == kGlMirroredRepeat ? TextureWrap::kMirror : TextureWrap::kRepeat;
}

/// Applies KHR_texture_transform, which rotates uv counter-clockwise on an image with v down.
void apply_transform(const JsonReader& transform, GltfTextureInfo& info) {
  constexpr double kMax = 1e6;  // larger floats do not resolve texels
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

float largest_channel(glm::vec3 color) {
  return std::max({color.x, color.y, color.z});
}

}  // namespace

TextureImage read_gltf_image(const GltfImage& image, TexelMeaning meaning,
                             std::vector<std::string>& warnings) {
  if (!image.bytes) return read_texture_file(image.file, meaning, warnings, ImageRules::kGltf);
  std::istringstream stream(*image.bytes);
  return read_texture_bytes(stream, meaning, warnings, ImageRules::kGltf);
}

GltfTextureInfo gltf_texture_info(const std::optional<JsonReader>& object, const char* key) {
  const auto texture = find_member(object, key);
  const auto index = find_member(texture, "index");
  if (!index || !index->is_number()) return {};
  GltfTextureInfo info{.index = index, .uv_set = integer_of(*texture, "texCoord", 0)};
  if (const auto transform = find_extension(*texture, "KHR_texture_transform"))
    apply_transform(*transform, info);
  return info;
}

TextureDescription GltfTextures::describe(const GltfTextureInfo& info) const {
  TextureDescription description{.from_uv = info.from_uv};
  if (document_.is_by_blender()) description.filter = TextureFilter::kBilinearEncoded;  // as Cycles
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

/// Returns the image of a texture, if it has one in a format that can be read.
std::optional<JsonReader> GltfTextures::source_of(const GltfTextureInfo& info) {
  const JsonReader texture = document_.item("textures", *info.index);
  const std::optional<JsonReader> source = texture.find("source");
  for (const char* name : {"KHR_texture_basisu", "EXT_texture_webp"}) {
    const auto preferred = find_member(find_extension(texture, name), "source");
    if (preferred && (!source || can_read(*preferred))) return preferred;
  }
  if (source) return source;
  const auto extensions = find_member(texture, "extensions");
  const bool has_other = extensions && extensions->is_object() && !extensions->keys().empty();
  document_.warn(
      texture.pointer(),
      has_other
          ? fmt::format(
                "a texture that {} alone describes is left out: expected a PNG, JPEG, WebP or KTX2 "
                "image",
                one_line(extensions->keys().front()))
          : "a texture without a PNG, JPEG, WebP or KTX2 image is left out");
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
  const std::optional<TextureImage> specular_image = read_source(source, TexelMeaning::kColor);
  const std::optional<TextureImage> diffuse_image =
      read_source(diffuse.index ? source_of(diffuse) : std::nullopt, TexelMeaning::kColor);
  if (!specular_image) return std::nullopt;

  MetallicRoughnessImages images = metallic_roughness_images(
      diffuse_image ? &*diffuse_image : nullptr, *specular_image, factors);
  images.base_color.name = specular_image->name + ", as base colour";
  images.roughness_metallic.name = specular_image->name + ", as roughness and metallic";
  return MetallicRoughnessTextures{
      library_.add_image(std::move(images.base_color), description),
      library_.add_image(std::move(images.roughness_metallic), description)};
}

MergedTexture GltfTextures::add_merged(const GltfTextureInfo& first, const GltfTextureInfo& second,
                                       ChannelMerge merge) {
  constexpr uint32_t kNone = ~0u;
  const auto meaning =
      merge == ChannelMerge::kRedGreen ? TexelMeaning::kData : TexelMeaning::kColor;
  const auto a = first.index ? source_of(first) : std::nullopt;
  const auto b = second.index ? source_of(second) : std::nullopt;
  if (!a && !b) return {};
  const TextureDescription mapping = describe(a ? first : second);
  if (a && b && (mapping != describe(second) || first.uv_set != second.uv_set)) {
    document_.warn(second.index->pointer(),
                   "a texture that covers the surface in another way than the one beside it is "
                   "replaced by its mean");
    const std::optional<TextureImage> image = read_source(b, meaning);
    return {add_merged(first, {}, merge).texture, image ? mean_texel(*image) : glm::vec4(1.0f)};
  }
  const uint32_t index_a = a ? document_.index("images", *a) : kNone;
  const uint32_t index_b = b ? document_.index("images", *b) : kNone;
  if (index_a == index_b) return {add(first, meaning)};

  const auto [known, is_new] = merged_.try_emplace({index_a, index_b, merge}, kNoTexture);
  if (is_new) {
    const std::optional<TextureImage> image_a = read_source(a, meaning);
    const std::optional<TextureImage> image_b = read_source(b, meaning);
    if (image_a || image_b)
      known->second = library_.keep(
          merge_texels(image_a ? &*image_a : nullptr, image_b ? &*image_b : nullptr, merge));
  }
  if (known->second == kNoTexture) return {};
  TextureDescription description = mapping;
  description.image = known->second;
  return {library_.add(description)};
}

uint32_t GltfTextures::add_constant(glm::u8vec4 texel) {
  TextureImage image{.name = "constant", .width = 1, .height = 1, .format = TexelFormat::kLinear8};
  for (int i = 0; i < 4; ++i) image.texels.push_back(std::byte(texel[i]));
  return library_.add_image(std::move(image), {});
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

/// Returns where an image's bytes are; nothing, with a warning, if its description is broken.
std::optional<GltfImage> GltfTextures::find_image(const JsonReader& source) {
  std::optional<GltfImage> image;
  document_.attempt("the texture is left out", [&] { image = document_.image(source); });
  return image;
}

/// True if an image can be read; otherwise warns that another one is used.
bool GltfTextures::can_read(const JsonReader& source) {
  const uint32_t index = document_.index("images", source);
  const auto [known, is_new] = can_read_.try_emplace(index, true);
  if (!is_new) return known->second;
  return known->second = document_.attempt("the image for other readers is used", [&] {
    std::vector<std::string> ignored;  // they are reported when the image is read for a use
    read_gltf_image(document_.image(source), TexelMeaning::kData, ignored);
  });
}

/// Reads the texels of an image; nothing, with a warning, if they cannot be read.
std::optional<TextureImage> GltfTextures::read_image(const GltfImage& image,
                                                     const JsonReader& source,
                                                     TexelMeaning meaning) {
  const std::string pointer = fmt::format("/images/{}", document_.index("images", source));
  try {
    std::vector<std::string> warnings;
    TextureImage read = read_gltf_image(image, meaning, warnings);
    for (const std::string& warning : warnings)
      if (image.bytes)
        document_.warn(pointer, warning);
      else
        scene_.warnings.push_back(warning);
    if (image.bytes) read.name = document_.name() + pointer;
    return read;
  } catch (const Error& error) {
    document_.warn(pointer, fmt::format("{}; the texture is left out", error.what()));
    return std::nullopt;
  }
}

std::optional<TextureImage> GltfTextures::read_source(const std::optional<JsonReader>& source,
                                                      TexelMeaning meaning) {
  const std::optional<GltfImage> image = source ? find_image(*source) : std::nullopt;
  return image ? read_image(*image, *source, meaning) : std::nullopt;
}

bool GltfTextures::is_see_through(uint32_t texture) const {
  if (texture == kNoTexture) return false;
  const TextureImage& image = scene_.images[scene_.textures[texture].image];
  for (size_t i = 0; i < texel_count(image); ++i)
    if (linear_texel(image, i).a < 1.0f) return true;
  return false;
}

uint32_t GltfTextures::multiplied_by_alpha(uint32_t texture) {
  const auto [known, is_new] = multiplied_.try_emplace(texture, kNoTexture);
  if (!is_new) return known->second;
  const TextureDescription description = scene_.textures[texture];
  TextureImage image = scene_.images[description.image];
  for (size_t i = 0; i < image.texels.size() && image.format == TexelFormat::kSrgb8; i += 4) {
    std::byte* const texel = &image.texels[i];
    constexpr int kAlpha = 3, kFull = 255;
    for (int k = 0; k < kAlpha; ++k)
      texel[k] = std::byte((int(texel[k]) * int(texel[kAlpha]) + kFull / 2) / kFull);
    texel[kAlpha] = std::byte(kFull);
  }
  return known->second = library_.add_image(std::move(image), description);
}

// Let s be the largest channel of specular and m the metallic share. Both descriptions reflect the
// same amount of light at normal incidence, and the same diffusely, if
//   s = 0.04 (1 - m) + base m   and   diffuse (1 - s) / (1 - 0.04) = base (1 - m).
// Without `base` this is a quadratic equation in m.
MetallicRoughness metallic_roughness_of(const SpecularGlossiness& surface) {
  constexpr float kDielectric = 0.04f, kTiny = 1e-6f;
  const float s = largest_channel(surface.specular);
  float metallic = 0.0f;
  if (s > kDielectric) {
    const float scaled = largest_channel(surface.diffuse) * (1.0f - s) / (1.0f - kDielectric);
    const float b = scaled + s - 2.0f * kDielectric;
    const float root = std::sqrt(std::max(b * b - 4.0f * kDielectric * (kDielectric - s), 0.0f));
    metallic = std::clamp((root - b) / (2.0f * kDielectric), 0.0f, 1.0f);
  }
  const glm::vec3 from_diffuse =
      surface.diffuse * ((1.0f - s) / ((1.0f - kDielectric) * std::max(1.0f - metallic, kTiny)));
  const glm::vec3 from_specular =
      (surface.specular - kDielectric * (1.0f - metallic)) / std::max(metallic, kTiny);
  return {.base_color =
              glm::clamp(glm::mix(from_diffuse, from_specular, metallic * metallic), 0.0f, 1.0f),
          .metallic = metallic,
          .roughness = 1.0f - surface.glossiness};
}

MetallicRoughnessImages metallic_roughness_images(const TextureImage* diffuse,
                                                  const TextureImage& specular,
                                                  const SpecularGlossiness& factors) {
  auto surface_at = [&](glm::vec4 s, glm::vec4 d) {
    return metallic_roughness_of({.diffuse = factors.diffuse * glm::vec3(d),
                                  .specular = factors.specular * glm::vec3(s),
                                  .glossiness = factors.glossiness * s.a});
  };
  return {.base_color = combine_texels(&specular, diffuse, TexelFormat::kSrgb8,
                                       [&](glm::vec4 s, glm::vec4 d) {
                                         return glm::vec4(surface_at(s, d).base_color, d.a);
                                       }),
          .roughness_metallic = combine_texels(
              &specular, diffuse, TexelFormat::kLinear8, [&](glm::vec4 s, glm::vec4 d) {
                const MetallicRoughness surface = surface_at(s, d);
                return glm::vec4(1.0f, surface.roughness, surface.metallic, 1.0f);
              })};
}

}  // namespace winnow
