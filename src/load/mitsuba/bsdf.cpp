// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/exponential.hpp>
#include <glm/vec2.hpp>

#include "base/error.h"
#include "base/limits.h"
#include "load/mitsuba/convert.h"
#include "math/sampling.h"
#include "scene/boundary.h"
#include "scene/mix_materials.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

constexpr int kFirstVersionOfMitsuba3 = 2;  // Mitsuba 2 and 3 have the same defaults
constexpr float kHalf = 0.5f;

float read_ior(const MitsubaObject& bsdf, std::string_view name, const char* fallback) {
  pugi::xml_node node = bsdf.find(name);
  std::string text = node ? node.attribute("value").value() : fallback;
  if (std::optional<float> known = find_ior(text)) return *known;
  float ior = bsdf.number(name, 1.0f);
  if (!(ior > 0.0f && ior <= kInfiniteIor))
    bsdf.document().fail(node, fmt::format("expected an index of refraction in (0, {}], found {}",
                                           kInfiniteIor, ior));
  return ior;
}

/// Returns the index of refraction inside over the one outside.
float read_relative_ior(const MitsubaObject& bsdf, const char* inside) {
  const float ior = read_ior(bsdf, "int_ior", inside) / read_ior(bsdf, "ext_ior", "air");
  if (!(ior >= kMinIor && ior <= kMaxIor))
    bsdf.warn(fmt::format("a ratio of indices of refraction outside {} to {} is limited", kMinIor,
                          kMaxIor));
  return glm::clamp(ior, kMinIor, kMaxIor);
}

ComplexIor read_metal(const MitsubaObject& bsdf) {
  const bool is_new = bsdf.document().version() >= kFirstVersionOfMitsuba3;
  if (bsdf.has("eta") || bsdf.has("k")) {
    float outside = read_ior(bsdf, "ext_eta", is_new ? "vacuum" : "air");
    return with_fresnel_term(
        {bsdf.color("eta", glm::vec3(0.0f)) / outside, bsdf.color("k", glm::vec3(1.0f)) / outside});
  }
  std::string name = bsdf.text("material", is_new ? "none" : "Cu");
  if (std::optional<ComplexIor> metal = find_metal(name)) return *metal;
  bsdf.warn(fmt::format("the metal {} is unknown; aluminium is used", in_quotes(name)));
  return *find_metal("Al");
}

/// Sets the reflectance to the property `name`: a colour, a texture or the colours of the mesh.
void read_reflectance(const MitsubaObject& bsdf, std::string_view name, glm::vec3 fallback,
                      Material& material) {
  const std::optional<MitsubaObject> texture = bsdf.texture(name);
  const auto attribute = texture ? read_mitsuba_mesh_attribute(*texture) : std::nullopt;
  if (attribute &&
      (attribute->name == kMitsubaVertexColor || attribute->name == kMitsubaFaceColor)) {
    material.reflectance = glm::vec3(glm::clamp(attribute->scale, 0.0f, 1.0f));
    material.vertex_colors = true;
    return;
  }
  const Textured read = bsdf.textured(name, fallback);
  material.reflectance = read.factor;
  material.textures.reflectance = read.texture;
}

/// Returns the name of the diffuse reflectance. Some exporters write "reflectance".
const char* diffuse_name(const MitsubaObject& bsdf) {
  const bool has_plain_name = bsdf.has("reflectance") && !bsdf.has("diffuse_reflectance");
  return has_plain_name ? "reflectance" : "diffuse_reflectance";
}

Material read_diffuse(const MitsubaObject& bsdf) {
  Material material{.type = MaterialType::kDiffuse};
  if (bsdf.type() == "roughdiffuse") bsdf.warn("a rough diffuse surface becomes a diffuse one");
  read_reflectance(bsdf, "reflectance", glm::vec3(kHalf), material);
  return material;
}

Material read_diffuse_part(const MitsubaObject& bsdf) {
  bsdf.warn(fmt::format("a surface of the type {} becomes diffuse: its specular reflection is lost",
                        bsdf.type()));
  Material material{.type = MaterialType::kDiffuse};
  read_reflectance(bsdf, diffuse_name(bsdf), glm::vec3(kHalf), material);
  return material;
}

void warn_of_steep_microfacets(const MitsubaObject& bsdf, float alpha) {
  if (alpha > 1.0f) bsdf.warn("microfacets with an alpha above 1 get an alpha of 1");
}

/// Sets the microfacets of `material`: distribution, roughness and anisotropy, from "alpha" or from
/// "alpha_u" and "alpha_v", and Mitsuba's masking.
void read_microfacets(const MitsubaObject& bsdf, Material& material) {
  constexpr float kDefaultAlpha = 0.1f;
  const std::string distribution = bsdf.text("distribution", "beckmann");
  material.masking = Masking::kSeparable;
  if (distribution != "ggx") material.distribution = MicrofacetDistribution::kBeckmann;
  if (distribution != "ggx" && distribution != "beckmann")
    bsdf.warn(
        fmt::format("the microfacet distribution {} becomes Beckmann", in_quotes(distribution)));
  const std::string name = bsdf.texture("alpha_u") ? "alpha_u" : "alpha";
  const Textured alpha = bsdf.textured(name, kDefaultAlpha);
  const float factor = luminance(alpha.factor);
  if (alpha.texture != kNoTexture) {
    material.roughness = std::sqrt(glm::clamp(factor, 0.0f, 1.0f));
    material.textures.roughness_metallic =
        pack_roughness_metallic(alpha.texture, kNoTexture, RoughnessUnit::kAlpha, bsdf.library());
    if (name == "alpha_u") bsdf.warn("a texture of alpha_u is used for alpha_v, too");
    return;
  }
  const glm::vec2 given(bsdf.mean("alpha_u", factor), bsdf.mean("alpha_v", factor));
  warn_of_steep_microfacets(bsdf, std::max(given.x, given.y));
  const float u = glm::clamp(given.x, kMinGgxAlpha, 1.0f),
              v = glm::clamp(given.y, kMinGgxAlpha, 1.0f);
  material.roughness = std::pow(u * v, 0.25f);
  material.anisotropy = (u - v) / (u + v);
}

Material read_conductor(const MitsubaObject& bsdf) {
  const ComplexIor metal = read_metal(bsdf);
  Material material{.type = MaterialType::kMirror};
  read_reflectance(bsdf, "specular_reflectance", glm::vec3(1.0f), material);
  material.metal_n = metal.n;
  material.metal_k = metal.k;
  if (bsdf.type() == "conductor") return material;
  material.type = MaterialType::kConductor;
  read_microfacets(bsdf, material);
  return material;
}

Material read_dielectric(const MitsubaObject& bsdf) {
  const bool is_thin = bsdf.type() == "thindielectric", is_rough = bsdf.type() == "roughdielectric";
  Material material{.type = is_thin    ? MaterialType::kThinDielectric
                            : is_rough ? MaterialType::kRoughDielectric
                                       : MaterialType::kDielectric};
  read_reflectance(bsdf, "specular_transmittance", glm::vec3(1.0f), material);
  material.specular = bsdf.reflectance("specular_reflectance", glm::vec3(1.0f));
  material.ior = read_relative_ior(bsdf, "bk7");
  if (is_rough) read_microfacets(bsdf, material);
  return material;
}

Material read_plastic(const MitsubaObject& bsdf) {
  if (bsdf.type() == "pplastic")
    bsdf.warn("a pplastic becomes a roughplastic, without polarisation");
  Material material{.type = MaterialType::kPlastic};
  read_reflectance(bsdf, diffuse_name(bsdf), glm::vec3(kHalf), material);
  material.specular = bsdf.reflectance("specular_reflectance", glm::vec3(1.0f));
  material.ior = read_relative_ior(bsdf, "polypropylene");
  material.nonlinear = bsdf.boolean("nonlinear", false);
  material.roughness = 0.0f;
  if (bsdf.type() == "plastic") return material;
  read_microfacets(bsdf, material);
  material.masking = Masking::kCorrelated;  // plastic has a fixed masking
  material.anisotropy = 0.0f;
  constexpr float kHighIndex = 1.52f, kRough = 0.55f;
  if (material.ior > kHighIndex && material.roughness < kRough && !material.nonlinear)
    bsdf.warn(
        "the base of a roughplastic of a high index is 2 to 7 % brighter than in Mitsuba, whose "
        "mean of internal reflections is short by 1/64");
  return material;
}

/// Returns a number of a principled BSDF, or the mean of its texture.
float read_fraction(const MitsubaObject& bsdf, const char* name, float fallback) {
  return glm::clamp(bsdf.mean(name, fallback), 0.0f, 1.0f);
}

/// Sets the roughness, anisotropy and metallic.
void read_principled_facets(const MitsubaObject& bsdf, Material& material) {
  constexpr float kAspect = 0.9f;
  const Textured roughness = bsdf.textured("roughness", kHalf);
  const Textured metallic = bsdf.textured("metallic", 0.0f);
  material.roughness = glm::clamp(luminance(roughness.factor), 0.0f, 1.0f);
  material.metallic = glm::clamp(luminance(metallic.factor), 0.0f, 1.0f);
  if (roughness.texture != kNoTexture || metallic.texture != kNoTexture)
    material.textures.roughness_metallic = pack_roughness_metallic(
        roughness.texture, metallic.texture, RoughnessUnit::kRoughness, bsdf.library());
  const float squared_aspect = 1.0f - kAspect * read_fraction(bsdf, "anisotropic", 0.0f);
  material.anisotropy = (1.0f - squared_aspect) / (1.0f + squared_aspect);
  if (roughness.texture == kNoTexture)
    warn_of_steep_microfacets(bsdf,
                              material.roughness * material.roughness / std::sqrt(squared_aspect));
}

void read_transmission_and_coat(const MitsubaObject& bsdf, Material& material) {
  constexpr float kCoat = 0.25f;
  const Textured transmission = bsdf.textured("spec_trans", 0.0f);
  const Textured coat = bsdf.textured("clearcoat", 0.0f);
  material.transmission = glm::clamp(luminance(transmission.factor), 0.0f, 1.0f);
  material.coat = kCoat * glm::clamp(luminance(coat.factor), 0.0f, 1.0f);
  if (const uint32_t texture = transmission.texture; texture != kNoTexture)
    material.textures.transmission = bsdf.library().add_luminance_as_coverage(texture);
  if (coat.texture != kNoTexture)
    material.textures.coat = bsdf.library().add_changed(
        coat.texture, "luminance as the weight of a coat",
        [](glm::vec4 texel) { return glm::vec4(luminance(glm::vec3(texel)), 1.0f, 1.0f, 1.0f); });
}

/// Sets what a principledthin has besides the parameters of a principled BSDF.
void read_sheet(const MitsubaObject& bsdf, Material& material) {
  constexpr float kMost = 2.0f;  // all diffuse light leaves on the far side
  material.thin = true;
  material.diffuse_transmission = glm::clamp(bsdf.mean("diff_trans", 0.0f) / kMost, 0.0f, 1.0f);
  if (material.diffuse_transmission > 0.0f) {
    material.diffuse_transmission_color = material.reflectance;
    const Textured color{glm::vec3(1.0f), material.textures.reflectance};
    const auto keep = [](std::span<const glm::vec3> colors) { return colors[0]; };
    if (const auto opaque = combine_textures(std::span(&color, 1), keep, bsdf.library()))
      material.textures.diffuse_transmission = opaque->texture;
  }
}

/// Returns the colour of the luminance 1 that has the hue of `color`; white for black.
glm::vec3 hue_of(glm::vec3 color) {
  const float brightness = luminance(color);
  return brightness > 0.0f ? color / brightness : glm::vec3(1.0f);
}

/// Sets the sheen and the tint of reflection, which may have the hue of the base colour.
void read_tints(const MitsubaObject& bsdf, Material& material) {
  const float sheen = read_fraction(bsdf, "sheen", 0.0f),
              sheen_tint = sheen > 0.0f ? read_fraction(bsdf, "sheen_tint", 0.0f) : 0.0f,
              specular_tint = read_fraction(bsdf, "spec_tint", 0.0f);
  if (sheen_tint > 0.0f || specular_tint > 0.0f) {
    if (material.vertex_colors)
      bsdf.warn("sheen_tint and spec_tint are ignored where base_color is that of vertices");
    else if (material.textures.reflectance != kNoTexture)
      bsdf.warn("the tint of a textured base_color is that of its mean");
  }
  const glm::vec3 hue =
      hue_of(bsdf.library().mean({material.reflectance, material.textures.reflectance}));
  material.sheen = glm::min(sheen * glm::mix(glm::vec3(1.0f), hue, sheen_tint), 1.0f);
  material.specular_tint = glm::mix(glm::vec3(1.0f), hue, specular_tint);
}

Material read_principled(const MitsubaObject& bsdf) {
  constexpr float kMatteCoat = 0.1f, kGlossyCoat = 0.001f, kMaxReflected = 0.08f;
  Material material{.type = MaterialType::kPrincipled};
  read_reflectance(bsdf, "base_color", glm::vec3(kHalf), material);
  read_tints(bsdf, material);
  read_transmission_and_coat(bsdf, material);
  material.masking = Masking::kSeparable;
  if (bsdf.type() == "principledthin") read_sheet(bsdf, material);
  read_principled_facets(bsdf, material);
  if (material.thin && material.transmission > 0.0f && material.roughness > 0.0f)
    bsdf.warn("what is seen through a rough principledthin is blurred more than in Mitsuba");
  const float below = 1.0f - std::sqrt(kMaxReflected * read_fraction(bsdf, "specular", kHalf));
  const float ior = bsdf.number("eta", 2.0f / below - 1.0f);
  if (!(ior >= 1.0f && ior <= kMaxIor))
    bsdf.warn(fmt::format("an eta of a principled surface outside 1 to {} is limited", kMaxIor));
  material.ior = glm::clamp(ior, std::nextafter(1.0f, 2.0f), kMaxIor);
  material.coat_roughness =
      std::sqrt(glm::mix(kMatteCoat, kGlossyCoat, read_fraction(bsdf, "clearcoat_gloss", 0.0f)));
  return material;
}

/// Returns a filter that passes light of one polarisation: half of unpolarised light.
Material read_polarizer(const MitsubaObject& bsdf) {
  bsdf.warn(fmt::format("a {} becomes a grey filter: light has no polarisation here", bsdf.type()));
  Material filter{.type = MaterialType::kDiffuse, .reflectance = glm::vec3(0.0f)};
  filter.alpha = kHalf;
  return filter;
}

/// Readers of BSDFs that contain no other, by type.
constexpr std::pair<std::string_view, Material (*)(const MitsubaObject&)> kLeaves[] = {
    {"diffuse", read_diffuse},
    {"lambertian", read_diffuse},
    {"roughdiffuse", read_diffuse},
    {"conductor", read_conductor},
    {"roughconductor", read_conductor},
    {"dielectric", read_dielectric},
    {"roughdielectric", read_dielectric},
    {"thindielectric", read_dielectric},
    {"plastic", read_plastic},
    {"roughplastic", read_plastic},
    {"pplastic", read_plastic},
    {"phong", read_diffuse_part},
    {"ward", read_diffuse_part},
    {"principled", read_principled},
    {"principledthin", read_principled},
    {"polarizer", read_polarizer},
    {"circular", read_polarizer},
};

void read_opacity(const MitsubaObject& mask, Material& material) {
  if (!multiply_coverage(mask.textured("opacity", kHalf), material, mask.library()))
    mask.warn(
        "two nested masks are large or have different UV transforms: the outer one becomes its "
        "mean");
}

/// Finds the texture of a normal or bump map: the one of that name, or else any other.
std::optional<MitsubaObject> find_map(const MitsubaObject& bsdf, std::string_view name) {
  if (auto named = bsdf.texture(name)) return named;
  const std::vector<MitsubaObject> maps = bsdf.textures();
  return maps.empty() ? std::nullopt : std::optional(maps[0]);
}

/// Reads what becomes of the normals of a normal or bump map at grazing angles. Mitsuba has had
/// these switches since version 3.7.
NormalMapping read_normal_mapping(const MitsubaObject& bsdf) {
  if (bsdf.document().version() < kFirstVersionOfMitsuba3) return NormalMapping::kFlipped;
  if (!bsdf.boolean("flip_invalid_normals", true))
    bsdf.warn("flip_invalid_normals is taken as true: mapped normals face the viewer");
  return bsdf.boolean("use_shadowing_function", true) ? NormalMapping::kShadowed
                                                      : NormalMapping::kFlipped;
}

void read_normal_map(const MitsubaObject& bsdf, Material& material) {
  std::optional<MitsubaObject> map = find_map(bsdf, "normalmap");
  if (!map && bsdf.has("filename")) map = bsdf;  // some exporters name the file here
  if (!map || (map->is_texture() && map->type() != "bitmap"))
    return bsdf.warn("a normalmap without a bitmap is ignored; the surface inside is used");
  // Since version 2, bytes are sRGB unless the texture is raw.
  const bool is_new = bsdf.document().version() >= kFirstVersionOfMitsuba3;
  material.textures.normal =
      read_mitsuba_bitmap(*map, is_new ? TexelMeaning::kColor : TexelMeaning::kData);
  material.normal_mapping = read_normal_mapping(bsdf);
}

void read_bump_map(const MitsubaObject& bsdf, MitsubaBsdf& to) {
  const std::optional<MitsubaObject> map = find_map(bsdf, "texture");
  std::optional<Textured> heights;
  if (map) heights = read_mitsuba_image(*map, true);
  if (!heights || heights->texture == kNoTexture)
    return bsdf.warn(
        fmt::format("a {} without a bitmap is ignored; the surface inside is used", bsdf.type()));
  to.heights = heights->texture;
  to.height_scale = luminance(heights->factor) * bsdf.number("scale", 1.0f);
  to.material.normal_mapping = read_normal_mapping(bsdf);
}

/// Index of the heaviest surface of a blendbsdf or mixturebsdf, and the weight of the last of two.
struct BlendWeights {
  size_t heaviest = 0;
  float last = 0.0f;
};

BlendWeights read_blend_weights(const MitsubaObject& bsdf, size_t count) {
  if (bsdf.type() == "blendbsdf") {
    const float weight = glm::clamp(bsdf.mean("weight", kHalf), 0.0f, 1.0f);
    return {count > 1 && weight > kHalf ? size_t{1} : 0, weight};
  }
  std::vector<float> weights = bsdf.numbers_of(bsdf.text("weights"));
  weights.resize(count, weights.empty() ? 1.0f : 0.0f);
  const size_t heaviest = size_t(std::ranges::max_element(weights) - weights.begin());
  float sum = 0.0f;
  for (float weight : weights) sum += weight;
  return {heaviest, sum > 0.0f ? glm::clamp(weights.back() / sum, 0.0f, 1.0f) : 0.0f};
}

/// Returns the exact or approximate mixture of two surfaces, either of which may be missing;
/// nothing if Winnow has no such surface.
/// @param weight  weight of `b`; `a` has the rest
std::optional<MitsubaBsdf> blend_two(const MitsubaObject& bsdf, const std::optional<MitsubaBsdf>& a,
                                     const std::optional<MitsubaBsdf>& b, float weight) {
  if (!a && !b) return {};
  if (!a || !b) {  // the rest of the light passes
    MitsubaBsdf only = a ? *a : *b;
    only.material.alpha *= a ? 1.0f - weight : weight;
    return only;
  }
  if (a->heights != kNoTexture || b->heights != kNoTexture) return {};
  const std::optional<Material> mixed = mix_materials(a->material, b->material, weight);
  if (!mixed) return {};
  if (mixed->type == MaterialType::kPrincipled)
    bsdf.warn("a blend of a diffuse surface and a metal becomes a principled one");
  if (a->material.black_back != b->material.black_back)
    bsdf.warn("a blend of a surface of one side and one of two sides has two sides");
  MitsubaBsdf both{.material = *mixed};
  both.material.black_back = a->material.black_back && b->material.black_back;
  return both;
}

std::optional<MitsubaBsdf> read_blend(const MitsubaObject& bsdf,
                                      const std::vector<MitsubaObject>& inner, int depth) {
  if (depth > kMaxMixDepth) bsdf.fail("blends of surfaces are nested too deeply");
  auto read = [&](size_t i) { return read_mitsuba_bsdf(inner[i], depth + 1); };
  const BlendWeights weights = read_blend_weights(bsdf, inner.size());
  const bool is_one = weights.last == 0.0f || weights.last == 1.0f;
  if (inner.size() == 1 || (inner.size() == 2 && is_one)) return read(weights.heaviest);
  std::optional<MitsubaBsdf> heaviest;
  if (inner.size() == 2) {
    const std::optional<MitsubaBsdf> a = read(0), b = read(1);
    if (auto both = blend_two(bsdf, a, b, weights.last)) return both;
    heaviest = weights.heaviest == 0 ? a : b;
  } else {
    heaviest = read(weights.heaviest);
  }
  bsdf.warn(fmt::format("a {} becomes its heaviest surface, of the type {}", bsdf.type(),
                        in_quotes(inner[weights.heaviest].type())));
  return heaviest;
}

/// True for a BSDF without others inside whose back is black in Mitsuba, unlike its front.
bool has_one_side(const Material& leaf) {
  return !is_transmissive(leaf) && !leaf.thin;
}

/// True for a BSDF that modifies others inside of it.
bool is_wrapper(const std::string& type) {
  constexpr const char* kWrappers[] = {"twosided",     "mask",      "bumpmap",
                                       "bump",         "normalmap", "coating",
                                       "roughcoating", "blendbsdf", "mixturebsdf"};
  return std::ranges::find(kWrappers, type) != std::end(kWrappers);
}

/// Reads the BSDF inside of one for which is_wrapper() is true, and modifies it.
std::optional<MitsubaBsdf> read_wrapper(const MitsubaObject& bsdf, int depth) {
  const std::string type = bsdf.type();
  const std::vector<MitsubaObject> inner = bsdf.children("bsdf");
  if (inner.empty()) bsdf.fail(fmt::format("expected a <bsdf> inside a {}", type));
  if (type == "blendbsdf" || type == "mixturebsdf") return read_blend(bsdf, inner, depth);
  std::optional<MitsubaBsdf> read = read_mitsuba_bsdf(inner[0], depth + 1);
  if (type == "twosided") {
    if (inner.size() > 1) bsdf.warn("both sides of a twosided surface get its first BSDF");
    if (read) read->material.black_back = false;
  } else if (type == "mask") {
    if (read) read_opacity(bsdf, read->material);
  } else if (type == "normalmap") {
    if (read) read_normal_map(bsdf, read->material);
  } else if (type == "bumpmap" || type == "bump") {
    if (read) read_bump_map(bsdf, *read);
  } else {
    bsdf.warn(fmt::format("a {} is ignored; the surface inside is used", type));
  }
  return read;
}

}  // namespace

std::optional<MitsubaBsdf> read_mitsuba_bsdf(const MitsubaObject& bsdf, int depth) {
  if (depth > kMaxSurfaceDepth) bsdf.fail("surfaces are nested too deeply");
  const std::string type = bsdf.type();
  if (is_wrapper(type)) return read_wrapper(bsdf, depth);
  // A retarder changes only the polarisation.
  if (type == "null" || type == "retarder") return std::nullopt;
  for (const auto& [known, read] : kLeaves)
    if (known == type) {
      MitsubaBsdf leaf{.material = read(bsdf)};
      leaf.material.black_back = has_one_side(leaf.material);
      return leaf;
    }
  bsdf.warn(fmt::format("a surface of the type {} becomes diffuse with reflectance 0.5",
                        in_quotes(type)));
  return MitsubaBsdf{.material = {.reflectance = glm::vec3(kHalf), .black_back = true}};
}

}  // namespace winnow
