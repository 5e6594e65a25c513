// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "load/pbrt/color.h"
#include "load/pbrt/surfaces.h"
#include "math/sampling.h"

// Materials of pbrt version 3. Matt Pharr, Wenzel Jakob, Greg Humphreys, "Physically Based
// Rendering", 3rd edition, 2016.

namespace winnow {
namespace {

constexpr float kMaxOldIndex = 100.0f;

float strongest_channel(glm::vec3 color) {
  return std::max({color.r, color.g, color.b});
}

/// Reader of a material of version 3.
class OldSurface {
 public:
  OldSurface(const PbrtObject& object, PbrtTextures& textures, PbrtContext& context)
      : object_(object), textures_(textures), context_(context) {}

  Material matte() {
    Material material{.type = MaterialType::kDiffuse};
    base(material, "Kd", 0.5f);
    if (mean_number("sigma", 0.0f) > 0.0f)
      context_.warn(object_.place, "a rough diffuse surface becomes a diffuse one");
    return material;
  }

  Material plastic() {
    constexpr float kQuarter = 0.25f;
    Material material = glossy("Ks", kQuarter);
    base(material, "Kd", kQuarter);
    return material;
  }

  Material uber() {
    constexpr float kQuarter = 0.25f;
    const float mirrored = mean_luminance("Kr", 0.0f), transmitted = mean_luminance("Kt", 0.0f),
                diffuse = mean_luminance("Kd", kQuarter), shiny = mean_luminance("Ks", kQuarter);
    const PbrtIor index = read_pbrt_ior(object_, context_);
    Material material;
    if (transmitted > diffuse + shiny) {
      warn_if(diffuse + shiny > 0.0f, "an uber that mostly transmits becomes a dielectric");
      material = clear("Kr", "Kt", 0.0f, 0.0f);
    } else {
      warn_if(transmitted > 0.0f, "the transmission of an uber that mostly reflects is left out");
      warn_if(mirrored > 0.0f && shiny > 0.0f,
              "of the two reflections of an uber, only the stronger one is used");
      material = mirrored > shiny ? glossy("Kr", 0.0f) : glossy("Ks", kQuarter);
      if (mirrored > shiny) {
        material.roughness = material.anisotropy = 0.0f;
        material.textures.roughness_metallic = kNoTexture;
      }
      base(material, "Kd", kQuarter);
    }
    material.ior = valid(index.ior);
    const PbrtTextured opacity = textures_.color(object_, "opacity", glm::vec3(1.0f));
    material.alpha = std::clamp(luminance(opacity.factor), 0.0f, 1.0f);
    if (opacity.texture != kNoTexture)
      material.textures.alpha = textures_.library().add_luminance_as_coverage(opacity.texture);
    return material;
  }

  Material glass() {
    const PbrtIor index = read_pbrt_ior(object_, context_);
    Material material = clear("Kr", "Kt", 1.0f, 1.0f);
    material.ior = valid(index.ior);
    material.dispersion = index.dispersion;
    return material;
  }

  Material mirror() {
    constexpr float kDefault = 0.9f;
    Material material{.type = MaterialType::kMirror};
    base(material, "Kr", kDefault);
    material.metal_k = glm::vec3(1.0f);  // with index 0, it reflects the same at all angles
    return material;
  }

  Material metal() {
    constexpr float kDefaultRoughness = 0.01f;
    Material material{.type = MaterialType::kConductor, .reflectance = glm::vec3(1.0f)};
    roughness(material, kDefaultRoughness);
    if (is_pbrt_smooth(material)) material.type = MaterialType::kMirror;
    read_pbrt_metal(object_, "", context_, material);
    return material;
  }

  /// Converts "substrate", a glossy coat whose reflectance at normal incidence is Ks.
  Material substrate() {
    constexpr float kHalf = 0.5f, kDefaultRoughness = 0.1f;
    Material material{.type = MaterialType::kPrincipled};
    base(material, "Kd", kHalf);
    roughness(material, kDefaultRoughness);
    const PbrtTextured coat = textures_.color(object_, "Ks", glm::vec3(kHalf));
    constexpr float kLeast = 1e-4f, kMost = 0.9f;
    const float normal = std::clamp(strongest_channel(coat.factor), kLeast, kMost);
    material.specular = glm::clamp(coat.factor / normal, 0.0f, 1.0f);
    material.textures.specular = coat.texture;
    material.ior = valid((1.0f + std::sqrt(normal)) / (1.0f - std::sqrt(normal)));
    return material;
  }

  Material translucent() {
    constexpr float kQuarter = 0.25f, kHalf = 0.5f;
    context_.warn(object_.place,
                  "a translucent surface becomes an opaque one: what it transmits "
                  "is reflected");
    Material material = glossy("Ks", kQuarter);
    base(material, "Kd", kQuarter);
    const glm::vec3 kept = textures_.mean(textures_.color(object_, "reflect", glm::vec3(kHalf))) +
                           textures_.mean(textures_.color(object_, "transmit", glm::vec3(kHalf)));
    material.reflectance = glm::clamp(material.reflectance * kept, 0.0f, 1.0f);
    return material;
  }

  Material disney() {
    constexpr float kHalf = 0.5f, kAspect = 0.9f, kCoat = 0.25f, kMatte = 0.1f, kGlossy = 0.001f;
    context_.warn(object_.place,
                  "a disney surface becomes a principled one, which is similar but not identical");
    Material material{.type = MaterialType::kPrincipled};
    const float index = read_pbrt_ior(object_, context_).ior;
    base(material, "color", kHalf);
    const float transmission = fraction("spectrans", 0.0f);
    const glm::vec3 color = material.reflectance;
    material.transmission = transmission;
    material.reflectance = glm::mix(color, glm::sqrt(color), transmission);
    material.metallic = fraction("metallic", 0.0f);
    // Alpha is the square of the roughness, as in Winnow.
    const PbrtTextured rough = textures_.number(object_, "roughness", kHalf);
    material.roughness = std::clamp(textures_.mean(rough).x, 0.0f, 1.0f);
    warn_if(rough.texture != kNoTexture, "the roughness of a disney surface becomes its mean");
    const float squared_aspect = 1.0f - kAspect * fraction("anisotropic", 0.0f);
    material.anisotropy = (1.0f - squared_aspect) / (1.0f + squared_aspect);
    material.ior = valid(index);
    material.coat = kCoat * fraction("clearcoat", 0.0f);
    material.coat_roughness =
        std::sqrt(glm::mix(kMatte, kGlossy, fraction("clearcoatgloss", 1.0f)));
    material.sheen =
        fraction("sheen", 0.0f) * glm::mix(glm::vec3(1.0f), color, fraction("sheentint", kHalf));
    return material;
  }

 private:
  void base(Material& material, const char* name, float fallback) {
    read_pbrt_base_color(object_, name, fallback, textures_, context_, material);
  }
  void roughness(Material& material, float fallback) {
    read_pbrt_roughness(object_, "", fallback, PbrtRoughness::kVersion3, textures_, context_,
                        material);
  }
  float mean_number(const char* name, float fallback) {
    return textures_.mean(textures_.number(object_, name, fallback)).x;
  }
  float fraction(const char* name, float fallback) {
    return std::clamp(mean_number(name, fallback), 0.0f, 1.0f);
  }
  float mean_luminance(const char* name, float fallback) {
    return luminance(textures_.mean(textures_.color(object_, name, glm::vec3(fallback))));
  }
  float valid(float index) { return std::clamp(index, std::nextafter(1.0f, 2.0f), kMaxOldIndex); }
  void warn_if(bool is_so, const char* what) {
    if (is_so) context_.warn(object_.place, what);
  }

  /// Returns microfacets of a boundary, times a colour, above the base of base().
  Material glossy(const char* color, float fallback) {
    constexpr float kDefaultRoughness = 0.1f;
    Material material{.type = MaterialType::kPrincipled};
    roughness(material, kDefaultRoughness);
    const PbrtTextured specular = textures_.color(object_, color, glm::vec3(fallback));
    material.specular = glm::clamp(specular.factor, 0.0f, 1.0f);
    material.textures.specular = specular.texture;
    if (material.specular == glm::vec3(0.0f)) {
      const Material matte{.type = MaterialType::kDiffuse};
      return matte;
    }
    return material;
  }

  /// Returns a boundary that reflects and transmits.
  Material clear(const char* reflected, const char* transmitted, float reflects, float transmits) {
    Material material{.type = MaterialType::kDielectric};
    base(material, transmitted, transmits);
    material.specular = glm::clamp(
        textures_.mean(textures_.color(object_, reflected, glm::vec3(reflects))), 0.0f, 1.0f);
    if (object_.type != "glass") return material;
    const bool is_rough = object_.parameters.has("uroughness") ||
                          object_.parameters.has("vroughness") ||
                          object_.parameters.has("roughness");
    object_.parameters.ignore("remaproughness");
    if (!is_rough) return material;
    const bool is_zero = mean_number("uroughness", 0.0f) == 0.0f &&
                         mean_number("vroughness", 0.0f) == 0.0f &&
                         mean_number("roughness", 0.0f) == 0.0f;
    if (is_zero) return material;
    material.type = MaterialType::kRoughDielectric;
    roughness(material, 0.0f);
    return material;
  }

  const PbrtObject& object_;
  PbrtTextures& textures_;
  PbrtContext& context_;
};

}  // namespace

std::optional<Material> read_old_pbrt_surface(const PbrtObject& object, PbrtTextures& textures,
                                              PbrtContext& context) {
  OldSurface surface(object, textures, context);
  const std::string& type = object.type;
  if (type == "matte") return surface.matte();
  if (type == "plastic") return surface.plastic();
  if (type == "uber") return surface.uber();
  if (type == "glass") return surface.glass();
  if (type == "mirror") return surface.mirror();
  if (type == "metal") return surface.metal();
  if (type == "substrate") return surface.substrate();
  if (type == "translucent") return surface.translucent();
  if (type == "disney") return surface.disney();
  return {};
}

}  // namespace winnow
