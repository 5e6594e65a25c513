// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "load/pbrt/convert.h"
#include "math/sampling.h"

// Materials of pbrt version 3. Matt Pharr, Wenzel Jakob, Greg Humphreys, "Physically Based
// Rendering", 3rd edition, 2016.

namespace winnow {
namespace {

constexpr float kQuarterGray = 0.25f, kHalfGray = 0.5f;

void read_roughness(const PbrtObject& object, float fallback, Material& material) {
  read_pbrt_roughness(object, "", fallback, PbrtRoughness::kVersion3, material);
}

float mean_luminance(const PbrtObject& object, const char* name, float fallback) {
  return luminance(object.mean(name, glm::vec3(fallback)));
}

/// Warns about a sum of lobes that becomes a boundary above a base.
void warn_of_principled(const PbrtObject& object) {
  object.warn(fmt::format(
      "a {} surface becomes a principled one, which is similar but not identical", object.type));
}

/// Returns microfacets of a boundary, times a colour, above a base that the caller sets.
Material read_glossy(const PbrtObject& object, const char* color, float fallback) {
  constexpr float kDefaultRoughness = 0.1f;
  Material material{.type = MaterialType::kPrincipled};
  read_roughness(object, kDefaultRoughness, material);
  const Textured specular = object.textured(color, glm::vec3(fallback));
  material.specular = glm::clamp(specular.factor, 0.0f, 1.0f);
  material.textures.specular = specular.texture;
  if (material.specular == glm::vec3(0.0f)) return {.type = MaterialType::kDiffuse};
  return material;
}

/// Returns a boundary that reflects Kr and transmits Kt.
Material read_clear(const PbrtObject& object, float fallback) {
  Material material{.type = MaterialType::kDielectric};
  read_pbrt_base_color(object, "Kt", fallback, material);
  material.specular = glm::clamp(object.mean("Kr", glm::vec3(fallback)), 0.0f, 1.0f);
  return material;
}

Material read_matte(const PbrtObject& object) {
  Material material{.type = MaterialType::kDiffuse};
  read_pbrt_base_color(object, "Kd", kHalfGray, material);
  if (object.mean("sigma", 0.0f) > 0.0f)
    object.warn("a rough diffuse surface becomes a diffuse one");
  return material;
}

Material read_plastic(const PbrtObject& object) {
  Material material = read_glossy(object, "Ks", kQuarterGray);
  read_pbrt_base_color(object, "Kd", kQuarterGray, material);
  if (material.type == MaterialType::kPrincipled) warn_of_principled(object);
  return material;
}

Material read_uber(const PbrtObject& object) {
  const float mirrored = mean_luminance(object, "Kr", 0.0f),
              transmitted = mean_luminance(object, "Kt", 0.0f),
              diffuse = mean_luminance(object, "Kd", kQuarterGray),
              shiny = mean_luminance(object, "Ks", kQuarterGray);
  auto warn_if = [&](bool is_so, const char* what) {
    if (is_so) object.warn(what);
  };
  const PbrtIor index = object.ior();
  Material material;
  if (transmitted > diffuse + shiny) {
    warn_if(diffuse + shiny > 0.0f, "an uber that mostly transmits becomes a dielectric");
    material = read_clear(object, 0.0f);
    material.ior = index.ior;
  } else {
    warn_if(transmitted > 0.0f, "the transmission of an uber that mostly reflects is left out");
    warn_if(mirrored > 0.0f && shiny > 0.0f,
            "only the stronger of the two reflections of an uber is used");
    material = mirrored > shiny ? read_glossy(object, "Kr", 0.0f)
                                : read_glossy(object, "Ks", kQuarterGray);
    if (mirrored > shiny) {
      material.roughness = material.anisotropy = 0.0f;
      material.textures.roughness_metallic = kNoTexture;
    }
    read_pbrt_base_color(object, "Kd", kQuarterGray, material);
    if (material.type == MaterialType::kPrincipled) {
      warn_of_principled(object);
      material.ior = object.ior_above_1();
    }
  }
  const Textured opacity = object.textured("opacity", glm::vec3(1.0f));
  material.alpha = std::clamp(luminance(opacity.factor), 0.0f, 1.0f);
  if (opacity.texture != kNoTexture)
    material.textures.alpha = object.library().add_luminance_as_coverage(opacity.texture);
  return material;
}

Material read_glass(const PbrtObject& object) {
  const PbrtIor index = object.ior();
  Material material = read_clear(object, 1.0f);
  object.ignore({"remaproughness"});
  const bool is_rough = object.mean("uroughness", 0.0f) != 0.0f ||
                        object.mean("vroughness", 0.0f) != 0.0f ||
                        object.mean("roughness", 0.0f) != 0.0f;
  if (is_rough) {
    material.type = MaterialType::kRoughDielectric;
    read_roughness(object, 0.0f, material);
  }
  material.ior = index.ior;
  material.dispersion = index.dispersion;
  return material;
}

Material read_mirror(const PbrtObject& object) {
  constexpr float kDefault = 0.9f;
  Material material{.type = MaterialType::kMirror};
  read_pbrt_base_color(object, "Kr", kDefault, material);
  material.metal_k = glm::vec3(1.0f);  // with index 0, it reflects the same at all angles
  return material;
}

Material read_metal(const PbrtObject& object) {
  constexpr float kDefaultRoughness = 0.01f;
  Material material{.type = MaterialType::kConductor, .reflectance = glm::vec3(1.0f)};
  read_roughness(object, kDefaultRoughness, material);
  smooth_if_pbrt_does(material, MaterialType::kMirror);
  read_pbrt_metal(object, "", material);
  return material;
}

/// Converts "substrate", a glossy coat whose reflectance at normal incidence is Ks.
Material read_substrate(const PbrtObject& object) {
  constexpr float kDefaultRoughness = 0.1f, kLeast = 1e-4f, kMost = 0.9f;
  Material material{.type = MaterialType::kPrincipled};
  warn_of_principled(object);
  read_pbrt_base_color(object, "Kd", kHalfGray, material);
  read_roughness(object, kDefaultRoughness, material);
  const Textured coat = object.textured("Ks", glm::vec3(kHalfGray));
  const float strongest = std::max({coat.factor.r, coat.factor.g, coat.factor.b});
  const float normal = std::clamp(strongest, kLeast, kMost);
  material.specular = glm::clamp(coat.factor / normal, 0.0f, 1.0f);
  material.textures.specular = coat.texture;
  material.ior = (1.0f + std::sqrt(normal)) / (1.0f - std::sqrt(normal));
  return material;
}

Material read_translucent(const PbrtObject& object) {
  const glm::vec3 reflected = object.mean("reflect", glm::vec3(kHalfGray)),
                  transmitted = object.mean("transmit", glm::vec3(kHalfGray));
  if (transmitted != glm::vec3(0.0f) && mean_luminance(object, "Ks", kQuarterGray) > 0.0f)
    object.warn("the glossy transmission of a translucent surface is left out");
  Material material = read_glossy(object, "Ks", kQuarterGray);
  material.specular *= glm::clamp(reflected, 0.0f, 1.0f);
  if (material.type == MaterialType::kDiffuse)
    material = {.type = MaterialType::kPrincipled, .specular = glm::vec3(0.0f)};
  const Textured color = object.textured("Kd", glm::vec3(kQuarterGray));
  set_pbrt_diffuse_transmission(object, {color.factor * reflected, color.texture},
                                {color.factor * transmitted, color.texture}, material);
  return material;
}

Material read_disney(const PbrtObject& object) {
  constexpr float kAspect = 0.9f, kCoat = 0.25f, kMatte = 0.1f, kGlossy = 0.001f;
  warn_of_principled(object);
  auto fraction = [&](const char* name, float fallback) {
    return std::clamp(object.mean(name, fallback), 0.0f, 1.0f);
  };
  Material material{.type = MaterialType::kPrincipled};
  material.ior = object.ior_above_1();
  read_pbrt_base_color(object, "color", kHalfGray, material);
  const glm::vec3 color = material.reflectance;
  material.transmission = fraction("spectrans", 0.0f);
  material.reflectance = glm::mix(color, glm::sqrt(color), material.transmission);
  material.metallic = fraction("metallic", 0.0f);
  // Alpha is the square of the roughness, as in Winnow.
  const Textured rough = object.textured("roughness", kHalfGray);
  material.roughness = std::clamp(object.library().mean(rough).x, 0.0f, 1.0f);
  if (rough.texture != kNoTexture)
    object.warn("the roughness of a disney surface becomes its mean");
  const float squared_aspect = 1.0f - kAspect * fraction("anisotropic", 0.0f);
  material.anisotropy = (1.0f - squared_aspect) / (1.0f + squared_aspect);
  material.coat = kCoat * fraction("clearcoat", 0.0f);
  material.coat_roughness = std::sqrt(glm::mix(kMatte, kGlossy, fraction("clearcoatgloss", 1.0f)));
  material.sheen =
      fraction("sheen", 0.0f) * glm::mix(glm::vec3(1.0f), color, fraction("sheentint", kHalfGray));
  return material;
}

constexpr std::pair<std::string_view, Material (*)(const PbrtObject&)> kOldSurfaces[] = {
    {"matte", read_matte},         {"plastic", read_plastic}, {"uber", read_uber},
    {"glass", read_glass},         {"mirror", read_mirror},   {"metal", read_metal},
    {"substrate", read_substrate}, {"disney", read_disney},   {"translucent", read_translucent},
};

}  // namespace

std::optional<Material> read_old_pbrt_surface(const PbrtObject& object) {
  for (const auto& [type, read] : kOldSurfaces)
    if (type == object.type) return read(object);
  return {};
}

}  // namespace winnow
