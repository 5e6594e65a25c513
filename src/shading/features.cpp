// SPDX-License-Identifier: MIT
#include "shading/features.h"

#include <algorithm>

#include "scene/host_scene.h"
#include "scene/vertex_attributes.h"
#include "shading/light_choice.h"

namespace winnow {
namespace {

/// Returns whether basic kernels can shade the material, for which has_layers() is false.
bool is_basic(const Material& material) {
  return !traits_of(material.type).extended && material.textures == MaterialTextures{} &&
         material.anisotropy == 0.0f && !is_measured(material) &&
         material.specular == glm::vec3(1.0f) && material.masking == Masking::kCorrelated &&
         material.distribution == MicrofacetDistribution::kGgx && material.alpha == 1.0f &&
         !material.black_back;
}

/// Returns whether only kernels with Features::layers shade the material.
bool has_layers(const Material& material) {
  const MaterialTextures& textures = material.textures;
  for (uint32_t texture :
       {textures.specular, textures.coat, textures.sheen, textures.anisotropy, textures.iridescence,
        textures.specular_tint, textures.diffuse_transmission})
    if (texture != kNoTexture) return true;
  return textures.on_second_uvs != 0 || uses_vertex_colors(material) ||
         material.dispersion > 0.0f || material.anisotropy_rotation != 0.0f ||
         (material.type == MaterialType::kPrincipled &&
          (material.iridescence > 0.0f || material.anisotropy != 0.0f || material.thin ||
           material.diffuse_transmission > 0.0f || material.specular_tint != glm::vec3(1.0f) ||
           material.masking != Masking::kCorrelated));
}

/// Returns whether the choice among emissive triangles and spheres differs from one by power.
bool chooses_otherwise(const HostScene& scene, LightChoice by) {
  if (by == LightChoice::kPower) return false;
  size_t lights = 0;
  for (uint32_t material : scene.triangle_materials) lights += emits(scene.materials[material]);
  for (const Sphere& sphere : scene.spheres) lights += emits(scene.materials[sphere.material]);
  return lights > 1;
}

}  // namespace

bool has_media(const HostScene& scene) {
  auto is_boundary = [](const Material& material) {
    return material.bounds_media || material.type == MaterialType::kNull;
  };
  return scene.camera_medium != kNoMedium ||
         std::any_of(scene.materials.begin(), scene.materials.end(), is_boundary);
}

Features required_features(const HostScene& scene, LightChoice lights) {
  if (has_media(scene)) return kMedia;
  if (std::any_of(scene.materials.begin(), scene.materials.end(), has_layers)) return kLayered;
  if (!scene.instances.empty()) return kInstanced;
  const bool is_extended = !scene.environment.image.pixels.empty() || !scene.delta_lights.empty() ||
                           chooses_otherwise(scene, lights) ||
                           !std::all_of(scene.materials.begin(), scene.materials.end(), is_basic);
  return is_extended ? kExtended : kBasic;
}

}  // namespace winnow
