// SPDX-License-Identifier: MIT
#include "scene/boundary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace winnow {

float reflectance_of_ior(float ior) {
  const float amplitude = (ior - 1.0f) / (ior + 1.0f);
  return amplitude * amplitude;
}

float ior_of_reflectance(float reflectance) {
  const float amplitude = std::sqrt(std::clamp(reflectance, 0.0f, 0.99f));
  return (1.0f + amplitude) / (1.0f - amplitude);
}

bool refracts(const Material& material) {
  return material.type == MaterialType::kDielectric ||
         material.type == MaterialType::kRoughDielectric ||
         (material.type == MaterialType::kPrincipled && material.transmission > 0.0f);
}

std::optional<Material> reversed(const Material& material) {
  if (material.type == MaterialType::kPrincipled && refracts(material)) return {};
  if (material.black_back || (emits(material) && !material.two_sided_emission)) return {};
  Material result = material;
  if (refracts(material)) result.ior = 1.0f / material.ior;
  std::swap(result.interior, result.exterior);
  if (material.textures.normal != kNoTexture) result.normal_scale = -material.normal_scale;
  return result;
}

std::optional<uint32_t> ReversedMaterials::of(uint32_t material) {
  const auto [known, is_new] = known_.try_emplace(material);
  if (!is_new) return known->second;
  const std::optional<Material> added = reversed(scene_.materials[material]);
  if (!added) return {};
  known->second = uint32_t(scene_.materials.size());
  scene_.materials.push_back(*added);
  scene_.material_names.push_back(scene_.material_names[material]);
  return known->second;
}

}  // namespace winnow
