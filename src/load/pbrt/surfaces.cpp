// SPDX-License-Identifier: MIT
#include "load/pbrt/surfaces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>

#include "base/one_line.h"
#include "load/pbrt/color.h"
#include "math/sampling.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

constexpr float kMaxIndex = 100.0f;

float alpha_of_version_3(float roughness) {
  // Matt Pharr, Wenzel Jakob, Greg Humphreys, "Physically Based Rendering", 3rd edition, 2016.
  const float x = std::log(std::max(roughness, 1e-3f));
  return 1.62142f + x * (0.819955f + x * (0.1734f + x * (0.0171201f + x * 0.000640711f)));
}

float alpha_of_roughness(float roughness, bool is_remapped, PbrtRoughness unit) {
  if (!is_remapped) return roughness;
  return unit == PbrtRoughness::kVersion4 ? std::sqrt(std::max(roughness, 0.0f))
                                          : alpha_of_version_3(roughness);
}

float roughness_of_alpha(float alpha) {
  return std::sqrt(glm::clamp(alpha, 0.0f, 1.0f));
}

glm::vec4 roughness_texel_of_alpha(glm::vec4 texel) {
  return {0.0f, roughness_of_alpha(luminance(glm::vec3(texel))), 1.0f, 1.0f};
}
glm::vec4 roughness_texel_of_version_4(glm::vec4 texel) {
  const float roughness = luminance(glm::vec3(texel));
  return {0.0f, roughness_of_alpha(alpha_of_roughness(roughness, true, PbrtRoughness::kVersion4)),
          1.0f, 1.0f};
}
glm::vec4 roughness_texel_of_version_3(glm::vec4 texel) {
  const float roughness = luminance(glm::vec3(texel));
  return {0.0f, roughness_of_alpha(alpha_of_roughness(roughness, true, PbrtRoughness::kVersion3)),
          1.0f, 1.0f};
}

void ignore_layers(const PbrtObject& object, PbrtTextures& textures, PbrtContext& context) {
  for (const char* name : {"thickness", "g", "maxdepth", "nsamples"})
    object.parameters.ignore(name);
  if (textures.mean(textures.color(object, "albedo", glm::vec3(0.0f))) != glm::vec3(0.0f))
    context.warn(object.place, "the medium between the layers of a material is left out");
}

float valid_ior(const PbrtObject& object, float ior, PbrtContext& context) {
  if (ior < 1.0f && ior > 0.0f)
    context.warn(object.place,
                 "a dielectric whose index is lower inside than outside is turned inside out");
  if (ior < 1.0f && ior > 0.0f) ior = 1.0f / ior;
  return glm::clamp(ior, std::nextafter(1.0f, 2.0f), kMaxIndex);
}

Material read_coated_diffuse(const PbrtObject& object, PbrtTextures& textures,
                             PbrtContext& context) {
  Material material{.type = MaterialType::kPlastic};
  material.nonlinear = true;  // the layers reflect light to each other
  read_pbrt_base_color(object, "reflectance", 0.5f, textures, context, material);
  read_pbrt_roughness(object, "", 0.0f, PbrtRoughness::kVersion4, textures, context, material);
  material.anisotropy = 0.0f;
  material.ior = valid_ior(object, read_pbrt_ior(object, context).ior, context);
  ignore_layers(object, textures, context);
  return material;
}

Material read_conductor_surface(const PbrtObject& object, PbrtTextures& textures,
                                PbrtContext& context) {
  Material material{.type = MaterialType::kConductor};
  read_pbrt_roughness(object, "", 0.0f, PbrtRoughness::kVersion4, textures, context, material);
  if (is_pbrt_smooth(material)) material.type = MaterialType::kMirror;
  if (!object.parameters.has("reflectance")) {
    material.reflectance = glm::vec3(1.0f);
    read_pbrt_metal(object, "", context, material);
    return material;
  }
  read_pbrt_base_color(object, "reflectance", 0.5f, textures, context, material);
  if (material.textures.reflectance != kNoTexture) return material;
  // pbrt uses a metal of index 1 with this reflectance.
  constexpr float kMost = 0.9999f;
  const glm::vec3 reflected = glm::min(material.reflectance, glm::vec3(kMost));
  material.metal_n = glm::vec3(1.0f);
  material.metal_k = 2.0f * glm::sqrt(reflected) / glm::sqrt(1.0f - reflected);
  material.reflectance = glm::vec3(1.0f);
  return material;
}

Material read_coated_conductor(const PbrtObject& object, PbrtTextures& textures,
                               PbrtContext& context) {
  context.warn(object.place, "a coated conductor becomes a principled surface");
  Material coat;
  read_pbrt_roughness(object, "interface.", 0.0f, PbrtRoughness::kVersion4, textures, context,
                      coat);
  Material material{.type = MaterialType::kPrincipled};
  read_pbrt_roughness(object, "conductor.", 0.0f, PbrtRoughness::kVersion4, textures, context,
                      material);
  object.parameters.ignore("interface.eta");
  ignore_layers(object, textures, context);
  material.metallic = 1.0f;
  material.coat = 1.0f;
  material.coat_roughness = coat.roughness;
  if (object.parameters.has("reflectance")) {
    read_pbrt_base_color(object, "reflectance", 0.5f, textures, context, material);
  } else {
    read_pbrt_metal(object, "conductor.", context, material);
    material.reflectance =
        glm::clamp(normal_reflectance({material.metal_n, material.metal_k}), 0.0f, 1.0f);
    material.metal_n = material.metal_k = glm::vec3(0.0f);
  }
  return material;
}

Material read_dielectric_surface(const PbrtObject& object, PbrtTextures& textures,
                                 PbrtContext& context) {
  const PbrtIor read = read_pbrt_ior(object, context);
  Material material{.type = MaterialType::kRoughDielectric, .reflectance = glm::vec3(1.0f)};
  material.ior = valid_ior(object, read.ior, context);
  material.dispersion = read.dispersion;
  if (object.type == "thindielectric") {
    material.type = MaterialType::kThinDielectric;
    return material;
  }
  read_pbrt_roughness(object, "", 0.0f, PbrtRoughness::kVersion4, textures, context, material);
  if (is_pbrt_smooth(material)) material.type = MaterialType::kDielectric;
  return material;
}

Material read_diffuse_transmission(const PbrtObject& object, PbrtTextures& textures,
                                   PbrtContext& context) {
  constexpr float kQuarter = 0.25f;
  context.warn(object.place,
               "a diffuse transmission becomes diffuse: what it transmits is reflected");
  Material material{.type = MaterialType::kDiffuse};
  read_pbrt_base_color(object, "reflectance", kQuarter, textures, context, material);
  const PbrtTextured transmitted = textures.color(object, "transmittance", glm::vec3(kQuarter));
  const float scale = object.parameters.number("scale", 1.0f);
  const glm::vec3 reflected = textures.mean({material.reflectance, material.textures.reflectance});
  const glm::vec3 factor =
      1.0f + textures.mean(transmitted) / glm::max(reflected, glm::vec3(1e-3f));
  material.reflectance = glm::clamp(scale * material.reflectance * factor, 0.0f, 1.0f);
  return material;
}

/// Converts hair to a diffuse surface with the colour of the fibres.
/// Chiang, Bitterli, Tappan & Burley, "A Practical and Controllable Hair and Fur Model", 2016.
Material read_hair(const PbrtObject& object, PbrtTextures& textures, PbrtContext& context) {
  constexpr float kPerAbsorption = 5.888f;  // at an azimuthal roughness of 0.3
  constexpr float kDefaultEumelanin = 1.3f;
  constexpr glm::vec3 kEumelanin(0.419f, 0.697f, 1.37f), kPheomelanin(0.187f, 0.4f, 1.05f);
  const PbrtParameters& parameters = object.parameters;
  context.warn(object.place, "hair becomes diffuse, in its colour");
  for (const char* name : {"alpha", "beta_m", "beta_n", "eta"}) parameters.ignore(name);
  Material material{.type = MaterialType::kDiffuse};
  for (const char* name : {"reflectance", "color"})
    if (parameters.has(name)) {
      read_pbrt_base_color(object, name, 0.5f, textures, context, material);
      return material;
    }
  const bool has_melanin = parameters.has("eumelanin") || parameters.has("pheomelanin");
  const float eumelanin =
      textures.mean(textures.number(object, "eumelanin", has_melanin ? 0.0f : kDefaultEumelanin)).x;
  const float pheomelanin = textures.mean(textures.number(object, "pheomelanin", 0.0f)).x;
  const glm::vec3 melanin = eumelanin * kEumelanin + pheomelanin * kPheomelanin;
  const glm::vec3 absorbed = textures.mean(textures.color(object, "sigma_a", melanin));
  material.reflectance = glm::exp(-kPerAbsorption * glm::sqrt(glm::max(absorbed, 0.0f)));
  return material;
}

/// Returns the reflectance of an infinitely thick medium.
/// @param albedo  albedo of a single scattering
/// van de Hulst, "Multiple Light Scattering", 1980.
glm::vec3 albedo_of_many_scatterings(glm::vec3 albedo, float asymmetry) {
  const glm::vec3 s = glm::sqrt(glm::max(1.0f - albedo, 0.0f) / (1.0f - albedo * asymmetry));
  return (1.0f - s) * (1.0f - 0.139f * s) / (1.0f + 1.17f * s);
}

}  // namespace

void read_pbrt_base_color(const PbrtObject& object, std::string_view name, float fallback,
                          PbrtTextures& textures, PbrtContext& context, Material& material) {
  PbrtTextured read = textures.color(object, name, glm::vec3(fallback));
  if (read.texture != kNoTexture) read = textures.limited(read);
  material.reflectance = clamp_pbrt_reflectance(object, read.factor, context);
  material.textures.reflectance = read.texture;
}

void read_pbrt_roughness(const PbrtObject& object, const std::string& prefix, float fallback,
                         PbrtRoughness unit, PbrtTextures& textures, PbrtContext& context,
                         Material& material) {
  const PbrtParameters& parameters = object.parameters;
  const bool is_remapped =
      parameters.boolean("remaproughness", parameters.boolean(prefix + "remaproughness", true));
  const PbrtTextured both = textures.number(object, prefix + "roughness", fallback);
  auto read = [&](const char* name) {
    return parameters.has(prefix + name) ? textures.number(object, prefix + name, fallback) : both;
  };
  const PbrtTextured along_u = read("uroughness"), along_v = read("vroughness");
  const float u = alpha_of_roughness(along_u.factor.x, is_remapped, unit),
              v = alpha_of_roughness(along_v.factor.x, is_remapped, unit);
  material.roughness = std::pow(glm::clamp(u, 0.0f, 1.0f) * glm::clamp(v, 0.0f, 1.0f), 0.25f);
  material.anisotropy = 0.0f;
  if (along_u.texture != kNoTexture || along_v.texture != kNoTexture) {
    const bool is_along_u = along_u.texture != kNoTexture;
    const bool is_old = unit == PbrtRoughness::kVersion3;
    if (along_u.texture != along_v.texture)
      context.warn(object.place, "one texture of a roughness is used along u and v");
    auto* change = !is_remapped ? roughness_texel_of_alpha
                   : is_old     ? roughness_texel_of_version_3
                                : roughness_texel_of_version_4;
    const char* use = !is_remapped ? "alpha" : is_old ? "roughness, 3" : "roughness, 4";
    material.textures.roughness_metallic =
        textures.library().add_changed(is_along_u ? along_u.texture : along_v.texture, use, change);
    const float factor = is_along_u ? along_u.factor.x : along_v.factor.x;
    // The fourth root of a product is the product of the fourth roots.
    material.roughness =
        roughness_of_alpha(is_remapped ? std::sqrt(std::max(factor, 0.0f)) : factor);
    return;
  }
  if (u != v && u + v > 0.0f) {
    const float limited_u = glm::clamp(u, kMinGgxAlpha, 1.0f),
                limited_v = glm::clamp(v, kMinGgxAlpha, 1.0f);
    material.roughness = std::pow(limited_u * limited_v, 0.25f);
    material.anisotropy = (limited_u - limited_v) / (limited_u + limited_v);
  }
}

bool is_pbrt_smooth(const Material& material) {
  constexpr float kSmoothAlpha = 1e-3f;
  return material.textures.roughness_metallic == kNoTexture && material.anisotropy == 0.0f &&
         material.roughness * material.roughness < kSmoothAlpha;
}

void read_pbrt_metal(const PbrtObject& object, const std::string& prefix, PbrtContext& context,
                     Material& material) {
  const ComplexIor copper = *find_metal("Cu");
  const auto surface = PbrtSpectrumUse::kSurface;
  // Textures are not supported: the measured constants have none.
  auto constant = [&](const std::string& name, glm::vec3 fallback) {
    const PbrtParameter* parameter = object.parameters.find(name);
    if (parameter && parameter->type == "texture") {
      context.warn(parameter->place, "a texture of the index of a metal is not used");
      return fallback;
    }
    return read_pbrt_color(object, name, fallback, surface, context);
  };
  material.metal_n = constant(prefix + "eta", copper.n);
  material.metal_k = constant(prefix + "k", copper.k);
  if (!is_measured(material)) material.metal_n = glm::vec3(1.0f);  // reflects nothing
}

Material read_pbrt_subsurface(const PbrtObject& object, PbrtTextures& textures,
                              PbrtContext& context) {
  context.warn(object.place,
               "subsurface scattering becomes a diffuse surface below a smooth or rough boundary");
  const PbrtParameters& parameters = object.parameters;
  Material material{.type = MaterialType::kPlastic};
  material.nonlinear = false;
  const bool is_old = parameters.has("Kr") || parameters.has("Kt") || context.is_old;
  read_pbrt_roughness(object, "", 0.0f,
                      is_old ? PbrtRoughness::kVersion3 : PbrtRoughness::kVersion4, textures,
                      context, material);
  if (is_old && !parameters.has("roughness") && !parameters.has("uroughness"))
    material.roughness = 0.0f;
  material.anisotropy = 0.0f;
  material.ior = valid_ior(object, read_pbrt_ior(object, context).ior, context);
  for (const char* name : {"mfp", "scale", "Kr", "Kt"}) parameters.ignore(name);
  for (const char* name : {"reflectance", "Kd"})
    if (parameters.has(name)) {
      read_pbrt_base_color(object, name, 0.5f, textures, context, material);
      return material;
    }
  const std::string name = parameters.text("name", "Wholemilk");
  std::optional<Medium> medium = find_medium(name);
  if (!medium) {
    context.warn(object.place,
                 fmt::format("the medium {} is unknown; milk is used", in_quotes(name)));
    medium = find_medium("wholemilk");
  }
  const glm::vec3 absorption = textures.mean(textures.color(object, "sigma_a", medium->absorption)),
                  scattering = textures.mean(textures.color(object, "sigma_s", medium->scattering));
  const float asymmetry = glm::clamp(parameters.number("g", 0.0f), -0.99f, 0.99f);
  material.reflectance = albedo_of_many_scatterings(
      scattering / glm::max(absorption + scattering, glm::vec3(1e-20f)), asymmetry);
  return material;
}

std::optional<Material> read_pbrt_surface(const PbrtObject& object, PbrtTextures& textures,
                                          PbrtContext& context) {
  const std::string& type = object.type;
  if (type == "diffuse") {
    Material material{.type = MaterialType::kDiffuse};
    read_pbrt_base_color(object, "reflectance", 0.5f, textures, context, material);
    return material;
  }
  if (type == "coateddiffuse") return read_coated_diffuse(object, textures, context);
  if (type == "conductor") return read_conductor_surface(object, textures, context);
  if (type == "coatedconductor") return read_coated_conductor(object, textures, context);
  if (type == "dielectric" || type == "thindielectric")
    return read_dielectric_surface(object, textures, context);
  if (type == "diffusetransmission") return read_diffuse_transmission(object, textures, context);
  if (type == "hair") return read_hair(object, textures, context);
  if (type == "subsurface" || type == "kdsubsurface")
    return read_pbrt_subsurface(object, textures, context);
  if (type == "measured" || type == "fourier") {
    for (const char* name : {"filename", "bsdffile"}) object.parameters.ignore(name);
    context.warn(object.place,
                 fmt::format("a material of the type {} becomes a grey principled surface",
                             in_quotes(type)));
    return Material{.type = MaterialType::kPrincipled};
  }
  return read_old_pbrt_surface(object, textures, context);
}

}  // namespace winnow
