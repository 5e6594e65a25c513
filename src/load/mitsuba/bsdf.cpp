// SPDX-License-Identifier: MIT
#include "load/mitsuba/bsdf.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/mitsuba/texture.h"
#include "load/textures/derived_textures.h"
#include "load/textures/texels.h"
#include "math/sampling.h"
#include "scene/material.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

constexpr int kFirstVersionOfMitsuba3 = 2;  // Mitsuba 2 and 3 have the same defaults
constexpr float kMaxIor = 100.0f;

float read_ior(const MitsubaObject& bsdf, std::string_view name, const char* fallback) {
  pugi::xml_node node = bsdf.find(name);
  std::string text = node ? node.attribute("value").value() : fallback;
  if (std::optional<float> known = find_ior(text)) return *known;
  float ior = bsdf.number(name, 1.0f);
  if (!(ior > 0.0f && ior <= kMaxIor))
    bsdf.document().fail(
        node, fmt::format("expected an index of refraction in (0, {}], found {}", kMaxIor, ior));
  return ior;
}

ComplexIor read_metal(const MitsubaObject& bsdf) {
  const bool is_new = bsdf.document().version() >= kFirstVersionOfMitsuba3;
  if (bsdf.has("eta") || bsdf.has("k")) {
    float outside = read_ior(bsdf, "ext_eta", is_new ? "vacuum" : "air");
    return {read_mitsuba_color(bsdf, "eta", glm::vec3(0.0f)) / outside,
            read_mitsuba_color(bsdf, "k", glm::vec3(1.0f)) / outside};
  }
  std::string name = bsdf.text("material", is_new ? "none" : "Cu");
  if (std::optional<ComplexIor> metal = find_metal(name)) return *metal;
  bsdf.warn(fmt::format("the metal {} is unknown; aluminium is used", in_quotes(name)));
  return *find_metal("Al");
}

Material make_diffuse(glm::vec3 reflectance) {
  return {.type = MaterialType::kDiffuse, .reflectance = reflectance};
}

/// Sets the reflectance of `material` to the property `name`, a colour, a texture or the colours of
/// the mesh.
void read_reflectance(const MitsubaObject& bsdf, std::string_view name, glm::vec3 fallback,
                      TextureLibrary& textures, Material& material) {
  if (const auto texture = find_mitsuba_texture(bsdf, name))
    if (const auto attribute = read_mitsuba_mesh_attribute(*texture);
        attribute &&
        (attribute->name == kMitsubaVertexColor || attribute->name == kMitsubaFaceColor)) {
      material.reflectance = glm::vec3(glm::clamp(attribute->scale, 0.0f, 1.0f));
      material.vertex_colors = true;
      return;
    }
  const MitsubaTextured read = read_mitsuba_textured(bsdf, name, fallback, textures);
  material.reflectance = read.factor;
  material.textures.reflectance = read.texture;
}

Material read_diffuse(const MitsubaObject& bsdf, std::string_view name, TextureLibrary& textures) {
  constexpr glm::vec3 kHalf(0.5f);
  Material material{.type = MaterialType::kDiffuse};
  read_reflectance(bsdf, name, kHalf, textures, material);
  return material;
}

/// Sets the microfacet distribution of `material`.
void read_distribution(const MitsubaObject& bsdf, Material& material) {
  material.masking = Masking::kSeparable;
  const std::string distribution = bsdf.text("distribution", "beckmann");
  if (distribution == "ggx") return;
  material.distribution = MicrofacetDistribution::kBeckmann;
  if (distribution != "beckmann")
    bsdf.warn(
        fmt::format("the microfacet distribution {} becomes Beckmann", in_quotes(distribution)));
}

/// Sets the microfacets of `material`: distribution, roughness and anisotropy, from "alpha" or from
/// "alpha_u" and "alpha_v", and Mitsuba's masking.
void read_microfacets(const MitsubaObject& bsdf, TextureLibrary& textures, Material& material) {
  constexpr float kDefaultAlpha = 0.1f;
  read_distribution(bsdf, material);
  const std::string name = find_mitsuba_texture(bsdf, "alpha_u") ? "alpha_u" : "alpha";
  const MitsubaTextured alpha = read_mitsuba_numbers(bsdf, name, kDefaultAlpha, textures);
  const float factor = luminance(alpha.factor);
  if (alpha.texture != kNoTexture) {
    material.roughness = std::sqrt(glm::clamp(factor, 0.0f, 1.0f));
    material.textures.roughness_metallic =
        pack_roughness_metallic(alpha.texture, kNoTexture, RoughnessUnit::kAlpha, textures);
    if (name == "alpha_u") bsdf.warn("a texture of alpha_u is used for alpha_v, too");
    return;
  }
  auto read_alpha = [&](const char* axis) {
    return glm::clamp(read_mitsuba_number(bsdf, axis, factor), kMinGgxAlpha, 1.0f);
  };
  const float u = read_alpha("alpha_u"), v = read_alpha("alpha_v");
  material.roughness = std::pow(u * v, 0.25f);
  material.anisotropy = (u - v) / (u + v);
}

Material read_conductor(const MitsubaObject& bsdf, TextureLibrary& textures) {
  const ComplexIor metal = read_metal(bsdf);
  Material material{.type = MaterialType::kMirror};
  read_reflectance(bsdf, "specular_reflectance", glm::vec3(1.0f), textures, material);
  material.metal_n = metal.n;
  material.metal_k = metal.k;
  if (bsdf.type() == "conductor") return material;
  material.type = MaterialType::kConductor;
  read_microfacets(bsdf, textures, material);
  return material;
}

Material read_dielectric(const MitsubaObject& bsdf, MaterialType type, TextureLibrary& textures) {
  float ior = read_ior(bsdf, "int_ior", "bk7") / read_ior(bsdf, "ext_ior", "air");
  Material material{.type = type};
  read_reflectance(bsdf, "specular_transmittance", glm::vec3(1.0f), textures, material);
  material.specular = read_mitsuba_reflectance(bsdf, "specular_reflectance", glm::vec3(1.0f));
  if (ior < 1.0f) {
    if (type != MaterialType::kThinDielectric)  // both sides of a thin dielectric are the same
      bsdf.warn("a dielectric whose index is lower inside than outside is turned inside out");
    ior = 1.0f / ior;
  }
  material.ior = glm::clamp(ior, std::nextafter(1.0f, 2.0f), kMaxIor);
  if (type == MaterialType::kRoughDielectric) read_microfacets(bsdf, textures, material);
  return material;
}

Material read_plastic(const MitsubaObject& bsdf, TextureLibrary& textures) {
  constexpr glm::vec3 kHalf(0.5f);
  Material material{.type = MaterialType::kPlastic};
  // Some exporters write "reflectance" here.
  const bool has_plain_name = bsdf.has("reflectance") && !bsdf.has("diffuse_reflectance");
  read_reflectance(bsdf, has_plain_name ? "reflectance" : "diffuse_reflectance", kHalf, textures,
                   material);
  material.specular = read_mitsuba_reflectance(bsdf, "specular_reflectance", glm::vec3(1.0f));
  const float ior = read_ior(bsdf, "int_ior", "polypropylene") / read_ior(bsdf, "ext_ior", "air");
  if (ior < 1.0f)
    bsdf.warn("plastic whose index is lower than that outside loses its specular reflection");
  material.ior = glm::clamp(ior, std::nextafter(1.0f, 2.0f), kMaxIor);
  material.nonlinear = bsdf.boolean("nonlinear", false);
  material.roughness = 0.0f;
  if (bsdf.type() == "plastic") return material;
  read_microfacets(bsdf, textures, material);
  material.masking = Masking::kCorrelated;  // plastic has a fixed masking
  material.anisotropy = 0.0f;
  return material;
}

/// Sets roughness and metallic of a principled surface, numbers or textures.
void read_roughness_and_metallic(const MitsubaObject& bsdf, TextureLibrary& textures,
                                 Material& material) {
  constexpr float kHalf = 0.5f;
  const MitsubaTextured roughness = read_mitsuba_numbers(bsdf, "roughness", kHalf, textures);
  const MitsubaTextured metallic = read_mitsuba_numbers(bsdf, "metallic", 0.0f, textures);
  material.roughness = glm::clamp(luminance(roughness.factor), 0.0f, 1.0f);
  material.metallic = glm::clamp(luminance(metallic.factor), 0.0f, 1.0f);
  if (roughness.texture != kNoTexture || metallic.texture != kNoTexture)
    material.textures.roughness_metallic = pack_roughness_metallic(
        roughness.texture, metallic.texture, RoughnessUnit::kRoughness, textures);
}

/// Sets transmission and clear coat of a principled surface, numbers or textures.
/// @return  the mean transmission
float read_transmission_and_coat(const MitsubaObject& bsdf, TextureLibrary& textures,
                                 Material& material) {
  constexpr float kCoat = 0.25f;
  const MitsubaTextured transmission = read_mitsuba_numbers(bsdf, "spec_trans", 0.0f, textures);
  const MitsubaTextured coat = read_mitsuba_numbers(bsdf, "clearcoat", 0.0f, textures);
  material.transmission = glm::clamp(luminance(transmission.factor), 0.0f, 1.0f);
  material.coat = kCoat * glm::clamp(luminance(coat.factor), 0.0f, 1.0f);
  float mean = material.transmission;
  if (const uint32_t texture = transmission.texture; texture != kNoTexture) {
    mean *= luminance(glm::vec3(mean_texel(textures.image(textures.description(texture).image))));
    material.textures.transmission = textures.add_luminance_as_coverage(texture);
  }
  if (coat.texture != kNoTexture)
    material.textures.coat = textures.add_changed(
        coat.texture, "luminance as the weight of a coat",
        [](glm::vec4 texel) { return glm::vec4(luminance(glm::vec3(texel)), 1.0f, 1.0f, 1.0f); });
  return mean;
}

Material read_principled(const MitsubaObject& bsdf, TextureLibrary& textures) {
  bsdf.warn("a principled surface becomes that of Winnow, which is similar but not identical");
  constexpr float kHalf = 0.5f, kAspect = 0.9f, kMatteCoat = 0.1f, kGlossyCoat = 0.001f,
                  kMaxReflected = 0.08f;
  auto fraction = [&](const char* name, float fallback) {
    return glm::clamp(read_mitsuba_number(bsdf, name, fallback), 0.0f, 1.0f);
  };
  Material material{.type = MaterialType::kPrincipled};
  read_reflectance(bsdf, "base_color", glm::vec3(kHalf), textures, material);
  const glm::vec3 color = material.reflectance;
  const float transmission = read_transmission_and_coat(bsdf, textures, material);
  material.reflectance = glm::mix(color, glm::sqrt(color), transmission);
  read_roughness_and_metallic(bsdf, textures, material);
  const float squared_aspect = 1.0f - kAspect * fraction("anisotropic", 0.0f);
  material.anisotropy = (1.0f - squared_aspect) / (1.0f + squared_aspect);
  const float below = 1.0f - std::sqrt(kMaxReflected * fraction("specular", kHalf));
  const float ior = bsdf.number("eta", 2.0f / below - 1.0f);
  material.ior = glm::clamp(ior, std::nextafter(1.0f, 2.0f), kMaxIor);
  material.coat_roughness =
      std::sqrt(glm::mix(kMatteCoat, kGlossyCoat, fraction("clearcoat_gloss", 0.0f)));
  material.sheen =
      fraction("sheen", 0.0f) * glm::mix(glm::vec3(1.0f), color, fraction("sheen_tint", 0.0f));
  return material;
}

/// Converts a BSDF that contains no other.
Material read_leaf(const MitsubaObject& bsdf, TextureLibrary& textures) {
  constexpr glm::vec3 kHalf(0.5f);
  const std::string type = bsdf.type();
  if (type == "diffuse" || type == "lambertian" || type == "roughdiffuse") {
    if (type == "roughdiffuse") bsdf.warn("a rough diffuse surface becomes a diffuse one");
    return read_diffuse(bsdf, "reflectance", textures);
  }
  if (type == "conductor" || type == "roughconductor") return read_conductor(bsdf, textures);
  if (type == "dielectric") return read_dielectric(bsdf, MaterialType::kDielectric, textures);
  if (type == "roughdielectric")
    return read_dielectric(bsdf, MaterialType::kRoughDielectric, textures);
  if (type == "thindielectric")
    return read_dielectric(bsdf, MaterialType::kThinDielectric, textures);
  if (type == "pplastic") bsdf.warn("a pplastic becomes a roughplastic, without polarisation");
  if (type == "plastic" || type == "roughplastic" || type == "pplastic")
    return read_plastic(bsdf, textures);
  if (type == "phong" || type == "ward") {
    bsdf.warn(fmt::format(
        "a surface of the type {} becomes diffuse: its specular reflection is lost", type));
    const bool has_plain_name = bsdf.has("reflectance") && !bsdf.has("diffuse_reflectance");
    return read_diffuse(bsdf, has_plain_name ? "reflectance" : "diffuse_reflectance", textures);
  }
  if (type == "principled" || type == "principledthin") return read_principled(bsdf, textures);
  bsdf.warn(fmt::format("a surface of the type {} becomes diffuse with reflectance 0.5",
                        in_quotes(type)));
  return make_diffuse(kHalf);
}

/// Returns a filter that passes light of one polarisation: half of unpolarised light.
MitsubaBsdf make_polarizer() {
  constexpr float kHalf = 0.5f;
  MitsubaBsdf filter{.material = make_diffuse(glm::vec3(0.0f))};
  filter.material.alpha = kHalf;
  return filter;
}

}  // namespace

std::optional<MitsubaBsdf> read_mitsuba_bsdf(const MitsubaObject& bsdf, int depth,
                                             TextureLibrary& textures) {
  if (depth > kMaxSurfaceDepth) bsdf.fail("surfaces are nested too deeply");
  const std::string type = bsdf.type();
  if (is_mitsuba_wrapper(type)) return read_mitsuba_wrapper(bsdf, depth, textures);
  if (type == "null") return std::nullopt;
  if (type == "retarder") return std::nullopt;  // it changes only the polarisation
  if (type == "polarizer" || type == "circular") {
    bsdf.warn(fmt::format("a {} becomes a grey filter: light has no polarisation here", type));
    return make_polarizer();
  }
  return MitsubaBsdf{.material = read_leaf(bsdf, textures)};
}

}  // namespace winnow
