// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/common.hpp>

#include "base/error.h"
#include "load/pbrt/object.h"

namespace winnow {
namespace {

constexpr float kMiddle = 0.5f;

glm::vec4 inverted_texel(glm::vec4 texel) {
  return {1.0f - texel.r, 1.0f - texel.g, 1.0f - texel.b, texel.a};
}

TextureWrap read_wrap(const PbrtObject& texture) {
  const std::string wrap = texture.text("wrap", "repeat");
  if (wrap == "clamp") return TextureWrap::kClamp;
  if (wrap == "black") {
    texture.warn("a texture that is black outside of its image is extended there");
    return TextureWrap::kClamp;
  }
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

/// Returns the meaning of an image's bytes: sRGB unless they are linear, even for numbers.
TexelMeaning read_encoding(const PbrtObject& texture) {
  const std::string encoding = texture.text("encoding", "sRGB");
  const bool is_plain = !texture.boolean("gamma", true);  // parameter of version 3
  if (encoding == "linear" || is_plain) return TexelMeaning::kData;
  if (encoding != "sRGB")
    texture.warn(
        fmt::format("an image with the encoding {} is taken as sRGB", in_quotes(encoding)));
  return TexelMeaning::kColor;
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

std::shared_ptr<PbrtTextures::Definition> PbrtTextures::find(const PbrtParameter& parameter,
                                                             bool is_float) const {
  const Definitions &first = is_float ? numbers_ : colors_, &second = is_float ? colors_ : numbers_;
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
  return unknown_texture(object, *parameter, fallback);
}

Textured PbrtTextures::value(const Definition& texture, std::string_view name, float fallback) {
  const PbrtParameter* parameter = texture.object.find(name);
  if (auto inner = texture.inner.find(name); inner != texture.inner.end())
    return convert(*inner->second);
  // As in pbrt, a texture names only earlier ones. It could name itself otherwise.
  if (parameter && parameter->type == "texture" && parameter->strings.size() == 1)
    return unknown_texture(texture.object, *parameter, glm::vec3(fallback));
  return read(texture.object, name, glm::vec3(fallback), texture.is_float);
}

Textured PbrtTextures::read_image(const PbrtObject& texture) {
  TextureDescription description = read_mapping(texture);
  description.wrap_u = description.wrap_v = read_wrap(texture);
  description.filter = read_filter(texture);
  const TexelMeaning meaning = read_encoding(texture);
  const auto file = texture.find_file(texture.text("filename"), "grey 0.5 is used");
  uint32_t image = file ? library_.add_file(*file, meaning, description) : kNoTexture;
  const float scale = std::max(texture.number("scale", 1.0f), 0.0f);
  const bool is_inverted = texture.boolean("invert", false);
  if (image == kNoTexture) return {glm::vec3(kMiddle)};
  if (is_inverted) image = library_.add_changed(image, "inverted", inverted_texel);
  return {glm::vec3(scale), image};
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
  if (type == "bilerp")
    return {0.25f * (mean(texture, "v00", 0.0f) + mean(texture, "v01", 1.0f) +
                     mean(texture, "v10", 0.0f) + mean(texture, "v11", 1.0f))};
  if (type == "dots") {
    constexpr float kInside = 0.18f;  // approximate: half of the cells hold a disk
    return {glm::mix(mean(texture, "outside", 0.0f), mean(texture, "inside", 1.0f), kInside)};
  }
  if (type == "directionmix")
    return {kMiddle * (mean(texture, "tex1", 0.0f) + mean(texture, "tex2", 1.0f))};
  return {glm::vec3(kMiddle)};
}

Textured PbrtTextures::read(const Definition& texture) {
  const std::string& type = texture.object.type;
  if (type == "constant") return value(texture, "value", 1.0f);
  if (type == "imagemap") return read_image(texture.object);
  if (type == "checkerboard") return read_checkerboard(texture);
  if (type == "scale") return read_scale(texture);
  if (type == "mix") return read_mix(texture);
  return mean_of_others(texture);
}

}  // namespace winnow
