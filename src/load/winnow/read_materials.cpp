// SPDX-License-Identifier: MIT
#include <tuple>
#include <utility>

#include "base/error.h"
#include "base/names.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "scene/boundary.h"
#include "scene/optical_constants.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

constexpr Range kIor{kMinIor, kMaxIor}, kPrincipledIor{1.0, kMaxIor, true};
constexpr Range kOptical{0.0, 1000.0};  // n and k of a metal
constexpr Range kSigned{-1.0, 1.0};
constexpr Range kFilmIor{1.0, 100.0};
constexpr Range kDispersion{0.0, 40.0};    // the upper end gives the index 1 for red
constexpr Range kFilmThickness{0.0, 1e6};  // nm

void read_metal(const JsonReader& json, Material& material) {
  if (auto name = json.find("metal")) {
    if (json.has("n") || json.has("k")) json.fail("expected either \"metal\", or \"n\" and \"k\"");
    const ComplexIor metal = *find_metal(scene_keys::kMetals[name->choice(scene_keys::kMetals)]);
    material.metal_n = metal.n;
    material.metal_k = metal.k;
  } else if (json.has("n") || json.has("k")) {
    material.metal_k = json.at("k").color(kOptical);
    material.metal_n = with_fresnel_term({json.at("n").color(kOptical), material.metal_k}).n;
  }
}

/// Reads one value for two uses, or a list of two.
template <class Read>
auto read_pair(const JsonReader& json, const char* expected, Read read) {
  if (!json.is_array()) return std::pair(read(json), read(json));
  json.expect_size(2, expected);
  return std::pair(read(json[0]), read(json[1]));
}

void read_film_thickness(const JsonReader& json, Material& material) {
  auto read = [](const JsonReader& thickness) { return thickness.number(kFilmThickness); };
  if (const auto thickness = json.find("film_thickness"))
    std::tie(material.film_thickness.x, material.film_thickness.y) =
        read_pair(*thickness, "a number, or two: where green is 0 and 1", read);
}

void read_anisotropy_rotation(const JsonReader& json, Material& material) {
  constexpr Range kRotation{-36000.0, 36000.0};  // degrees
  if (const auto rotation = json.find("anisotropy_rotation")) {
    rotation->number(kRotation);  // checked, but not used
    material.anisotropy_rotation = radians_of_degrees(rotation->any_number());
  }
}

void read_second_uvs(const JsonReader& names, Material& material) {
  std::vector<std::string> known;
  for (const TextureSlot& slot : texture_slots()) known.emplace_back(slot.key);
  for (size_t i = 0; i < names.size("a list of names of textures of this material"); ++i)
    put_on_second_uvs(material.textures, TextureUse(names[i].choice(known)));
}

void read_material_textures(const JsonReader& json, NamedTextures& textures, Material& material) {
  const std::optional<JsonReader> used = json.find("textures");
  if (!used) return;
  used->expect_keys(scene_keys::kMaterialTextures);
  used->read("normal_scale", material.normal_scale, kCoordinate);
  used->read("normal_mapping", material.normal_mapping, scene_keys::kNormalMappings);
  for (const TextureSlot& slot : texture_slots())
    if (auto name = used->find(slot.key))
      material.textures.*slot.texture = textures.find(*name, slot.meaning);
  if (auto names = used->find("on_second_uvs")) read_second_uvs(*names, material);
}

Material read_material(const JsonReader& json, NamedTextures& textures, const MediumIds& media) {
  const size_t type = json.at("type").choice(scene_keys::kMaterialTypes);
  scene_keys::Keys keys = scene_keys::kMaterials[type];
  keys.insert(keys.end(), scene_keys::kAnyMaterial.begin(), scene_keys::kAnyMaterial.end());
  json.expect_keys(keys);

  Material material;
  material.type = MaterialType(type);
  material.reflectance = glm::vec3(traits_of(material.type).reflectance);
  material.roughness = traits_of(material.type).roughness;
  for (const MaterialField& field : material_fields())
    std::visit([&](auto member) { json.read(field.key, material.*member, field.range); },
               field.member);
  if (material.type == MaterialType::kPrincipled) json.read("ior", material.ior, kPrincipledIor);
  json.read("masking", material.masking, scene_keys::kMaskings);
  json.read("distribution", material.distribution, scene_keys::kDistributions);
  if (auto value = json.find("thin")) material.thin = value->boolean();
  if (auto value = json.find("nonlinear")) material.nonlinear = value->boolean();
  if (auto value = json.find("two_sided")) material.two_sided_emission = value->boolean();
  if (auto value = json.find("black_back")) material.black_back = value->boolean();
  if (auto value = json.find("vertex_colors")) material.vertex_colors = value->boolean();
  if (auto value = json.find("vertex_alpha")) material.vertex_alpha = value->boolean();
  read_metal(json, material);
  read_film_thickness(json, material);
  read_anisotropy_rotation(json, material);
  read_material_textures(json, textures, material);
  read_media_of_material(json, media, material);
  return material;
}

void read_wrap(const JsonReader& json, TextureDescription& texture) {
  auto read = [](const JsonReader& wrap) {
    return TextureWrap(wrap.choice(scene_keys::kTextureWraps));
  };
  std::tie(texture.wrap_u, texture.wrap_v) =
      read_pair(json, "one word, or two: for u and for v", read);
}

void read_scale(const JsonReader& json, TextureDescription& texture) {
  auto read = [](const JsonReader& scale) { return scale.number(kCoordinate); };
  std::tie(texture.from_uv[0].x, texture.from_uv[1].y) =
      read_pair(json, "a number, or two: for u and for v", read);
}

/// Reads two rows of three numbers: u' = a u + b v + c, and the corresponding row for v'.
void read_uv_transform(const JsonReader& json, TextureDescription& texture) {
  constexpr const char* kExpected = "two rows of three numbers";
  json.expect_size(2, kExpected);
  for (int row = 0; row < 2; ++row) {
    const JsonReader numbers = json[size_t(row)];
    numbers.expect_size(3, kExpected);
    for (int column = 0; column < 3; ++column)
      texture.from_uv[column][row] = numbers[size_t(column)].number(kCoordinate);
  }
}

TextureDescription read_description(const JsonReader& json) {
  json.expect_keys(scene_keys::kTexture);
  TextureDescription texture;
  if (auto wrap = json.find("wrap")) read_wrap(*wrap, texture);
  json.read("filter", texture.filter, scene_keys::kTextureFilters);
  if (json.has("scale") && json.has("uv_transform"))
    json.fail("expected either \"scale\" or \"uv_transform\", found both");
  if (auto scale = json.find("scale")) read_scale(*scale, texture);
  if (auto transform = json.find("uv_transform")) read_uv_transform(*transform, texture);
  if (json.has("file") == json.has("checkerboard"))
    json.fail("expected either \"file\" or \"checkerboard\"");
  return texture;
}

}  // namespace

MaterialIds read_materials(const JsonReader& materials, NamedTextures& textures,
                           const MediumIds& media, HostScene& scene) {
  MaterialIds ids;
  for (const std::string& name : materials.keys()) {
    ids[name] = uint32_t(scene.materials.size());
    scene.materials.push_back(read_material(materials.at(name), textures, media));
    scene.material_names.push_back(one_line(name));
  }
  return ids;
}

const std::vector<MaterialField>& material_fields() {
  using M = Material;
  static const std::vector<MaterialField> fields = {
      {"reflectance", &M::reflectance, kFraction},
      {"specular", &M::specular, kFraction},
      {"emission", &M::emission, kNonNegative},
      {"roughness", &M::roughness, kFraction},
      {"anisotropy", &M::anisotropy, kSigned},
      {"ior", &M::ior, kIor},
      {"metallic", &M::metallic, kFraction},
      {"transmission", &M::transmission, kFraction},
      {"specular_tint", &M::specular_tint, kNonNegative},
      {"diffuse_transmission", &M::diffuse_transmission, kFraction},
      {"diffuse_transmission_color", &M::diffuse_transmission_color, kFraction},
      {"coat", &M::coat, kFraction},
      {"coat_roughness", &M::coat_roughness, kFraction},
      {"sheen", &M::sheen, kFraction},
      {"sheen_roughness", &M::sheen_roughness, kFraction},
      {"iridescence", &M::iridescence, kFraction},
      {"iridescence_ior", &M::iridescence_ior, kFilmIor},
      {"dispersion", &M::dispersion, kDispersion},
      {"alpha", &M::alpha, kFraction},
      {"alpha_cutoff", &M::alpha_cutoff, kFraction}};
  return fields;
}

float radians_of_degrees(double degrees) {
  constexpr double kRadians = 0.017453292519943295;  // radians per degree
  return float(degrees * kRadians);
}

NamedTextures::NamedTextures(std::optional<JsonReader> json, const std::filesystem::path& folder,
                             HostScene& scene)
    : json_(std::move(json)), folder_(folder), library_(scene) {
  if (!json_) return;
  for (const std::string& name : json_->keys())
    read_description(json_->at(name));  // checks the texture, even if no material uses it
}

uint32_t NamedTextures::find(const JsonReader& name, TexelMeaning meaning) {
  const std::string text = name.text();
  const std::optional<JsonReader> found = json_ ? json_->find(text) : std::nullopt;
  if (!found) {
    const std::vector<std::string> known = json_ ? json_->keys() : std::vector<std::string>();
    name.fail("unknown texture {}; {}", in_quotes(text), suggest_name(text, known));
  }
  const JsonReader& json = *found;
  TextureDescription texture = read_description(json);
  if (auto file = json.find("file"))
    return library_.add_file(folder_ / file->text(), meaning, texture);

  const JsonReader colors = json.at("checkerboard");
  colors.expect_size(2, "two colours");
  const Range range = meaning == TexelMeaning::kColor ? kNonNegative : kFraction;
  return library_.add_checkerboard(colors[0].color(range), colors[1].color(range), texture,
                                   meaning);
}

}  // namespace winnow
