// SPDX-License-Identifier: MIT
#include "load/mitsuba/texture.h"

#include <fmt/format.h>

#include <glm/common.hpp>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "base/one_line.h"

namespace winnow {
namespace {

TextureWrap read_wrap(const MitsubaObject& texture) {
  const std::string mode = texture.text("wrap_mode", "repeat");
  if (mode == "mirror") return TextureWrap::kMirror;
  if (mode == "clamp") return TextureWrap::kClamp;
  if (mode != "repeat")
    texture.warn(fmt::format("the wrap_mode {} is unknown; repeat is used", in_quotes(mode)));
  return TextureWrap::kRepeat;
}

/// Reads the transform of texture coordinates: "to_uv" or, in older files, scales and offsets.
TextureDescription read_texture_transform(const MitsubaObject& texture) {
  TextureDescription description;
  glm::mat4 to_uv(1.0f);
  if (texture.has("to_uv")) {
    to_uv = texture.transform("to_uv");
  } else {
    const float scale = texture.number("uvscale", 1.0f);
    to_uv[0].x = texture.number("uscale", scale);
    to_uv[1].y = texture.number("vscale", scale);
    to_uv[3] = {texture.number("uoffset", 0.0f), texture.number("voffset", 0.0f), 0.0f, 1.0f};
  }
  description.from_uv = {
      {to_uv[0].x, to_uv[0].y}, {to_uv[1].x, to_uv[1].y}, {to_uv[3].x, to_uv[3].y}};
  return description;
}

uint32_t read_bitmap(const MitsubaObject& texture, TexelMeaning meaning, TextureLibrary& textures) {
  TextureDescription description = read_texture_transform(texture);
  description.wrap_u = description.wrap_v = read_wrap(texture);
  if (texture.text("filter_type", "bilinear") == "nearest")
    description.filter = TextureFilter::kNearest;
  if (texture.boolean("raw", false) && meaning == TexelMeaning::kColor)
    meaning = TexelMeaning::kData;

  const std::string name = texture.text("filename", "");
  try {
    return textures.add_file(texture.document().find_file(texture.node(), name), meaning,
                             description);
  } catch (const Error&) {
    texture.warn(fmt::format("the image {} is missing; grey 0.5 is used", in_quotes(name)));
    return kNoTexture;
  }
}

uint32_t read_checkerboard(const MitsubaObject& texture, TextureLibrary& textures) {
  constexpr glm::vec3 kLight(0.4f), kDark(0.2f);
  return textures.add_checkerboard(read_mitsuba_color(texture, "color0", kLight),
                                   read_mitsuba_color(texture, "color1", kDark),
                                   read_texture_transform(texture));
}

MitsubaTextured read_plain_texture(const MitsubaObject& texture, TextureLibrary& textures) {
  constexpr glm::vec3 kGrey(0.5f);
  if (texture.type() == "checkerboard")
    return {glm::vec3(1.0f), read_checkerboard(texture, textures)};
  const uint32_t bitmap = read_bitmap(texture, TexelMeaning::kColor, textures);
  return {bitmap == kNoTexture ? kGrey : glm::vec3(1.0f), bitmap};
}

}  // namespace

std::optional<MitsubaObject> find_mitsuba_texture(const MitsubaObject& object,
                                                  std::string_view name) {
  const pugi::xml_node node = object.find(name);
  if (!node) return {};
  MitsubaObject texture(object.document(), node);
  return texture.is_texture() ? std::optional(texture) : std::nullopt;
}

std::optional<MitsubaTextured> read_mitsuba_texture(const MitsubaObject& object,
                                                    TextureLibrary& textures) {
  MitsubaObject texture = object;
  glm::vec3 scale(1.0f);
  for (int depth = 0; texture.type() == "scale"; ++depth) {
    if (depth == kMaxTextureDepth) texture.fail("textures are nested too deeply");
    const std::vector<MitsubaObject> inner = texture.textures();
    scale *= read_mitsuba_color(texture, "scale", glm::vec3(1.0f));
    if (inner.empty()) return {};
    texture = inner[0];
  }
  if (texture.type() != "bitmap" && texture.type() != "checkerboard") return {};
  MitsubaTextured textured = read_plain_texture(texture, textures);
  textured.factor *= scale;
  return textured;
}

std::optional<MitsubaMeshAttribute> read_mitsuba_mesh_attribute(const MitsubaObject& texture) {
  if (texture.type() != "mesh_attribute") return {};
  return MitsubaMeshAttribute{texture.text("name", ""), texture.number("scale", 1.0f)};
}

std::set<std::string> find_mitsuba_mesh_attributes(const MitsubaObject& bsdf) {
  std::set<std::string> names;
  std::vector<MitsubaObject> pending = {bsdf};
  std::set<const void*> known;  // many references may name one BSDF
  while (!pending.empty()) {
    const MitsubaObject next = pending.back();
    pending.pop_back();
    if (!known.insert(next.node().internal_object()).second) continue;
    for (const MitsubaObject& texture : next.textures())
      if (auto attribute = read_mitsuba_mesh_attribute(texture)) names.insert(attribute->name);
    const std::vector<MitsubaObject> inside = next.children("bsdf");
    pending.insert(pending.end(), inside.begin(), inside.end());
  }
  return names;
}

MitsubaTextured read_mitsuba_textured(const MitsubaObject& object, std::string_view name,
                                      glm::vec3 fallback, TextureLibrary& textures,
                                      ReadMitsubaColor read_plain) {
  if (auto texture = find_mitsuba_texture(object, name))
    if (auto textured = read_mitsuba_texture(*texture, textures)) return *textured;
  return {read_plain(object, name, fallback), kNoTexture};
}

MitsubaTextured read_mitsuba_numbers(const MitsubaObject& object, std::string_view name,
                                     float fallback, TextureLibrary& textures) {
  if (auto texture = find_mitsuba_texture(object, name))
    if (auto textured = read_mitsuba_texture(*texture, textures)) return *textured;
  return {glm::vec3(read_mitsuba_number(object, name, fallback)), kNoTexture};
}

uint32_t read_mitsuba_bitmap(const MitsubaObject& texture, TexelMeaning meaning,
                             TextureLibrary& textures) {
  return read_bitmap(texture, meaning, textures);
}

}  // namespace winnow
