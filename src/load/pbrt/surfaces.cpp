// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>

#include "base/error.h"
#include "load/pbrt/convert.h"
#include "load/textures/texels.h"
#include "math/sampling.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

float alpha_of_roughness(float roughness, PbrtRoughness unit) {
  if (unit == PbrtRoughness::kAlpha) return roughness;
  if (unit == PbrtRoughness::kVersion4) return std::sqrt(std::max(roughness, 0.0f));
  // Matt Pharr, Wenzel Jakob, Greg Humphreys, "Physically Based Rendering", 3rd edition, 2016.
  const float x = std::log(std::max(roughness, 1e-3f));
  return 1.62142f + x * (0.819955f + x * (0.1734f + x * (0.0171201f + x * 0.000640711f)));
}

float roughness_of_alpha(float alpha) {
  return std::sqrt(glm::clamp(alpha, 0.0f, 1.0f));
}

template <PbrtRoughness kUnit>
glm::vec4 roughness_texel(glm::vec4 texel) {
  const float alpha = alpha_of_roughness(luminance(glm::vec3(texel)), kUnit);
  return {0.0f, roughness_of_alpha(alpha), 1.0f, 1.0f};
}

/// Name and change of the texels of a roughness, by PbrtRoughness.
constexpr std::pair<const char*, glm::vec4 (*)(glm::vec4)> kRoughnessChanges[] = {
    {"alpha", roughness_texel<PbrtRoughness::kAlpha>},
    {"roughness, 4", roughness_texel<PbrtRoughness::kVersion4>},
    {"roughness, 3", roughness_texel<PbrtRoughness::kVersion3>},
};

void ignore_layers(const PbrtObject& object) {
  object.ignore({"thickness", "g", "maxdepth", "nsamples"});
  if (object.mean("albedo", glm::vec3(0.0f)) != glm::vec3(0.0f))
    object.warn("the medium between the layers of a material is left out");
}

/// Sets the reflectance from the first of `names` that the object has; false if it has none.
bool read_first_base_color(const PbrtObject& object, std::initializer_list<const char*> names,
                           Material& material) {
  const auto* name = std::ranges::find_if(names, [&](auto* known) { return object.has(known); });
  if (name == names.end()) return false;
  read_pbrt_base_color(object, *name, 0.5f, material);
  return true;
}

Material read_diffuse(const PbrtObject& object) {
  Material material{.type = MaterialType::kDiffuse};
  read_pbrt_base_color(object, "reflectance", 0.5f, material);
  return material;
}

Material read_coated_diffuse(const PbrtObject& object) {
  Material material{.type = MaterialType::kPlastic};
  material.nonlinear = true;  // the layers reflect light to each other
  read_pbrt_base_color(object, "reflectance", 0.5f, material);
  read_pbrt_roughness(object, "", 0.0f, PbrtRoughness::kVersion4, material);
  material.anisotropy = 0.0f;
  material.ior = object.ior().ior;
  ignore_layers(object);
  return material;
}

/// Returns the metal of index 1 that pbrt uses for a reflectance.
ComplexIor metal_of_reflectance(glm::vec3 reflectance) {
  constexpr float kMost = 0.9999f;
  const glm::vec3 reflected = glm::clamp(reflectance, 0.0f, kMost);
  return {glm::vec3(1.0f), 2.0f * glm::sqrt(reflected) / glm::sqrt(1.0f - reflected)};
}

Material read_conductor(const PbrtObject& object) {
  Material material{.type = MaterialType::kConductor};
  read_pbrt_roughness(object, "", 0.0f, PbrtRoughness::kVersion4, material);
  smooth_if_pbrt_does(material, MaterialType::kMirror);
  if (!object.has("reflectance")) {
    material.reflectance = glm::vec3(1.0f);
    read_pbrt_metal(object, "", material);
    return material;
  }
  read_pbrt_base_color(object, "reflectance", 0.5f, material);
  if (material.textures.reflectance != kNoTexture) return material;
  const ComplexIor metal = metal_of_reflectance(material.reflectance);
  material.metal_n = metal.n;
  material.metal_k = metal.k;
  material.reflectance = glm::vec3(1.0f);
  return material;
}

Material read_coated_conductor(const PbrtObject& object) {
  object.warn("a coated conductor becomes a principled surface");
  Material coat;
  read_pbrt_roughness(object, "interface.", 0.0f, PbrtRoughness::kVersion4, coat);
  Material material{.type = MaterialType::kPrincipled};
  read_pbrt_roughness(object, "conductor.", 0.0f, PbrtRoughness::kVersion4, material);
  const float ior = object.ior("interface.eta").ior;  // that of the coat itself is 1.5
  ignore_layers(object);
  material.metallic = 1.0f;
  material.coat = 1.0f;
  material.coat_roughness = coat.roughness;
  // The coat is around the metal instead of air.
  if (!object.has("reflectance")) {
    read_pbrt_metal(object, "conductor.", material);
    material.reflectance = glm::clamp(
        normal_reflectance({material.metal_n / ior, material.metal_k / ior}), 0.0f, 1.0f);
    material.metal_n = material.metal_k = glm::vec3(0.0f);
    return material;
  }
  read_pbrt_base_color(object, "reflectance", 0.5f, material);
  const Textured given{material.reflectance, material.textures.reflectance};
  const auto under_coat = [&](std::span<const glm::vec3> colors) {
    const ComplexIor metal = metal_of_reflectance(colors[0]);
    return normal_reflectance({metal.n / ior, metal.k / ior});
  };
  if (given.texture == kNoTexture) {
    material.reflectance = under_coat(std::span(&given.factor, 1));
  } else if (const auto changed =
                 combine_textures(std::span(&given, 1), under_coat, object.library())) {
    material.reflectance = changed->factor;
    material.textures.reflectance = changed->texture;
  }
  return material;
}

Material read_dielectric(const PbrtObject& object) {
  const PbrtIor index = object.ior();
  Material material{.type = MaterialType::kRoughDielectric, .reflectance = glm::vec3(1.0f)};
  material.ior = index.ior;
  material.dispersion = index.dispersion;
  if (object.type == "thindielectric") {
    material.type = MaterialType::kThinDielectric;
    return material;
  }
  read_pbrt_roughness(object, "", 0.0f, PbrtRoughness::kVersion4, material);
  smooth_if_pbrt_does(material, MaterialType::kDielectric);
  if (material.ior == 1.0f) material.type = MaterialType::kDielectric;
  return material;
}

/// Returns the largest channel of a colour or of the texels of its texture.
float largest_value(const Textured& value, const TextureLibrary& library) {
  glm::vec3 most(1.0f);
  if (value.texture != kNoTexture) {
    const TextureImage& image = library.image(library.description(value.texture).image);
    most = glm::vec3(0.0f);
    for (size_t i = 0; i < texel_count(image); ++i)
      most = glm::max(most, glm::vec3(linear_texel(image, i)));
  }
  most *= value.factor;
  return std::max({most.r, most.g, most.b});
}

/// Returns a colour, or the texels of a texture, times a factor and limited to 1.
Textured scaled(const PbrtObject& object, Textured value, float factor) {
  auto limit = [](glm::vec3 color) { return glm::clamp(color, 0.0f, 1.0f); };
  value.factor *= factor;
  if (value.texture == kNoTexture) return {limit(value.factor)};
  const auto combine = [&](std::span<const glm::vec3> colors) { return limit(colors[0]); };
  if (const auto combined = combine_textures(std::span(&value, 1), combine, object.library()))
    return *combined;
  object.warn("a large texture of a surface that transmits diffusely becomes its mean");
  return {limit(object.library().mean(value))};
}

Material read_diffuse_transmission(const PbrtObject& object) {
  constexpr float kQuarter = 0.25f;
  Material material{.type = MaterialType::kPrincipled};
  material.specular = glm::vec3(0.0f);
  Textured reflected = object.textured("reflectance", glm::vec3(kQuarter)),
           transmitted = object.textured("transmittance", glm::vec3(kQuarter));
  const float scale = object.number("scale", 1.0f);
  reflected.factor *= scale;
  transmitted.factor *= scale;
  set_pbrt_diffuse_transmission(object, reflected, transmitted, material);
  return material;
}

/// Converts hair to a diffuse surface with the colour of the fibres.
/// Chiang, Bitterli, Tappan & Burley, "A Practical and Controllable Hair and Fur Model", 2016.
Material read_hair(const PbrtObject& object) {
  constexpr float kPerAbsorption = 5.888f;  // at an azimuthal roughness of 0.3
  constexpr float kDefaultEumelanin = 1.3f;
  constexpr glm::vec3 kEumelanin(0.419f, 0.697f, 1.37f), kPheomelanin(0.187f, 0.4f, 1.05f);
  object.warn("hair becomes diffuse, in its colour");
  object.ignore({"alpha", "beta_m", "beta_n", "eta"});
  Material material{.type = MaterialType::kDiffuse};
  if (read_first_base_color(object, {"reflectance", "color"}, material)) return material;
  const bool has_melanin = object.has("eumelanin") || object.has("pheomelanin");
  const float eumelanin = object.mean("eumelanin", has_melanin ? 0.0f : kDefaultEumelanin),
              pheomelanin = object.mean("pheomelanin", 0.0f);
  const glm::vec3 absorbed =
      object.mean("sigma_a", eumelanin * kEumelanin + pheomelanin * kPheomelanin);
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

/// Converts subsurface scattering to a diffuse surface of the colour after many scatterings.
Material read_subsurface(const PbrtObject& object) {
  object.warn("subsurface scattering becomes a diffuse surface below a smooth or rough boundary");
  Material material{.type = MaterialType::kPlastic};
  material.nonlinear = false;
  const bool is_old = object.has("Kr") || object.has("Kt") || object.context->is_old;
  read_pbrt_roughness(object, "", 0.0f,
                      is_old ? PbrtRoughness::kVersion3 : PbrtRoughness::kVersion4, material);
  if (is_old && !object.has("roughness") && !object.has("uroughness")) material.roughness = 0.0f;
  material.anisotropy = 0.0f;
  constexpr float kSkin = 1.33f;
  material.ior = object.ior("eta", kSkin).ior;
  object.ignore({"mfp", "scale", "Kr", "Kt"});
  if (read_first_base_color(object, {"reflectance", "Kd"}, material)) return material;
  const std::string name = object.text("name", "Wholemilk");
  std::optional<Medium> medium = find_medium(name);
  if (!medium) {
    object.warn(fmt::format("the medium {} is unknown; milk is used", in_quotes(name)));
    medium = find_medium("wholemilk");
  }
  const glm::vec3 absorption = object.mean("sigma_a", medium->absorption),
                  scattering = object.mean("sigma_s", medium->scattering);
  const float asymmetry = glm::clamp(object.number("g", 0.0f), -0.99f, 0.99f);
  material.reflectance = albedo_of_many_scatterings(
      scattering / glm::max(absorption + scattering, glm::vec3(1e-20f)), asymmetry);
  return material;
}

Material read_measured(const PbrtObject& object) {
  object.ignore({"filename", "bsdffile"});
  object.warn(fmt::format("a material of the type {} becomes a grey principled surface",
                          in_quotes(object.type)));
  return Material{.type = MaterialType::kPrincipled};
}

constexpr std::pair<std::string_view, Material (*)(const PbrtObject&)> kSurfaces[] = {
    {"diffuse", read_diffuse},
    {"coateddiffuse", read_coated_diffuse},
    {"conductor", read_conductor},
    {"coatedconductor", read_coated_conductor},
    {"dielectric", read_dielectric},
    {"thindielectric", read_dielectric},
    {"diffusetransmission", read_diffuse_transmission},
    {"hair", read_hair},
    {"subsurface", read_subsurface},
    {"kdsubsurface", read_subsurface},
    {"measured", read_measured},
    {"fourier", read_measured},
};

}  // namespace

void read_pbrt_base_color(const PbrtObject& object, std::string_view name, float fallback,
                          Material& material) {
  constexpr float kMax = 1.0f + 1e-5f;
  const Textured read = object.textured(name, glm::vec3(fallback));
  material.reflectance = glm::max(read.factor, 0.0f);
  material.textures.reflectance = read.texture;
  if (read.texture != kNoTexture) return;  // texels are limited with their factor
  if (read.factor.r > kMax || read.factor.g > kMax || read.factor.b > kMax)
    object.warn("a reflectance above 1 becomes 1");
  material.reflectance = glm::min(material.reflectance, 1.0f);
}

void set_pbrt_diffuse_transmission(const PbrtObject& object, const Textured& reflected,
                                   const Textured& transmitted, Material& material) {
  const float near = largest_value(reflected, object.library()),
              far = largest_value(transmitted, object.library());
  if (near + far > 1.0f) object.warn("a surface that scatters more light than it gets loses some");
  const float share = far > 0.0f ? far / (near + far) : 0.0f;
  if (share < 1.0f) {
    const Textured base = scaled(object, reflected, 1.0f / (1.0f - share));
    material.reflectance = base.factor;
    material.textures.reflectance = base.texture;
  }
  if (share > 0.0f) {
    const Textured behind = scaled(object, transmitted, 1.0f / share);
    material.diffuse_transmission = share;
    material.diffuse_transmission_color = behind.factor;
    material.textures.diffuse_transmission = behind.texture;
  }
}

void read_pbrt_roughness(const PbrtObject& object, const std::string& prefix, float fallback,
                         PbrtRoughness unit, Material& material) {
  const bool is_remapped =
      object.boolean("remaproughness", object.boolean(prefix + "remaproughness", true));
  if (!is_remapped) unit = PbrtRoughness::kAlpha;
  const Textured both = object.textured(prefix + "roughness", fallback);
  auto read = [&](const char* name) {
    return object.has(prefix + name) ? object.textured(prefix + name, fallback) : both;
  };
  const Textured along_u = read("uroughness"), along_v = read("vroughness");
  material.anisotropy = 0.0f;
  if (along_u.texture != kNoTexture || along_v.texture != kNoTexture) {
    if (along_u.texture != along_v.texture)
      object.warn("one texture of a roughness is used along u and v");
    const Textured& used = along_u.texture != kNoTexture ? along_u : along_v;
    const auto& [use, change] = kRoughnessChanges[size_t(unit)];
    material.textures.roughness_metallic = object.library().add_changed(used.texture, use, change);
    // The fourth root of a product is the product of the fourth roots.
    material.roughness = roughness_of_alpha(
        alpha_of_roughness(used.factor.x, is_remapped ? PbrtRoughness::kVersion4 : unit));
    return;
  }
  const float u = alpha_of_roughness(along_u.factor.x, unit),
              v = alpha_of_roughness(along_v.factor.x, unit);
  if (std::max(u, v) > 1.0f) object.warn("microfacets with an alpha above 1 get an alpha of 1");
  const bool is_anisotropic = u != v && u + v > 0.0f;
  const float least = is_anisotropic ? kMinGgxAlpha : 0.0f;
  const float limited_u = glm::clamp(u, least, 1.0f), limited_v = glm::clamp(v, least, 1.0f);
  material.roughness = std::pow(limited_u * limited_v, 0.25f);
  if (is_anisotropic) material.anisotropy = (limited_u - limited_v) / (limited_u + limited_v);
}

void smooth_if_pbrt_does(Material& material, MaterialType smooth) {
  constexpr float kSmoothAlpha = 1e-3f;
  if (material.textures.roughness_metallic == kNoTexture && material.anisotropy == 0.0f &&
      material.roughness * material.roughness < kSmoothAlpha)
    material.type = smooth;
}

void read_pbrt_metal(const PbrtObject& object, const std::string& prefix, Material& material) {
  const ComplexIor copper = *find_pbrt_metal("Cu");
  // Textures are not supported: the measured constants have none.
  auto constant = [&](const std::string& name, glm::vec3 fallback) {
    const PbrtParameter* parameter = object.find(name);
    if (!parameter || parameter->type != "texture") return object.color(name, fallback);
    object.context->warn(parameter->place, "a texture of the index of a metal is not used");
    return fallback;
  };
  const ComplexIor ior{constant(prefix + "eta", copper.n), constant(prefix + "k", copper.k)};
  material.metal_n = ior.n;
  material.metal_k = ior.k;
  if (!is_measured(material)) material.metal_n = glm::vec3(1.0f);  // reflects nothing
  material.metal_n = with_fresnel_term({material.metal_n, material.metal_k}).n;
}

std::optional<Material> read_pbrt_surface(const PbrtObject& object) {
  for (const auto& [type, read] : kSurfaces)
    if (type == object.type) return read(object);
  return read_old_pbrt_surface(object);
}

}  // namespace winnow
