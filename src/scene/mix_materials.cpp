// SPDX-License-Identifier: MIT
#include "scene/mix_materials.h"

#include <glm/common.hpp>

#include "scene/optical_constants.h"

namespace winnow {
namespace {

bool is_opaque_and_smooth(const Material& material) {
  return !has_alpha_cutouts(material) && material.textures.normal == kNoTexture;
}

bool is_metal(const Material& material) {
  return material.type == MaterialType::kMirror || material.type == MaterialType::kConductor;
}

glm::vec3 metal_color(const Material& metal) {
  const glm::vec3 measured =
      is_measured(metal) ? normal_reflectance({metal.metal_n, metal.metal_k}) : glm::vec3(1.0f);
  return metal.reflectance * measured;
}

Material mix_with_metal(const Material& diffuse, const Material& metal, float metallic) {
  Material mixed = metal;
  mixed.type = MaterialType::kPrincipled;
  mixed.reflectance = glm::mix(diffuse.reflectance, metal_color(metal), metallic);
  const bool is_metallic = metallic > 0.5f;
  mixed.textures.reflectance =
      is_metallic ? metal.textures.reflectance : diffuse.textures.reflectance;
  mixed.vertex_colors = is_metallic ? metal.vertex_colors : diffuse.vertex_colors;
  mixed.roughness = metal.type == MaterialType::kMirror ? 0.0f : metal.roughness;
  mixed.metal_n = mixed.metal_k = glm::vec3(0.0f);
  mixed.metallic = metallic;
  mixed.specular = glm::vec3(0.0f);
  return mixed;
}

}  // namespace

std::optional<Material> mix_materials(const Material& a, const Material& b, float weight) {
  if (!is_opaque_and_smooth(a) || !is_opaque_and_smooth(b)) return {};
  const bool a_is_diffuse = a.type == MaterialType::kDiffuse;
  const bool b_is_diffuse = b.type == MaterialType::kDiffuse;
  const bool has_texture = a.textures.reflectance != kNoTexture ||
                           b.textures.reflectance != kNoTexture || a.vertex_colors ||
                           b.vertex_colors;
  if (a_is_diffuse && b_is_diffuse && !has_texture) {
    Material mixed = a;
    mixed.reflectance = glm::mix(a.reflectance, b.reflectance, weight);
    return mixed;
  }
  if (a_is_diffuse && is_metal(b)) return mix_with_metal(a, b, weight);
  if (b_is_diffuse && is_metal(a)) return mix_with_metal(b, a, 1.0f - weight);
  return {};
}

}  // namespace winnow
