// SPDX-License-Identifier: MIT
#include "load/obj/mtl_maps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <glm/common.hpp>

#include "load/obj/known_statements.h"
#include "load/text/number.h"
#include "load/textures/texels.h"

namespace winnow {
namespace {

/// Reads the next word if it is a finite number.
std::optional<float> read_optional_number(StatementReader& statements) {
  const std::string_view rest = statements.rest();
  float number = 0.0f;
  if (read_number(rest.substr(0, rest.find(' ')), number) != NumberKind::kFinite) return {};
  statements.next_word();
  return number;
}

/// Reads up to three numbers, the first two into u and v, which keep their values if missing.
void read_optional_vector(StatementReader& statements, float& u, float& v) {
  if (std::optional<float> number = read_optional_number(statements)) u = *number;
  if (std::optional<float> number = read_optional_number(statements)) v = *number;
  read_optional_number(statements);
}

/// Packs roughness into green and metallic into blue, from two images or one. A missing one is 1.
TextureImage pack(const TextureImage* roughness, const TextureImage* metallic) {
  return combine_texels(
      roughness, metallic, TexelFormat::kLinear8,
      [](glm::vec4 rough, glm::vec4 metal) { return glm::vec4(1.0f, rough.r, metal.r, 1.0f); });
}

/// True for a normal map, which is bluish; height maps are grey.
bool is_normal_image(const TextureImage& image) {
  // Most normals are near (0, 0, 1), whose bytes are (128, 128, 255).
  const glm::vec4 mean = mean_texel(image);
  return mean.b > 1.2f * mean.r && mean.b > 1.2f * mean.g;
}

/// Inverts roughness_of_exponent().
float exponent_of_roughness(float roughness) {
  constexpr float kSmoothest = 0.01f;
  return 2.0f / std::pow(std::max(roughness, kSmoothest), 4.0f) - 2.0f;
}

/// Returns the index of the image of a map, or kNoTexture.
using ImageOfMap = std::function<uint32_t(const MtlMap& map, TexelMeaning meaning)>;

/// Uses a normal map, or converts heights to one.
void add_bump_map(const MtlMap& bump, const ImageOfMap& image_of, TextureLibrary& textures,
                  Material& material) {
  const uint32_t image = image_of(bump, TexelMeaning::kData);
  if (image == kNoTexture) return;
  TextureDescription description = bump.description;
  description.image = image;
  if (is_normal_image(textures.image(image))) {
    material.textures.normal = textures.add(description);
    material.normal_scale = bump.strength;
  } else {
    constexpr float kWhiteHeight = 0.01f;  // fraction of the image size; the format has no unit
    material.textures.normal =
        textures.add_normals_from_heights(description, kWhiteHeight * bump.strength);
  }
}

/// Scales the highlight of `material` by the means of map_Ks and map_Ns.
void add_highlight_maps(const MtlMaps& maps, const ImageOfMap& image_of,
                        const TextureLibrary& textures, Material& material, MtlMapCounts& counts) {
  const bool is_metal =
      material.type == MaterialType::kConductor || material.type == MaterialType::kMirror;
  const bool has_highlight = is_metal || material.type == MaterialType::kPrincipled;
  auto find_mean = [&](const std::optional<MtlMap>& map,
                       TexelMeaning meaning) -> std::optional<glm::vec3> {
    if (map && !has_highlight) ++counts.unused;
    if (!map || !has_highlight) return {};
    const uint32_t image = image_of(*map, meaning);
    if (image == kNoTexture) return {};
    ++counts.averaged;
    return glm::vec3(mean_texel(textures.image(image)));
  };
  const TexelMeaning kSpecular = maps.specular_is_data ? TexelMeaning::kData : TexelMeaning::kColor;
  if (const auto mean = find_mean(maps.specular, kSpecular))
    (is_metal ? material.reflectance : material.specular) *= glm::clamp(*mean, 0.0f, 1.0f);
  if (const auto mean = find_mean(maps.exponent, TexelMeaning::kData); mean && !maps.roughness)
    material.roughness = roughness_of_exponent(std::clamp(mean->x, 0.0f, 1.0f) *
                                               exponent_of_roughness(material.roughness));
}

/// Adds the textures of roughness and metallic as one.
void add_metal_maps(const MtlMaps& maps, const ImageOfMap& image_of, TextureLibrary& textures,
                    Material& material) {
  // Both are read before they are accessed, as reading may move images in memory.
  auto read = [&](const std::optional<MtlMap>& map) {
    return map ? image_of(*map, TexelMeaning::kData) : kNoTexture;
  };
  auto find = [&](uint32_t image) {
    return image == kNoTexture ? nullptr : &textures.image(image);
  };
  const uint32_t roughness_image = read(maps.roughness), metallic_image = read(maps.metallic);
  const TextureImage *roughness = find(roughness_image), *metallic = find(metallic_image);
  if (!roughness && !metallic) return;
  const TextureDescription& mapping = (roughness ? maps.roughness : maps.metallic)->description;
  // Some exporters write a factor of 0 beside a map.
  if (metallic && material.metallic == 0.0f) material.metallic = 1.0f;
  if (material.type == MaterialType::kConductor) material.metallic = 1.0f;
  if (roughness) material.roughness = 1.0f;
  material.textures.roughness_metallic = textures.add_image(pack(roughness, metallic), mapping);
  material.type = MaterialType::kPrincipled;
}

}  // namespace

std::optional<MtlMap>* MtlMaps::find(std::string_view keyword) {
  if (keyword == "map_Kd") return &color;
  if (keyword == "map_Ke") return &emission;
  if (keyword == "map_d") return &alpha;
  if (keyword == "map_Ks") return &specular;
  if (keyword == "map_Ns") return &exponent;
  if (keyword == "map_Pr") return &roughness;
  if (keyword == "map_Pm") return &metallic;
  if (keyword == "norm" || keyword == "map_Kn") return &normal;
  if (keyword == "map_bump" || keyword == "map_Bump" || keyword == "bump") return &bump;
  return nullptr;
}

MtlMap read_mtl_map(StatementReader& statements) {
  MtlMap map;
  glm::vec2 scale(1.0f), offset(0.0f);
  while (statements.rest().substr(0, 1) == "-") {
    const std::string_view option = statements.next_word();
    if (option == "-s") {
      read_optional_vector(statements, scale.x, scale.y);
    } else if (option == "-o") {
      read_optional_vector(statements, offset.x, offset.y);
    } else if (option == "-t" || option == "-mm") {
      const glm::vec2 neutral = option == "-t" ? glm::vec2(0.0f) : glm::vec2(0.0f, 1.0f);
      glm::vec2 values = neutral;
      const std::string name(option);
      read_optional_vector(statements, values.x, values.y);
      if (values != neutral) map.ignored_options.push_back(name);
    } else if (option == "-bm") {
      map.strength = read_optional_number(statements).value_or(1.0f);
    } else if (option == "-clamp") {
      if (statements.next_word() == "on")
        map.description.wrap_u = map.description.wrap_v = TextureWrap::kClamp;
    } else {
      const std::string name(option);
      const KnownKey* known = mtl_statements().find("map", name);
      const std::string_view value = statements.next_word();
      const bool is_neutral = name == "-cc" && value == "off";
      if ((!known || known->use == KeyUse::kIgnored) && !is_neutral)
        map.ignored_options.push_back(name);
    }
  }
  // v is up in the file and down in a texture: v' = 1 - (s (1 - v) + o).
  map.description.from_uv = {
      {scale.x, 0.0f}, {0.0f, scale.y}, {offset.x, 1.0f - scale.y - offset.y}};
  map.file = statements.rest();
  return map;
}

void add_mtl_maps(const MtlMaps& maps, NamedFiles& files, TextureLibrary& textures,
                  Material& material, MtlMapCounts& counts) {
  const ImageOfMap image_of = [&](const MtlMap& map, TexelMeaning meaning) {
    return textures.image_of(files.path_of(maps.folders, map.file, map.place), meaning);
  };
  auto add = [&](const std::optional<MtlMap>& map, TexelMeaning meaning) {
    if (!map) return kNoTexture;
    TextureDescription description = map->description;
    description.image = image_of(*map, meaning);
    return description.image == kNoTexture ? kNoTexture : textures.add(description);
  };
  MaterialTextures& used = material.textures;
  const glm::vec3 kBlack(0.0f), kWhite(1.0f);

  // Some exporters write a factor of 0 beside a map.
  used.reflectance = add(maps.color, TexelMeaning::kColor);
  if (used.reflectance != kNoTexture && material.reflectance == kBlack)
    material.reflectance = kWhite;
  used.emission = add(maps.emission, TexelMeaning::kColor);
  if (used.emission != kNoTexture && material.emission == kBlack) material.emission = kWhite;
  used.alpha = add(maps.alpha, TexelMeaning::kCoverage);

  used.normal = add(maps.normal, TexelMeaning::kData);
  if (used.normal != kNoTexture)
    material.normal_scale = maps.normal->strength;
  else if (maps.bump)
    add_bump_map(*maps.bump, image_of, textures, material);
  add_highlight_maps(maps, image_of, textures, material, counts);
  if (maps.roughness || maps.metallic) add_metal_maps(maps, image_of, textures, material);
}

float roughness_of_exponent(float ns) {
  return std::pow(2.0f / (ns + 2.0f), 0.25f);
}

}  // namespace winnow
