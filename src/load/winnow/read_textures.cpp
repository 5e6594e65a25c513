// SPDX-License-Identifier: MIT
#include "load/winnow/read_textures.h"

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/one_line.h"
#include "load/winnow/scene_keys.h"

namespace winnow {
namespace {

/// One word for both axes, or a list of two.
void read_wrap(const JsonReader& json, TextureDescription& texture) {
  if (!json.is_array()) {
    texture.wrap_u = texture.wrap_v = TextureWrap(json.choice(scene_keys::kTextureWraps));
    return;
  }
  if (json.size() != 2) json.fail("expected one word, or two: for u and for v");
  texture.wrap_u = TextureWrap(json[0].choice(scene_keys::kTextureWraps));
  texture.wrap_v = TextureWrap(json[1].choice(scene_keys::kTextureWraps));
}

/// One number for both axes, or a list of two.
void read_scale(const JsonReader& json, TextureDescription& texture) {
  if (json.is_array() && json.size() != 2) json.fail("expected a number, or two: for u and for v");
  texture.from_uv[0].x = (json.is_array() ? json[0] : json).number(kCoordinate);
  texture.from_uv[1].y = (json.is_array() ? json[1] : json).number(kCoordinate);
}

/// Two rows of three numbers: u' = a u + b v + c, and v' in the same way.
void read_uv_transform(const JsonReader& json, TextureDescription& texture) {
  constexpr const char* kExpected = "two rows of three numbers";
  if (json.size(kExpected) != 2) json.fail(fmt::format("expected {}", kExpected));
  for (int row = 0; row < 2; ++row) {
    const JsonReader numbers = json[size_t(row)];
    if (numbers.size(kExpected) != 3) numbers.fail(fmt::format("expected {}", kExpected));
    for (int column = 0; column < 3; ++column)
      texture.from_uv[column][row] = numbers[size_t(column)].number(kCoordinate);
  }
}

TextureDescription read_description(const JsonReader& json) {
  json.expect_keys(scene_keys::kTexture);
  TextureDescription texture;
  if (auto wrap = json.find("wrap")) read_wrap(*wrap, texture);
  if (auto filter = json.find("filter"))
    texture.filter = TextureFilter(filter->choice(scene_keys::kTextureFilters));
  if (json.has("scale") && json.has("uv_transform"))
    json.fail("expected either \"scale\" or \"uv_transform\", found both");
  if (auto scale = json.find("scale")) read_scale(*scale, texture);
  if (auto transform = json.find("uv_transform")) read_uv_transform(*transform, texture);
  if (json.has("file") == json.has("checkerboard"))
    json.fail("expected either \"file\" or \"checkerboard\"");
  return texture;
}

}  // namespace

const std::array<TextureSlot, 6>& texture_slots() {
  using T = MaterialTextures;
  static const std::array<TextureSlot, 6> slots = {
      {{"reflectance", &T::reflectance, TexelMeaning::kColor},
       {"emission", &T::emission, TexelMeaning::kColor},
       {"roughness_metallic", &T::roughness_metallic, TexelMeaning::kData},
       {"normal", &T::normal, TexelMeaning::kData},
       {"alpha", &T::alpha, TexelMeaning::kCoverage},
       {"transmission", &T::transmission, TexelMeaning::kData}}};
  return slots;
}

NamedTextures::NamedTextures(std::optional<JsonReader> json, const std::filesystem::path& folder,
                             HostScene& scene)
    : json_(std::move(json)), folder_(folder), library_(scene) {
  if (!json_) return;
  for (const std::string& name : json_->keys())
    read_description(json_->at(name));  // only checks them
}

uint32_t NamedTextures::find(const JsonReader& name, TexelMeaning meaning) {
  const std::string text = name.text();
  const std::vector<std::string> known = json_ ? json_->keys() : std::vector<std::string>();
  if (std::find(known.begin(), known.end(), text) == known.end())
    name.fail(fmt::format("unknown texture {}; {}", in_quotes(text), suggest_name(text, known)));
  const JsonReader json = json_->at(text);
  TextureDescription texture = read_description(json);
  if (auto file = json.find("file"))
    return library_.add_file(folder_ / file->text(), meaning, texture);

  const JsonReader colors = json.at("checkerboard");
  if (colors.size("two colours") != 2) colors.fail("expected two colours");
  const Range range = meaning == TexelMeaning::kColor ? kNonNegative : kFraction;
  return library_.add_checkerboard(colors[0].color(range), colors[1].color(range), texture);
}

void read_material_textures(const JsonReader& json, NamedTextures& textures, Material& material) {
  if (auto value = json.find("alpha")) material.alpha = value->number(kFraction);
  if (auto value = json.find("alpha_cutoff")) material.alpha_cutoff = value->number(kFraction);
  const std::optional<JsonReader> used = json.find("textures");
  if (!used) return;
  used->expect_keys(scene_keys::kMaterialTextures);
  if (auto value = used->find("normal_scale")) material.normal_scale = value->number(kCoordinate);
  for (const TextureSlot& slot : texture_slots())
    if (auto name = used->find(slot.key))
      material.textures.*slot.texture = textures.find(*name, slot.meaning);
}

}  // namespace winnow
