// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>

#include "base/one_line.h"
#include "load/mitsuba/convert.h"
#include "load/mitsuba/texture.h"
#include "math/sampling.h"
#include "scene/material.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

constexpr int kFirstVersionOfMitsuba3 = 2;  // files of Mitsuba 2 and 3 have the same defaults
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

/// Sets the reflectance of `material` to the property `name`, a colour or a texture.
void read_reflectance(const MitsubaObject& bsdf, std::string_view name, glm::vec3 fallback,
                      TextureLibrary& textures, Material& material) {
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

/// Sets the microfacets of `material`: their distribution, roughness and anisotropy from "alpha" or
/// from "alpha_u" and "alpha_v", and the masking of Mitsuba.
void read_microfacets(const MitsubaObject& bsdf, Material& material) {
  constexpr float kDefaultAlpha = 0.1f;
  auto read_alpha = [&](const char* name, float fallback) {
    return glm::clamp(bsdf.number(name, fallback), kMinGgxAlpha, 1.0f);
  };
  const float alpha = read_alpha("alpha", kDefaultAlpha);
  const float u = read_alpha("alpha_u", alpha), v = read_alpha("alpha_v", alpha);
  material.roughness = std::pow(u * v, 0.25f);
  material.anisotropy = (u - v) / (u + v);
  material.masking = Masking::kSeparable;
  const std::string distribution = bsdf.text("distribution", "beckmann");
  if (distribution == "ggx") return;
  material.distribution = MicrofacetDistribution::kBeckmann;
  if (distribution != "beckmann")
    bsdf.warn(
        fmt::format("the microfacet distribution {} becomes Beckmann", in_quotes(distribution)));
}

Material read_conductor(const MitsubaObject& bsdf, TextureLibrary& textures) {
  const ComplexIor metal = read_metal(bsdf);
  Material material{.type = MaterialType::kMirror};
  read_reflectance(bsdf, "specular_reflectance", glm::vec3(1.0f), textures, material);
  material.metal_n = metal.n;
  material.metal_k = metal.k;
  if (bsdf.type() == "conductor") return material;
  material.type = MaterialType::kConductor;
  read_microfacets(bsdf, material);
  return material;
}

Material read_dielectric(const MitsubaObject& bsdf, MaterialType type, TextureLibrary& textures) {
  float ior = read_ior(bsdf, "int_ior", "bk7") / read_ior(bsdf, "ext_ior", "air");
  Material material{.type = type};
  read_reflectance(bsdf, "specular_transmittance", glm::vec3(1.0f), textures, material);
  material.specular = read_mitsuba_reflectance(bsdf, "specular_reflectance", glm::vec3(1.0f));
  if (ior < 1.0f) {
    if (type != MaterialType::kThinDielectric)  // whose two sides are the same
      bsdf.warn("a dielectric whose index is lower inside than outside is turned inside out");
    ior = 1.0f / ior;
  }
  material.ior = glm::clamp(ior, std::nextafter(1.0f, 2.0f), kMaxIor);
  if (type == MaterialType::kRoughDielectric) read_microfacets(bsdf, material);
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
  if (bsdf.type() == "roughplastic") {
    Material rough;
    read_microfacets(bsdf, rough);
    material.roughness = rough.roughness;
    material.distribution = rough.distribution;
  }
  return material;
}

Material read_principled(const MitsubaObject& bsdf, TextureLibrary& textures) {
  bsdf.warn("a principled surface becomes that of Winnow, which is similar but not identical");
  constexpr float kHalf = 0.5f, kAspect = 0.9f, kCoat = 0.25f, kMatteCoat = 0.1f,
                  kGlossyCoat = 0.001f, kMaxReflected = 0.08f;
  auto fraction = [&](const char* name, float fallback) {
    return glm::clamp(bsdf.number(name, fallback), 0.0f, 1.0f);
  };
  Material material{.type = MaterialType::kPrincipled};
  read_reflectance(bsdf, "base_color", glm::vec3(kHalf), textures, material);
  const glm::vec3 color = material.reflectance;
  material.metallic = fraction("metallic", 0.0f);
  material.transmission = fraction("spec_trans", 0.0f);
  material.reflectance = glm::mix(color, glm::sqrt(color), material.transmission);
  material.roughness = fraction("roughness", kHalf);
  const float squared_aspect = 1.0f - kAspect * fraction("anisotropic", 0.0f);
  material.anisotropy = (1.0f - squared_aspect) / (1.0f + squared_aspect);
  const float below = 1.0f - std::sqrt(kMaxReflected * fraction("specular", kHalf));
  const float ior = bsdf.number("eta", 2.0f / below - 1.0f);
  material.ior = glm::clamp(ior, std::nextafter(1.0f, 2.0f), kMaxIor);
  material.coat = kCoat * fraction("clearcoat", 0.0f);
  material.coat_roughness =
      std::sqrt(glm::mix(kMatteCoat, kGlossyCoat, fraction("clearcoat_gloss", 0.0f)));
  material.sheen =
      fraction("sheen", 0.0f) * glm::mix(glm::vec3(1.0f), color, fraction("sheen_tint", 0.0f));
  return material;
}

/// True for a BSDF that modifies another one inside of it.
bool is_wrapper(const std::string& type) {
  const char* kWrappers[] = {"twosided", "mask",         "bumpmap",   "bump",       "normalmap",
                             "coating",  "roughcoating", "blendbsdf", "mixturebsdf"};
  return std::find(std::begin(kWrappers), std::end(kWrappers), type) != std::end(kWrappers);
}

std::optional<Material> read_bsdf(const MitsubaObject& bsdf, int depth, TextureLibrary& textures);

/// Sets the opacity of the surface inside a mask.
void read_opacity(const MitsubaObject& mask, TextureLibrary& textures, Material& material) {
  constexpr float kHalf = 0.5f;
  const MitsubaTextured opacity =
      read_mitsuba_textured(mask, "opacity", glm::vec3(kHalf), textures);
  material.alpha = luminance(opacity.factor);
  if (opacity.texture != kNoTexture)
    material.textures.alpha = textures.add_luminance_as_coverage(opacity.texture);
}

/// The BSDF inside a wrapper, modified by it.
std::optional<Material> read_wrapped(const MitsubaObject& bsdf, int depth,
                                     TextureLibrary& textures) {
  const std::string type = bsdf.type();
  const std::vector<MitsubaObject> inner = bsdf.children("bsdf");
  if (inner.empty()) bsdf.fail(fmt::format("expected a <bsdf> inside a {}", type));
  std::optional<Material> material = read_bsdf(inner[0], depth + 1, textures);
  if (type == "twosided") {
    if (inner.size() > 1) bsdf.warn("both sides of a twosided surface get its first BSDF");
  } else if (type == "mask") {
    if (material) read_opacity(bsdf, textures, *material);
  } else if (type == "normalmap" && bsdf.has("normalmap")) {
    if (material)
      material->textures.normal =
          read_mitsuba_bitmap(bsdf, "normalmap", TexelMeaning::kData, textures);
  } else {
    bsdf.warn(fmt::format("a {} is ignored; the surface inside is used", type));
  }
  return material;
}

std::optional<Material> read_bsdf(const MitsubaObject& bsdf, int depth, TextureLibrary& textures) {
  constexpr int kMaxDepth = 32;
  constexpr glm::vec3 kHalf(0.5f);
  if (depth > kMaxDepth) bsdf.fail("surfaces are nested too deeply");
  std::string type = bsdf.type();
  if (is_wrapper(type)) return read_wrapped(bsdf, depth, textures);
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
  if (type == "null") return std::nullopt;
  if (type == "plastic" || type == "roughplastic") return read_plastic(bsdf, textures);
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

/// True for the shapes that may be open and bent. The others are closed, or get a black back.
bool is_mesh(const std::string& type) {
  return type == "obj" || type == "ply" || type == "cylinder";
}

}  // namespace

uint32_t MitsubaMaterials::add(const Material& material, const std::string& name) {
  scene_.materials.push_back(material);
  scene_.material_names.push_back(one_line(name));
  return uint32_t(scene_.materials.size() - 1);
}

uint32_t MitsubaMaterials::black() {
  if (!black_) black_ = add(make_diffuse(glm::vec3(0.0f)), "black");
  return *black_;
}

MitsubaTextured MitsubaMaterials::emission_of(const MitsubaObject& shape) {
  for (const MitsubaObject& emitter : shape.children("emitter")) {
    if (emitter.type() == "area")
      return read_mitsuba_textured(emitter, "radiance", glm::vec3(1.0f), textures_,
                                   read_mitsuba_color);
    emitter.warn(
        fmt::format("an emitter of the type {} on a shape is ignored", in_quotes(emitter.type())));
  }
  return {.factor = glm::vec3(0.0f)};
}

std::optional<uint32_t> MitsubaMaterials::of_shape(const MitsubaObject& shape,
                                                   const MitsubaTextured& emission,
                                                   bool v_is_left) {
  const bool emits = emission.factor != glm::vec3(0.0f);
  std::vector<MitsubaObject> bsdfs = shape.children("bsdf");
  const bool has_medium = !shape.children("medium").empty();
  if (has_medium)
    shape.warn(bsdfs.empty() ? "a boundary without a <bsdf> is left out with its medium"
                             : "the medium of a shape is left out");
  if (bsdfs.empty() && has_medium && !emits) return std::nullopt;
  if (bsdfs.empty() && !emits) {
    if (!default_) default_ = add(Material{}, "(none)");
    return *default_;
  }
  const void* node = bsdfs.empty() ? nullptr : bsdfs[0].node().internal_object();
  if (!emits)
    if (auto known = known_.find({node, v_is_left}); known != known_.end()) return known->second;

  // A light without a BSDF is black.
  std::optional<Material> material =
      bsdfs.empty() ? make_diffuse(glm::vec3(0.0f)) : read_bsdf(bsdfs[0], 0, textures_);
  const bool has_normal_map = material && material->textures.normal != kNoTexture;
  if (has_normal_map && v_is_left)
    material->textures.normal = textures_.add_with_green_inverted(material->textures.normal);
  std::string name = bsdfs.empty() ? "(none)" : bsdfs[0].id();
  if (name.empty()) name = bsdfs[0].type();
  if (emits) {
    if (!material) material = make_diffuse(glm::vec3(0.0f));
    material->emission = emission.factor;
    material->textures.emission = emission.texture;
    material->two_sided_emission = !is_mesh(shape.type());
    return add(*material, "light, " + name);
  }
  std::optional<uint32_t> id;
  if (material) id = add(*material, name);
  known_[{node, v_is_left}] = id;
  if (!has_normal_map) known_[{node, !v_is_left}] = id;
  return id;
}

}  // namespace winnow
