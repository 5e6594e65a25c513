// SPDX-License-Identifier: MIT
#include <algorithm>

#include "image/image_io.h"
#include "load/winnow/scene_keys.h"
#include "scene/volumes/density_grid.h"
#include "tests/soak/draw_parts.h"

namespace winnow {
namespace {

/// Draws the "file" or "checkerboard" of a texture, with values from 0 to 1.
void draw_texels(DrawnParts& parts, const std::string& name, DrawnJson& texture) {
  Draw& draw = parts.draw;
  if (draw.one_in(2)) {
    texture["checkerboard"] = {draw_color(draw), draw_color(draw)};
    return;
  }
  constexpr uint32_t kMaxSide = 33;
  Image image{draw.from(1, kMaxSide), draw.from(1, kMaxSide), {}};
  image.pixels.resize(size_t(image.width) * image.height);
  for (glm::vec3& pixel : image.pixels) pixel = {draw.fraction(), draw.fraction(), draw.fraction()};
  texture["file"] = name + ".png";
  write_image(parts.folder / (name + ".png"), image);
}

/// Draws the index of refraction of a material or a film: near 1, usual or extreme.
float draw_ior(Draw& draw) {
  constexpr float kMax = 100.0f;
  return draw.one_in(8) ? kMax : 1.0f + draw.log_between(1e-4f, 2.0f);
}

DrawnJson draw_film_thickness(Draw& draw) {
  constexpr float kMax = 1200.0f;  // nm
  const float thickness = draw.between(0, kMax);
  if (draw.one_in(2)) return thickness;
  return {thickness, draw.between(0, kMax)};
}

/// Draws the value of a key of a material; null if the material does not get the key.
DrawnJson draw_value(DrawnParts& parts, const std::string& key) {
  Draw& draw = parts.draw;
  constexpr float kMaxDispersion = 0.7f, kMaxAngle = 400.0f, kMaxOptical = 8.0f, kMaxTint = 3.0f;
  if (key == "reflectance" || key == "specular" || key == "sheen") return draw_color(draw);
  if (key == "emission")
    return parts.is_furnace() || !draw.one_in(4) ? DrawnJson() : draw_bright_color(draw);
  if (key == "metal") return draw.of(scene_keys::kMetals);
  if (key == "n" || key == "k")
    return json_of(kMaxOptical * glm::vec3(draw.uniform(), draw.uniform(), draw.uniform()));
  if (key == "anisotropy") return 2.0f * draw.fraction() - 1.0f;
  if (key == "anisotropy_rotation") return draw.between(-kMaxAngle, kMaxAngle);
  if (key == "masking") return draw.of(scene_keys::kMaskings);
  if (key == "distribution") return draw.of(scene_keys::kDistributions);
  if (key == "ior" || key == "iridescence_ior") {
    const float ior = draw_ior(draw);
    return ior > 1.0f ? ior : 1.5f;
  }
  if (key == "specular_tint")
    return json_of(kMaxTint * glm::vec3(draw.uniform(), draw.uniform(), draw.uniform()));
  if (key == "diffuse_transmission_color") return draw_color(draw);
  if (key == "dispersion") return draw.between(0, kMaxDispersion);
  if (key == "nonlinear" || key == "thin") return draw.one_in(2);
  if (key == "film_thickness") return draw_film_thickness(draw);
  return draw.fraction();
}

/// Draws the colour of a metal: a name, n and k, or neither.
void draw_metal(DrawnParts& parts, DrawnJson& material) {
  const uint32_t kind = parts.draw.below(3);
  if (kind == 0) material["metal"] = draw_value(parts, "metal");
  if (kind == 1)
    for (const char* key : {"n", "k"}) material[key] = draw_value(parts, key);
}

bool is_of_metal(const std::string& key) {
  return key == "metal" || key == "n" || key == "k";
}

void draw_texture_names(DrawnParts& parts, DrawnJson& material) {
  constexpr float kMaxNormalScale = 1.5f;
  Draw& draw = parts.draw;
  DrawnJson names = DrawnJson::object(), on_second = DrawnJson::array();
  for (const std::string& slot : scene_keys::kMaterialTextures) {
    const bool is_texture =
        slot != "normal_scale" && slot != "normal_mapping" && slot != "on_second_uvs";
    if (!is_texture || (slot == "normal" && parts.is_furnace()) || !draw.one_in(3)) continue;
    names[slot] = draw.of(parts.textures);
    if (draw.one_in(4)) on_second.push_back(slot);
  }
  if (names.contains("normal")) {
    names["normal_scale"] = draw.between(0, kMaxNormalScale);
    names["normal_mapping"] = draw.of(scene_keys::kNormalMappings);
  }
  if (!on_second.empty()) names["on_second_uvs"] = on_second;
  if (!names.empty()) material["textures"] = names;
}

/// Draws the keys that materials of all types may have.
void draw_common(DrawnParts& parts, DrawnJson& material) {
  Draw& draw = parts.draw;
  if (draw.one_in(8)) material["alpha"] = draw.fraction();
  if (draw.one_in(8)) material["alpha_cutoff"] = draw.fraction();
  for (const char* key : {"two_sided", "black_back", "vertex_colors", "vertex_alpha"})
    if (draw.one_in(4)) material[key] = draw.one_in(2);
  if (!parts.textures.empty() && draw.one_in(3)) draw_texture_names(parts, material);
  if (parts.media.empty() || !draw.one_in(3)) return;
  for (const char* key : {"interior", "exterior"})
    if (draw.one_in(2))
      material[key] = draw.one_in(4) ? DrawnJson() : DrawnJson(draw.of(parts.media));
}

/// Returns whether a boundary of the material multiplies radiance by the square of its index. That
/// is right for closed shapes only, and a random scene has few.
bool scales_radiance(const std::string& type) {
  return type == "dielectric" || type == "rough-dielectric" || type == "principled";
}

DrawnJson draw_material(DrawnParts& parts) {
  size_t type = parts.draw.below(scene_keys::kMaterialTypes.size());
  while (parts.is_furnace() && scales_radiance(scene_keys::kMaterialTypes[type]))
    type = parts.draw.below(scene_keys::kMaterialTypes.size());
  DrawnJson material = {{"type", scene_keys::kMaterialTypes[type]}};
  const scene_keys::Keys& keys = scene_keys::kMaterials[type];
  for (const std::string& key : keys) {
    if (key == "type" || is_of_metal(key) || parts.draw.one_in(2)) continue;
    if (DrawnJson value = draw_value(parts, key); !value.is_null()) material[key] = value;
  }
  const bool may_be_below_1 = material.contains("ior") && material["type"] != "principled";
  if (may_be_below_1 && parts.draw.one_in(3)) material["ior"] = 1.0f / float(material["ior"]);
  if (std::ranges::any_of(keys, is_of_metal)) draw_metal(parts, material);
  draw_common(parts, material);
  return material;
}

/// Draws densities in a turned box, which may be larger or smaller than the medium.
DrawnJson draw_density(DrawnParts& parts) {
  constexpr uint32_t kMaxSide = 11;  // more than one brick
  constexpr float kMaxDensity = 2.0f;
  Draw& draw = parts.draw;
  DrawnJson size = DrawnJson::array(), values = DrawnJson::array();
  uint32_t count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    size.push_back(draw.from(1, kMaxSide));
    count *= uint32_t(size.back());
  }
  const bool is_sparse = draw.one_in(2);
  for (uint32_t i = 0; i < count; ++i)
    values.push_back(is_sparse && !draw.one_in(3) ? 0.0f : draw.between(0.0f, kMaxDensity));
  const auto side = [&] {
    return (draw.one_in(4) ? -1.0f : 1.0f) * parts.scale * draw.log_between(0.1f, 3.0f);
  };
  const float x = side(), y = side();
  DrawnJson transform = {
      {{"translate", {-0.5f, -0.5f, -0.5f}}},
      {{"scale", {x, y, side()}}},
      {{"rotate", {{"axis", json_of(draw_direction(draw))}, {"angle", draw.between(-180, 180)}}}}};
  add_random_motion(parts, transform);
  transform.push_back({{"translate", json_of(parts.point())}});
  return {{"size", size},
          {"values", values},
          {"border", draw.of(enum_names<GridBorder>())},
          {"transform", transform}};
}

/// Draws a radiance, that of a grid, or that of temperatures.
DrawnJson draw_emission(DrawnParts& parts) {
  Draw& draw = parts.draw;
  DrawnJson emission = {{"radiance", draw_color(draw)}};
  if (draw.one_in(3)) {
    emission["temperature"] = draw_density(parts);
    emission["kelvin"] = draw.between(500.0f, 5000.0f);
  } else if (draw.one_in(2)) {
    emission["values"] = draw_density(parts);
  }
  return emission;
}

}  // namespace

void add_random_media(DrawnParts& parts) {
  constexpr uint32_t kMaxMedia = 3;
  constexpr float kMaxAsymmetry = 0.999f;
  Draw& draw = parts.draw;
  if (!draw.one_in(3)) return;
  for (uint32_t i = draw.from(1, kMaxMedia); i > 0; --i) {
    const float per_metre = draw.log_between(0.05f, 20.0f) / parts.scale;
    DrawnJson medium;
    if (draw.one_in(2))
      medium = {{"extinction", per_metre}, {"albedo", draw_color(draw)}};
    else
      medium = {{"absorption", draw.fraction() * per_metre},
                {"scattering", draw.fraction() * per_metre}};
    if (draw.one_in(2)) medium["asymmetry"] = draw.between(-kMaxAsymmetry, kMaxAsymmetry);
    if (draw.one_in(2)) medium["density"] = draw_density(parts);
    if (draw.one_in(3)) medium["emission"] = draw_emission(parts);
    parts.media.push_back("medium " + std::to_string(i));
    parts.json["media"][parts.media.back()] = medium;
  }
}

void add_random_textures(DrawnParts& parts) {
  constexpr uint32_t kMaxTextures = 4;
  Draw& draw = parts.draw;
  if (!draw.one_in(2)) return;
  for (uint32_t i = draw.from(1, kMaxTextures); i > 0; --i) {
    const std::string name = "texture-" + std::to_string(i);
    DrawnJson texture = DrawnJson::object();
    draw_texels(parts, name, texture);
    if (draw.one_in(2)) texture["wrap"] = draw.of(scene_keys::kTextureWraps);
    if (draw.one_in(2)) texture["filter"] = draw.of(scene_keys::kTextureFilters);
    if (draw.one_in(4))
      texture["scale"] = {draw.between(-8, 8), draw.between(-8, 8)};
    else if (draw.one_in(4))
      texture["uv_transform"] = {json_of(4.0f * draw_point(draw)),
                                 json_of(4.0f * draw_point(draw))};
    parts.textures.push_back(name);
    parts.json["textures"][name] = texture;
  }
}

void add_random_materials(DrawnParts& parts) {
  constexpr uint32_t kMaxMaterials = 8;
  for (uint32_t i = parts.draw.from(1, kMaxMaterials); i > 0; --i) {
    parts.materials.push_back("material " + std::to_string(i));
    parts.json["materials"][parts.materials.back()] = draw_material(parts);
  }
}

}  // namespace winnow
