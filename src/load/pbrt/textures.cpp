// SPDX-License-Identifier: MIT
#include "load/pbrt/textures.h"

#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>
#include <utility>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/pbrt/color.h"
#include "load/pbrt/combined_textures.h"
#include "load/textures/texels.h"
#include "math/sampling.h"

namespace winnow {
namespace {

constexpr float kHalf = 0.5f;

glm::vec4 inverted_texel(glm::vec4 texel) {
  return {1.0f - texel.r, 1.0f - texel.g, 1.0f - texel.b, texel.a};
}

TextureWrap read_pbrt_wrap(const PbrtObject& texture, PbrtContext& context) {
  const std::string wrap = texture.parameters.text("wrap", "repeat");
  if (wrap == "clamp") return TextureWrap::kClamp;
  if (wrap == "black") {
    context.warn(texture.place, "a texture that is black outside of its image is continued there");
    return TextureWrap::kClamp;
  }
  if (wrap != "repeat")
    context.warn(texture.place,
                 fmt::format("the wrap {} is unknown; repeat is used", in_quotes(wrap)));
  return TextureWrap::kRepeat;
}

/// Returns the meaning of the bytes of an image. Unless they are linear they are sRGB, even for
/// numbers.
TexelMeaning read_encoding(const PbrtObject& texture, PbrtContext& context) {
  const std::string encoding = texture.parameters.text("encoding", "sRGB");
  const bool is_plain = !texture.parameters.boolean("gamma", true);  // parameter of version 3
  if (encoding == "linear" || is_plain) return TexelMeaning::kData;
  if (encoding != "sRGB")
    context.warn(texture.place, fmt::format("an image with the encoding {} is taken as sRGB",
                                            in_quotes(encoding)));
  return TexelMeaning::kColor;
}

}  // namespace

void PbrtTextures::define(const PbrtStatement& statement, const PbrtState& state) {
  const std::string &name = statement.strings[0], &type = statement.strings[1];
  auto texture = std::make_shared<Definition>();
  texture->object = {.type = statement.strings[2],
                     .name = name,
                     .parameters = statement.parameters,
                     .place = statement.place,
                     .to_rec709 = state.to_rec709};
  if (state.defaults)
    if (const auto known = state.defaults->find("texture"); known != state.defaults->end())
      texture->object.parameters.add_defaults(known->second);
  texture->is_float = type == "float";
  if (!texture->is_float && type != "spectrum" && type != "color")
    fail_at(statement.place, fmt::format("expected a texture of the type float or spectrum, "
                                         "found {}",
                                         in_quotes(type)));
  for (const PbrtParameter& parameter : statement.parameters.all()) {
    if (parameter.type != "texture" || parameter.strings.size() != 1) continue;
    std::shared_ptr<Definition> inner = find(parameter, texture->is_float);
    if (!inner) continue;
    texture->depth = std::max(texture->depth, inner->depth + 1);
    texture->inner[parameter.name] = std::move(inner);
  }
  if (texture->depth > kMaxPbrtTextureDepth)
    fail_at(statement.place, "textures are nested too deeply");
  (texture->is_float ? numbers_ : colors_)[name] = std::move(texture);
}

std::shared_ptr<PbrtTextures::Definition> PbrtTextures::find(const PbrtParameter& parameter,
                                                             bool is_float) const {
  const Definitions &first = is_float ? numbers_ : colors_, &second = is_float ? colors_ : numbers_;
  for (const Definitions* definitions : {&first, &second})
    if (auto known = definitions->find(parameter.strings[0]); known != definitions->end())
      return known->second;
  return nullptr;
}

const PbrtTextured& PbrtTextures::convert(Definition& texture) {
  if (!texture.converted) {
    texture.converted = read(texture);
    context_.warn_about_unused(texture.object, "a texture of the type");
  }
  return *texture.converted;
}

PbrtTextured PbrtTextures::named(const PbrtParameter& parameter, bool is_float,
                                 glm::vec3 fallback) {
  if (parameter.strings.size() != 1)
    fail_at(parameter.place, fmt::format("expected the name of a texture for the parameter {}",
                                         in_quotes(parameter.name)));
  if (auto texture = find(parameter, is_float)) return convert(*texture);
  context_.warn(parameter.place, fmt::format("the texture {} is unknown; the default is used",
                                             in_quotes(parameter.strings[0])));
  return {fallback};
}

PbrtTextured PbrtTextures::color(const PbrtObject& object, std::string_view name,
                                 glm::vec3 fallback) {
  const PbrtParameter* parameter = object.parameters.find(name);
  if (parameter && parameter->type == "texture") return named(*parameter, false, fallback);
  return {read_pbrt_color(object, name, fallback, PbrtSpectrumUse::kSurface, context_)};
}

PbrtTextured PbrtTextures::number(const PbrtObject& object, std::string_view name, float fallback) {
  const PbrtParameter* parameter = object.parameters.find(name);
  if (parameter && parameter->type == "texture")
    return named(*parameter, true, glm::vec3(fallback));
  return {read_pbrt_color(object, name, glm::vec3(fallback), PbrtSpectrumUse::kSurface, context_)};
}

PbrtTextured PbrtTextures::limited(const PbrtTextured& texture) {
  const glm::vec3 factor = texture.factor;
  if (factor.r <= 1.0f && factor.g <= 1.0f && factor.b <= 1.0f) return texture;
  const auto key = std::tuple(texture.texture, factor.r, factor.g, factor.b);
  if (auto known = limited_.find(key); known != limited_.end()) return known->second;
  auto limit = [](std::span<const glm::vec3> colors) { return glm::clamp(colors[0], 0.0f, 1.0f); };
  const auto below = combine_textures(std::span(&texture, 1), limit, library_);
  return limited_[key] = below ? *below : texture;
}

glm::vec3 PbrtTextures::mean(const PbrtTextured& value) const {
  if (value.texture == kNoTexture) return value.factor;
  const uint32_t image = library_.description(value.texture).image;
  return value.factor * glm::vec3(mean_texel(library_.image(image)));
}

PbrtTextured PbrtTextures::value(const Definition& texture, std::string_view name, float fallback) {
  const PbrtParameter* parameter = texture.object.parameters.find(name);
  if (auto inner = texture.inner.find(name); inner != texture.inner.end())
    return convert(*inner->second);
  if (parameter && parameter->type == "texture")
    return named(*parameter, texture.is_float, glm::vec3(fallback));
  return {read_pbrt_color(texture.object, name, glm::vec3(fallback), PbrtSpectrumUse::kSurface,
                          context_)};
}

TextureDescription PbrtTextures::read_mapping(const Definition& texture) {
  const PbrtParameters& parameters = texture.object.parameters;
  const std::string mapping = parameters.text("mapping", "uv");
  if (mapping != "uv") {
    for (const char* name : {"v1", "v2", "udelta", "vdelta"}) parameters.ignore(name);
    context_.warn(
        texture.object.place,
        fmt::format("the mapping {} of a texture becomes that by u and v", in_quotes(mapping)));
  }
  const float su = parameters.number("uscale", 1.0f), sv = parameters.number("vscale", 1.0f),
              du = parameters.number("udelta", 0.0f), dv = parameters.number("vdelta", 0.0f);
  // In pbrt, v is up on surfaces and in images.
  TextureDescription description;
  description.from_uv = {{su, 0.0f}, {0.0f, sv}, {du, 1.0f - sv - dv}};
  return description;
}

PbrtTextured PbrtTextures::read_image(const Definition& texture) {
  const PbrtParameters& parameters = texture.object.parameters;
  TextureDescription description = read_mapping(texture);
  description.wrap_u = description.wrap_v = read_pbrt_wrap(texture.object, context_);
  const std::string filter = parameters.text("filter", "bilinear");
  if (filter == "point") description.filter = TextureFilter::kNearest;
  for (const char* name : {"maxanisotropy", "trilinear"}) parameters.ignore(name);
  const TexelMeaning meaning = read_encoding(texture.object, context_);
  const auto file =
      context_.find_file(texture.object.place, parameters.text("filename"), "grey 0.5 is used");
  uint32_t image = file ? library_.add_file(*file, meaning, description) : kNoTexture;
  const float scale = std::max(parameters.number("scale", 1.0f), 0.0f);
  const bool is_inverted = parameters.boolean("invert", false);
  if (image == kNoTexture) return {glm::vec3(kHalf)};
  if (is_inverted) image = library_.add_changed(image, "inverted", inverted_texel);
  return {glm::vec3(scale), image};
}

PbrtTextured PbrtTextures::read_checkerboard(const Definition& texture) {
  const glm::vec3 first = mean(value(texture, "tex1", 1.0f)),
                  second = mean(value(texture, "tex2", 0.0f));
  texture.object.parameters.ignore("aamode");
  const int dimension = texture.object.parameters.integer("dimension", 2);
  if (dimension != 2) {
    context_.warn(texture.object.place, "a checkerboard in space becomes its mean");
    return {kHalf * (first + second)};
  }
  for (const char* name : {"tex1", "tex2"})
    if (texture.inner.contains(name))
      context_.warn(texture.object.place, "a texture inside of a checkerboard becomes its mean");
  // An image has two squares along each axis. v is down here, which does not change the squares.
  TextureDescription mapping = read_mapping(texture);
  mapping.from_uv[0] *= kHalf;
  mapping.from_uv[1] *= -kHalf;
  mapping.from_uv[2] = {kHalf * mapping.from_uv[2].x, kHalf * (1.0f - mapping.from_uv[2].y)};
  return {glm::vec3(1.0f), library_.add_checkerboard(first, second, mapping)};
}

PbrtTextured PbrtTextures::read_scale(const Definition& texture) {
  // Version 3 names the factors tex1 and tex2.
  const bool is_old =
      texture.object.parameters.has("tex1") || texture.object.parameters.has("tex2");
  const PbrtTextured a = value(texture, is_old ? "tex1" : "tex", 1.0f),
                     b = value(texture, is_old ? "tex2" : "scale", 1.0f);
  if (a.texture == kNoTexture) return {a.factor * b.factor, b.texture};
  if (b.texture == kNoTexture) return {a.factor * b.factor, a.texture};
  const PbrtTextured factors[] = {a, b};
  auto product = [](std::span<const glm::vec3> colors) { return colors[0] * colors[1]; };
  if (auto both = combine_textures(factors, product, library_)) return *both;
  context_.warn(texture.object.place,
                "of the product of two textures that lie differently on the surface, the second "
                "one becomes its mean");
  return {a.factor * mean(b), a.texture};
}

PbrtTextured PbrtTextures::read_mix(const Definition& texture) {
  const PbrtTextured a = value(texture, "tex1", 0.0f), b = value(texture, "tex2", 1.0f),
                     amount = value(texture, "amount", kHalf);
  const glm::vec3 weight = glm::clamp(mean(amount), 0.0f, 1.0f);
  if (amount.texture == kNoTexture && weight == glm::vec3(0.0f)) return a;
  if (amount.texture == kNoTexture && weight == glm::vec3(1.0f)) return b;
  const bool has_texture =
      a.texture != kNoTexture || b.texture != kNoTexture || amount.texture != kNoTexture;
  const PbrtTextured parts[] = {a, b, amount};
  auto mix = [](std::span<const glm::vec3> colors) {
    return glm::mix(colors[0], colors[1], glm::clamp(colors[2], 0.0f, 1.0f));
  };
  if (has_texture) {
    if (auto all = combine_textures(parts, mix, library_)) return *all;
    context_.warn(texture.object.place,
                  "a mix of textures that lie differently on the surface becomes its mean");
  }
  return {glm::mix(mean(a), mean(b), weight)};
}

PbrtTextured PbrtTextures::mean_of_others(const Definition& texture) {
  const PbrtParameters& parameters = texture.object.parameters;
  for (const PbrtParameter& parameter : parameters.all()) parameters.ignore(parameter.name);
  const std::string& type = texture.object.type;
  context_.warn(
      texture.object.place,
      fmt::format("a texture of the type {} becomes its mean, or grey 0.5", in_quotes(type)));
  if (type == "bilerp")
    return {0.25f * (mean(value(texture, "v00", 0.0f)) + mean(value(texture, "v01", 1.0f)) +
                     mean(value(texture, "v10", 0.0f)) + mean(value(texture, "v11", 1.0f)))};
  if (type == "dots") {
    constexpr float kInside = 0.18f;  // approximate: half of the cells hold a disk
    return {glm::mix(mean(value(texture, "outside", 0.0f)), mean(value(texture, "inside", 1.0f)),
                     kInside)};
  }
  if (type == "directionmix")
    return {kHalf * (mean(value(texture, "tex1", 0.0f)) + mean(value(texture, "tex2", 1.0f)))};
  return {glm::vec3(kHalf)};
}

PbrtTextured PbrtTextures::read(const Definition& texture) {
  const std::string& type = texture.object.type;
  if (type == "constant") return value(texture, "value", 1.0f);
  if (type == "imagemap") return read_image(texture);
  if (type == "checkerboard") return read_checkerboard(texture);
  if (type == "scale") return read_scale(texture);
  if (type == "mix") return read_mix(texture);
  return mean_of_others(texture);
}

}  // namespace winnow
