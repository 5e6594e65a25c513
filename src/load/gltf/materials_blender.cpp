// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/exponential.hpp>

#include "load/gltf/materials.h"
#include "load/gltf/values.h"
#include "load/text/blender_notes.h"
#include "scene/boundary.h"

namespace winnow {
namespace {

/// Reads a specularFactor, or a specularColorFactor above 1, as the Specular IOR Level that it was:
/// it scales the reflectance that follows from the index of what is not glass, and leaves all light
/// reflected at grazing angles.
/// @param warn  called with a text
template <class Warn>
void read_specular_ior_level(const JsonReader& extension, Material& material, Warn warn) {
  const float level = material.specular.x;
  material.specular = glm::vec3(1.0f);
  if (extension.has("specularTexture"))
    warn("a texture of the Specular IOR Level counts half, and at grazing angles, too");
  if (material.transmission == 1.0f) {
    const glm::vec3 tint = material.specular_tint;
    material.specular_tint /= std::max({tint.r, tint.g, tint.b, 1.0f});
  } else if (material.transmission > 0.0f) {
    if (level < 1.0f) warn("the Specular IOR Level also dims the reflection of mixed glass");
    material.specular_tint *= level;
  } else if (level > 0.0f) {
    material.ior = ior_of_reflectance(level * reflectance_of_ior(material.ior));
  } else {
    material.specular = glm::vec3(0.0f);
  }
}

}  // namespace

void read_as_blender_means(const JsonReader& source, bool is_solid, GltfDocument& document,
                           Material& material) {
  auto warn = [&](const char* what) { document.warn(source.pointer(), what); };
  if (!source.has("pbrMetallicRoughness") && !find_extension(source, "KHR_materials_unlit"))
    warn("without a Principled BSDF, Blender writes a rough white metal");
  if (material.sheen != glm::vec3(0.0f))
    warn("sheen is up to a third brighter at grazing angles than in Blender");
  if (material.anisotropy != 0.0f)
    warn("anisotropic highlights differ from Blender's, whose alphas and tangents glTF lacks");
  if (const auto specular = find_extension(source, "KHR_materials_specular"))
    read_specular_ior_level(*specular, material, warn);
  if (material.transmission == 0.0f || material.metallic == 1.0f) return;
  if (!is_solid) {
    warn(
        "without a thickness, glass is a thin pane; Blender refracts there, unless Thin Wall is "
        "on");
    return;
  }
  if (material.roughness > kRoughGlass) warn(kRoughGlassNote);
  const bool has_texture = material.textures.reflectance != kNoTexture;
  if (material.transmission == 1.0f && material.metallic == 0.0f && !has_texture)
    material.reflectance = glm::sqrt(material.reflectance);  // light crosses two surfaces
  else if (has_texture || material.reflectance != glm::vec3(1.0f))
    warn(
        "glass that is textured or mixed with other surfaces tints light by the base colour where "
        "it crosses them, by its square root in Blender");
}

}  // namespace winnow
