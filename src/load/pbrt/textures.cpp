// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <fstream>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <utility>

#include "base/error.h"
#include "image/srgb.h"
#include "load/pbrt/object.h"
#include "load/text/number.h"
#include "load/textures/texels.h"

namespace winnow {
namespace {

constexpr float kMiddle = 0.5f;

glm::vec4 inverted_texel(glm::vec4 texel) {
  return {1.0f - texel.r, 1.0f - texel.g, 1.0f - texel.b, texel.a};
}

glm::vec4 mean_of_channels(glm::vec4 texel) {
  return glm::vec4(glm::vec3((texel.r + texel.g + texel.b) / 3.0f), 1.0f);
}
glm::vec4 first_channel(glm::vec4 texel) {
  return glm::vec4(glm::vec3(texel.r), 1.0f);
}
glm::vec4 alpha_channel(glm::vec4 texel) {
  return glm::vec4(glm::vec3(texel.a), 1.0f);
}
glm::vec4 decoded_alpha_channel(glm::vec4 texel) {
  return glm::vec4(glm::vec3(linear_from_srgb(texel.a)), 1.0f);
}

TextureWrap read_wrap(const PbrtObject& texture) {
  const std::string wrap = texture.text("wrap", "repeat");
  if (wrap == "clamp" || wrap == "black") return TextureWrap::kClamp;
  if (wrap != "repeat")
    texture.warn(fmt::format("the wrap {} is unknown; repeat is used", in_quotes(wrap)));
  return TextureWrap::kRepeat;
}

/// Version 4 interpolates between texels without mip maps, unless a file asks for them.
TextureFilter read_filter(const PbrtObject& texture) {
  texture.boolean("trilinear", false);  // a parameter of version 3, which filters in any case
  const std::string filter = texture.text("filter", texture.context->is_old ? "ewa" : "bilinear");
  if (filter == "point") return TextureFilter::kNearest;
  if (filter == "bilinear") return TextureFilter::kBilinear;
  if (filter != "trilinear" && filter != "ewa" && filter != "EWA")
    texture.warn(fmt::format("the filter {} is unknown; mip maps are used", in_quotes(filter)));
  return TextureFilter::kLinear;
}

/// True for the filters that take numbers of version 4 from the first channel of an image.
bool takes_first_channel(const PbrtObject& texture) {
  const std::string filter = texture.text("filter");
  return filter == "point" || filter == "ewa" || filter == "EWA";
}

/// How the bytes of an image become linear.
struct Encoding {
  TexelMeaning meaning = TexelMeaning::kColor;
  float gamma = 1.0f;  ///< exponent of linear bytes
};

std::string type_of(const std::filesystem::path& file) {
  std::string type = file.extension().string();
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return type;
}

/// Returns the encoding of an image: sRGB unless a file says otherwise, even for numbers. As in
/// pbrt, "encoding" applies to PNG files only.
Encoding read_encoding(const PbrtObject& texture, const std::filesystem::path& file) {
  constexpr std::string_view kGamma = "gamma ";
  constexpr float kMaxGamma = 100.0f;
  std::string encoding = texture.text("encoding", "sRGB");
  const bool is_plain = !texture.boolean("gamma", true);  // parameter of version 3
  if (is_plain) return {TexelMeaning::kData};
  if (type_of(file) != ".png" || encoding == "sRGB") return {};
  if (encoding == "linear") return {TexelMeaning::kData};
  float gamma = 0.0f;
  if (encoding.starts_with(kGamma) &&
      read_number(encoding.substr(kGamma.size()), gamma) == NumberKind::kFinite && gamma > 0.0f &&
      gamma <= kMaxGamma)
    return {TexelMeaning::kData, gamma};
  texture.warn(fmt::format("an image with the encoding {} is taken as sRGB", in_quotes(encoding)));
  return {};
}

/// True for a file whose alpha version 4 reads: an OpenEXR file, or a PNG file with four channels.
bool has_channel_of_alpha(const std::filesystem::path& file) {
  constexpr size_t kColorType = 25, kHead = 26;  // bytes of a PNG file
  constexpr char kRgba = 6;
  const std::string type = type_of(file);
  if (type != ".png") return type == ".exr";
  char head[kHead] = {};
  std::ifstream(file, std::ios::binary).read(head, kHead);
  return head[kColorType] == kRgba;
}

/// Adds a texture with a border of black texels around its image, which a clamped one continues.
uint32_t add_black_border(uint32_t texture, TextureLibrary& library) {
  TextureDescription mapping = library.description(texture);
  const TextureImage& inside = library.image(mapping.image);
  TextureImage image{.name = inside.name,
                     .width = inside.width + 2,
                     .height = inside.height + 2,
                     .format = inside.format};
  fill_texels(image, [&](uint32_t x, uint32_t y) {
    const bool is_inside = x > 0 && y > 0 && x <= inside.width && y <= inside.height;
    return is_inside ? linear_texel(inside, size_t{y - 1} * inside.width + x - 1)
                     : glm::vec4(0.0f, 0.0f, 0.0f, 1.0f);
  });
  const glm::vec2 all(image.width, image.height);
  for (int i = 0; i < 3; ++i) mapping.from_uv[i] *= (all - 2.0f) / all;
  mapping.from_uv[2] += 1.0f / all;
  return library.add_image(std::move(image), mapping);
}

/// Returns the default of a parameter that names an unknown texture, with a warning.
Textured unknown_texture(const PbrtObject& object, const PbrtParameter& parameter,
                         glm::vec3 fallback) {
  object.context->warn(parameter.place,
                       fmt::format("the texture {} is unknown; the default is used",
                                   in_quotes(parameter.strings[0])));
  return {fallback};
}

TextureDescription read_mapping(const PbrtObject& texture) {
  const std::string mapping = texture.text("mapping", "uv");
  if (mapping != "uv") {
    texture.warn(fmt::format("the mapping {} of a texture becomes uv", in_quotes(mapping)));
  }
  const float su = texture.number("uscale", 1.0f), sv = texture.number("vscale", 1.0f),
              du = texture.number("udelta", 0.0f), dv = texture.number("vdelta", 0.0f);
  // In pbrt, v is up on surfaces and in images.
  TextureDescription description;
  description.from_uv = {{su, 0.0f}, {0.0f, sv}, {du, 1.0f - sv - dv}};
  return description;
}

}  // namespace

struct PbrtTextures::Definition {
  PbrtObject object;
  bool is_float = false;
  int depth = 0;  ///< depth of nested textures
  /// Textures that its parameters name, by parameter.
  std::map<std::string, std::shared_ptr<Definition>, std::less<>> inner{};
  std::optional<Textured> converted{};
};

void PbrtTextures::define(const PbrtObject& object, const std::string& kind) {
  auto texture = std::make_shared<Definition>(Definition{object, kind == "float"});
  if (!texture->is_float && kind != "spectrum" && kind != "color")
    object.fail(
        fmt::format("expected a texture of the type float or spectrum, found {}", in_quotes(kind)));
  for (const PbrtParameter& parameter : object.all()) {
    if (parameter.type != "texture" || parameter.strings.size() != 1) continue;
    std::shared_ptr<Definition> inner = find(parameter, texture->is_float);
    if (!inner) continue;
    texture->depth = std::max(texture->depth, inner->depth + 1);
    texture->inner[parameter.name] = std::move(inner);
  }
  if (texture->depth > kMaxPbrtTextureDepth) object.fail("textures are nested too deeply");
  (texture->is_float ? numbers_ : colors_)[object.name] = std::move(texture);
}

void PbrtTextures::keep_for_earlier_uses() {
  colors_later_ = std::exchange(colors_, {});
  numbers_later_ = std::exchange(numbers_, {});
}

bool PbrtTextures::defines_earlier_uses() const {
  return std::ranges::any_of(unknown_, [&](const std::string& name) {
    return colors_.contains(name) || numbers_.contains(name);
  });
}

std::shared_ptr<PbrtTextures::Definition> PbrtTextures::find(const PbrtParameter& parameter,
                                                             bool is_float) const {
  return is_float ? find(parameter, numbers_, colors_) : find(parameter, colors_, numbers_);
}

std::shared_ptr<PbrtTextures::Definition> PbrtTextures::find_later(const PbrtParameter& parameter,
                                                                   bool is_float) const {
  return is_float ? find(parameter, numbers_later_, colors_later_)
                  : find(parameter, colors_later_, numbers_later_);
}

/// @param first, second  texture of the same kind, and of the other one
std::shared_ptr<PbrtTextures::Definition> PbrtTextures::find(const PbrtParameter& parameter,
                                                             const Definitions& first,
                                                             const Definitions& second) {
  for (const Definitions* definitions : {&first, &second})
    if (auto known = definitions->find(parameter.strings[0]); known != definitions->end())
      return known->second;
  return nullptr;
}

const Textured& PbrtTextures::convert(Definition& texture) {
  if (!texture.converted) {
    texture.converted = read(texture);
    texture.object.warn_about_unused("texture");
  }
  return *texture.converted;
}

Textured PbrtTextures::read(const PbrtObject& object, std::string_view name, glm::vec3 fallback,
                            bool is_float) {
  const PbrtParameter* parameter = object.find(name);
  if (!parameter || parameter->type != "texture") return {object.color(name, fallback)};
  if (parameter->strings.size() != 1)
    fail_at(parameter->place, fmt::format("expected the name of a texture for the parameter {}",
                                          in_quotes(parameter->name)));
  if (auto texture = find(*parameter, is_float)) return convert(*texture);
  if (auto texture = find_later(*parameter, is_float)) return convert(*texture);
  unknown_.insert(parameter->strings[0]);
  return unknown_texture(object, *parameter, fallback);
}

Textured PbrtTextures::value(const Definition& texture, std::string_view name, float fallback) {
  const PbrtParameter* parameter = texture.object.find(name);
  if (auto inner = texture.inner.find(name); inner != texture.inner.end())
    return convert(*inner->second);
  // As in pbrt, a texture names only earlier ones and images. It could name itself otherwise.
  if (parameter && parameter->type == "texture" && parameter->strings.size() == 1) {
    const bool is_old = texture.object.context->is_old;
    for (const auto& later :
         {find(*parameter, texture.is_float), find_later(*parameter, texture.is_float)})
      if (later && later->object.type == "imagemap" && !is_old) return convert(*later);
    unknown_.insert(parameter->strings[0]);
    return unknown_texture(texture.object, *parameter, glm::vec3(fallback));
  }
  return read(texture.object, name, glm::vec3(fallback), texture.is_float);
}

/// Makes the alpha of an image its colour if version 4 takes its numbers from there.
///
/// @param is_encoded  whether a PNG file is sRGB: as in pbrt, its alpha is, too
uint32_t PbrtTextures::alpha_as_number(uint32_t texture, const std::filesystem::path& file,
                                       bool is_encoded) {
  const TextureImage& image = library_.image(library_.description(texture).image);
  bool has_alpha = false;
  for (size_t i = 0; i < texel_count(image); ++i) has_alpha |= linear_texel(image, i).a != 1.0f;
  if (!has_alpha || !has_channel_of_alpha(file)) return texture;
  return is_encoded && type_of(file) == ".png"
             ? library_.add_changed(texture, "decoded alpha", decoded_alpha_channel)
             : library_.add_changed(texture, "alpha", alpha_channel);
}

/// Makes an image grey as numbers of version 4 are: the mean of its channels, or the first one.
uint32_t PbrtTextures::grey_of(uint32_t texture, bool is_first) {
  const TextureImage& image = library_.image(library_.description(texture).image);
  bool is_grey = true;
  for (size_t i = 0; i < texel_count(image); ++i) {
    const glm::vec4 texel = linear_texel(image, i);
    is_grey &= texel.r == texel.g && texel.g == texel.b;
  }
  if (is_grey) return texture;
  return is_first ? library_.add_changed(texture, "first channel", first_channel)
                  : library_.add_changed(texture, "mean of channels", mean_of_channels);
}

Textured PbrtTextures::read_image(const Definition& definition) {
  const PbrtObject& texture = definition.object;
  TextureDescription description = read_mapping(texture);
  description.wrap_u = description.wrap_v = read_wrap(texture);
  description.filter = read_filter(texture);
  const bool is_black_outside = texture.text("wrap") == "black";
  const auto file = texture.find_file(texture.text("filename"), "grey 0.5 is used");
  const Encoding encoding = read_encoding(texture, file.value_or(""));
  uint32_t image = file ? library_.add_file(*file, encoding.meaning, description) : kNoTexture;
  const float scale = std::max(texture.number("scale", 1.0f), 0.0f);
  const bool is_inverted = texture.boolean("invert", false);
  if (image == kNoTexture) return {glm::vec3(kMiddle)};
  const bool is_number = definition.is_float && !texture.context->is_old;
  const bool is_first = takes_first_channel(texture);
  if (is_number && !is_first)
    image = alpha_as_number(image, *file, encoding.meaning == TexelMeaning::kColor);
  if (encoding.gamma != 1.0f) {
    const Textured bytes{glm::vec3(1.0f), image};
    const auto decode = [&](std::span<const glm::vec3> c) {
      return glm::pow(c[0], glm::vec3(encoding.gamma));
    };
    const auto linear = combine_textures(std::span(&bytes, 1), decode, library_);
    if (!linear) texture.warn("the \"gamma\" of a large image is ignored");
    if (linear) image = linear->texture;
  }
  if (is_number) image = grey_of(image, is_first);
  if (is_black_outside) image = add_black_border(image, library_);
  if (!is_inverted) return {glm::vec3(scale), image};
  if (scale == 1.0f)
    return {glm::vec3(1.0f), library_.add_changed(image, "inverted", inverted_texel)};
  // As in pbrt, the texels are scaled before they are inverted.
  const Textured scaled{glm::vec3(scale), image};
  const auto invert = [](std::span<const glm::vec3> c) { return glm::max(1.0f - c[0], 0.0f); };
  if (auto inverted = combine_textures(std::span(&scaled, 1), invert, library_)) return *inverted;
  texture.warn("a large texture that is scaled and inverted becomes its mean");
  return {glm::max(1.0f - library_.mean(scaled), 0.0f)};
}

Textured PbrtTextures::read_checkerboard(const Definition& texture) {
  const PbrtObject& object = texture.object;
  const glm::vec3 first = mean(texture, "tex1", 1.0f), second = mean(texture, "tex2", 0.0f);
  if (object.integer("dimension", 2) != 2) {
    object.warn("a checkerboard in space becomes its mean");
    return {kMiddle * (first + second)};
  }
  for (const char* name : {"tex1", "tex2"})
    if (texture.inner.contains(name))
      object.warn("a texture inside of a checkerboard becomes its mean");
  // An image has two squares along each axis. v is down here, which does not change the squares.
  TextureDescription mapping = read_mapping(object);
  mapping.from_uv[0] *= kMiddle;
  mapping.from_uv[1] *= -kMiddle;
  mapping.from_uv[2] = {kMiddle * mapping.from_uv[2].x, kMiddle * (1.0f - mapping.from_uv[2].y)};
  return {glm::vec3(1.0f), library_.add_checkerboard(first, second, mapping)};
}

Textured PbrtTextures::read_bilerp(const Definition& texture) {
  const glm::vec3 texels[2][2] = {{mean(texture, "v01", 1.0f), mean(texture, "v11", 1.0f)},
                                  {mean(texture, "v00", 0.0f), mean(texture, "v10", 0.0f)}};
  for (const char* name : {"v00", "v01", "v10", "v11"})
    if (texture.inner.contains(name))
      texture.object.warn("a texture inside of a bilerp becomes its mean");
  TextureImage image{.name = "bilerp", .width = 2, .height = 2, .format = TexelFormat::kFloat};
  fill_texels(image, [&](uint32_t x, uint32_t y) { return glm::vec4(texels[y][x], 1.0f); });
  // The corners of the unit square are the middles of the texels.
  TextureDescription mapping = read_mapping(texture.object);
  mapping.from_uv *= kMiddle;
  mapping.from_uv[2] += 0.5f * kMiddle;
  mapping.wrap_u = mapping.wrap_v = TextureWrap::kClamp;
  mapping.filter = TextureFilter::kBilinear;
  return {glm::vec3(1.0f), library_.add_image(std::move(image), mapping)};
}

Textured PbrtTextures::read_scale(const Definition& texture) {
  // Version 3 names the factors tex1 and tex2.
  const bool is_old = texture.object.has("tex1") || texture.object.has("tex2");
  const Textured factors[] = {value(texture, is_old ? "tex1" : "tex", 1.0f),
                              value(texture, is_old ? "tex2" : "scale", 1.0f)};
  const auto& [a, b] = factors;
  if (a.texture == kNoTexture) return {a.factor * b.factor, b.texture};
  if (b.texture == kNoTexture) return {a.factor * b.factor, a.texture};
  auto product = [](std::span<const glm::vec3> colors) { return colors[0] * colors[1]; };
  if (auto both = combine_textures(factors, product, library_)) return *both;
  texture.object.warn(
      "the second of two multiplied textures with different mappings becomes its mean");
  return {a.factor * library_.mean(b), a.texture};
}

Textured PbrtTextures::read_mix(const Definition& texture) {
  const Textured parts[] = {value(texture, "tex1", 0.0f), value(texture, "tex2", 1.0f),
                            value(texture, "amount", kMiddle)};
  const auto& [a, b, amount] = parts;
  const glm::vec3 weight = glm::clamp(library_.mean(amount), 0.0f, 1.0f);
  if (amount.texture == kNoTexture && weight == glm::vec3(0.0f)) return a;
  if (amount.texture == kNoTexture && weight == glm::vec3(1.0f)) return b;
  auto mix = [](std::span<const glm::vec3> colors) {
    return glm::mix(colors[0], colors[1], glm::clamp(colors[2], 0.0f, 1.0f));
  };
  if (auto all = combine_textures(parts, mix, library_)) return *all;
  if (std::ranges::any_of(parts, [](const Textured& x) { return x.texture != kNoTexture; }))
    texture.object.warn("a mix of textures with different mappings becomes its mean");
  return {glm::mix(library_.mean(a), library_.mean(b), weight)};
}

Textured PbrtTextures::mean_of_others(const Definition& texture) {
  texture.object.ignore_all();
  const std::string& type = texture.object.type;
  texture.object.warn(
      fmt::format("a texture of the type {} becomes its mean, or grey 0.5", in_quotes(type)));
  if (type == "dots") {
    constexpr float kInside = 0.18f;  // approximate: half of the cells hold a disk
    return {glm::mix(mean(texture, "outside", 0.0f), mean(texture, "inside", 1.0f), kInside)};
  }
  if (type == "marble") {
    constexpr glm::vec3 kMarble(0.805f, 0.803f, 0.840f);  // where its veins have all phases alike
    return {kMarble};
  }
  if (type == "directionmix")
    return {kMiddle * (mean(texture, "tex1", 0.0f) + mean(texture, "tex2", 1.0f))};
  return {glm::vec3(kMiddle)};
}

Textured PbrtTextures::read(const Definition& texture) {
  const std::string& type = texture.object.type;
  if (type == "constant") return value(texture, "value", 1.0f);
  if (type == "imagemap") return read_image(texture);
  if (type == "checkerboard") return read_checkerboard(texture);
  if (type == "bilerp") return read_bilerp(texture);
  if (type == "scale") return read_scale(texture);
  if (type == "mix") return read_mix(texture);
  return mean_of_others(texture);
}

}  // namespace winnow
