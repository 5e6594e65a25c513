// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "load/obj/mtl.h"
#include "load/text/blender_notes.h"
#include "math/constants.h"
#include "scene/boundary.h"

namespace winnow {
namespace {

float mean_of(const tinyobj::real_t (&color)[3]) {
  return (color[0] + color[1] + color[2]) / 3.0f;
}

/// Returns the roughness, from Pr or from Ns = 1000 (1 - roughness)^2.
float roughness_of(const MtlMaterial& mtl, MtlNotes& notes) {
  constexpr float kSmoothNs = 1000.0f, kDefault = 0.5f;
  if (mtl.has("Pr")) return mtl_number(mtl.values.roughness, 0.0f, 1.0f, notes);
  if (!mtl.has("Ns")) return kDefault;
  return 1.0f - std::sqrt(mtl_number(mtl.values.shininess, 0.0f, kSmoothNs, notes) / kSmoothNs);
}

/// Returns the metallic weight, from Pm or from Ka, which is 1 for other surfaces, too.
float metallic_of(const MtlMaterial& mtl, MtlNotes& notes) {
  if (mtl.has("Pm")) return mtl_number(mtl.values.metallic, 0.0f, 1.0f, notes);
  const float weight = mean_of(mtl.values.ambient);
  const bool is_metal = mtl.values.illum == 3 || mtl.values.illum == 6;
  const bool is_partly_metal = mtl.values.illum == 1 && weight < 1.0f;  // without highlights
  if (!mtl.has("Ka") || !(is_metal || is_partly_metal)) return is_metal ? 1.0f : 0.0f;
  return mtl_number(weight, 0.0f, 1.0f, notes);
}

/// Returns Material::anisotropy with the ratio of alphas of Cycles, 1 / (1 - 0.9 anisotropic).
float anisotropy_of(float anisotropic) {
  return 0.9f * anisotropic / (2.0f - 0.9f * anisotropic);
}

}  // namespace

Material make_blender_material(const MtlMaterial& mtl, MtlNotes& notes) {
  constexpr int kFirstOfIorLevel = 4;  // version in which Specular became Specular IOR Level
  constexpr float kMaxLevel = 100.0f;
  constexpr float kSheenRoughness = 0.5f;    // default of the node, which MTL cannot express
  constexpr float kCoatOfPc = 0.25f;         // Pc of a full coat is 4
  constexpr float kReflectanceOfKs = 0.08f;  // in older versions
  auto warn = [&](const char* what) {
    notes.warnings.add(what, [&] { return "material " + in_quotes(mtl.values.name); });
  };

  Material material;
  material.reflectance = mtl_color(mtl.values.diffuse, 1.0f, notes);
  material.emission = mtl_color(mtl.values.emission, float(kMaxSceneValue), notes);
  material.alpha = mtl_coverage(mtl, notes);
  material.roughness = roughness_of(mtl, notes);
  material.metallic = metallic_of(mtl, notes);
  if (mtl.has("Tf"))
    material.transmission = mtl_number(mean_of(mtl.values.transmittance), 0.0f, 1.0f, notes);
  material.sheen = glm::vec3(mtl_number(mtl.values.sheen, 0.0f, 1.0f, notes));
  if (material.sheen != glm::vec3(0.0f)) material.sheen_roughness = kSheenRoughness;
  material.coat = mtl_number(kCoatOfPc * mtl.values.clearcoat_thickness, 0.0f, 1.0f, notes);
  material.coat_roughness = mtl_number(mtl.values.clearcoat_roughness, 0.0f, 1.0f, notes);
  material.anisotropy = anisotropy_of(mtl_number(mtl.values.anisotropy, 0.0f, 1.0f, notes));
  material.anisotropy_rotation = 2.0f * kPi * mtl.values.anisotropy_rotation;

  // Specular IOR Level scales the reflectance that follows from the index; 0.5 keeps it.
  const float ior = mtl.has("Ni") ? mtl_number(mtl.values.ior, kMinIor, kMaxIor, notes) : 1.5f;
  const float given_level = mtl.has("Ks")       ? mean_of(mtl.values.specular)
                            : mtl.maps.specular ? 1.0f
                                                : 0.5f;
  const float level = mtl_number(given_level, 0.0f, kMaxLevel, notes);
  if (material.transmission > 0.0f) {
    material.ior = ior;  // the level has no effect on glass
    if (material.transmission < 1.0f) material.specular = glm::vec3(std::min(2.0f * level, 1.0f));
  } else {
    const float reflectance = mtl.blender >= kFirstOfIorLevel
                                  ? 2.0f * level * reflectance_of_ior(ior)
                                  : kReflectanceOfKs * level;
    if (reflectance > 0.0f)
      material.ior = ior_of_reflectance(reflectance);
    else
      material.specular = glm::vec3(0.0f);
  }
  const bool is_plain = material.specular == glm::vec3(0.0f) && material.metallic == 0.0f &&
                        material.transmission == 0.0f && material.coat == 0.0f &&
                        material.sheen == glm::vec3(0.0f);
  material.type = is_plain ? MaterialType::kDiffuse : MaterialType::kPrincipled;

  if (material.transmission == 1.0f && material.metallic == 0.0f && !mtl.maps.color)
    material.reflectance = glm::sqrt(material.reflectance);  // light crosses two surfaces
  else if (material.transmission > 0.0f && material.metallic < 1.0f)
    warn(
        "partly transmissive surfaces tint light by Kd where it crosses them, by its square root "
        "in Blender");
  if (material.transmission > 0.0f && material.roughness > kRoughGlass) warn(kRoughGlassNote);
  if (material.anisotropy != 0.0f)
    warn("anisotropy follows the texture coordinates; Blender's default tangent does not");
  if (material.sheen != glm::vec3(0.0f))
    warn("sheen (Ps) is up to a third brighter at grazing angles than in Blender");
  if (mtl.maps.emission && !mtl.has("Ke"))
    warn("Blender does not write the strength of an emission texture; 1 is used");
  return material;
}

}  // namespace winnow
