// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/mitsuba/bsdf.h"
#include "load/mitsuba/texture.h"
#include "math/sampling.h"
#include "scene/mix_materials.h"

namespace winnow {
namespace {

/// Sets the opacity of the surface inside a mask.
void read_opacity(const MitsubaObject& mask, TextureLibrary& textures, Material& material) {
  constexpr float kHalf = 0.5f;
  const MitsubaTextured opacity =
      read_mitsuba_textured(mask, "opacity", glm::vec3(kHalf), textures);
  material.alpha = luminance(opacity.factor);
  if (opacity.texture != kNoTexture)
    material.textures.alpha = textures.add_luminance_as_coverage(opacity.texture);
}

/// Finds the texture of a normal or bump map: the one of that name, or any other; nothing if there
/// is none.
std::optional<MitsubaObject> find_map(const MitsubaObject& bsdf, std::string_view name) {
  if (auto named = find_mitsuba_texture(bsdf, name)) return named;
  const std::vector<MitsubaObject> maps = bsdf.textures();
  return maps.empty() ? std::nullopt : std::optional(maps[0]);
}

void read_normal_map(const MitsubaObject& bsdf, TextureLibrary& textures, Material& material) {
  std::optional<MitsubaObject> map = find_map(bsdf, "normalmap");
  if (!map && bsdf.has("filename")) map = bsdf;  // some exporters name the file here
  if (!map || (map->is_texture() && map->type() != "bitmap"))
    return bsdf.warn("a normalmap without a bitmap is ignored; the surface inside is used");
  material.textures.normal = read_mitsuba_bitmap(*map, TexelMeaning::kData, textures);
}

void read_bump_map(const MitsubaObject& bsdf, TextureLibrary& textures, MitsubaBsdf& to) {
  const std::optional<MitsubaObject> map = find_map(bsdf, "texture");
  std::optional<MitsubaTextured> heights;
  if (map) heights = read_mitsuba_texture(*map, textures);
  if (!heights || heights->texture == kNoTexture)
    return bsdf.warn(
        fmt::format("a {} without a bitmap is ignored; the surface inside is used", bsdf.type()));
  to.heights = heights->texture;
  to.height_scale = luminance(heights->factor) * bsdf.number("scale", 1.0f);
}

/// Returns the exact or approximate mixture of two surfaces; nothing if Winnow has no such surface.
/// @param weight  weight of `b`; `a` has the rest
std::optional<MitsubaBsdf> mix_surfaces(const MitsubaObject& bsdf, const MitsubaBsdf& a,
                                        const MitsubaBsdf& b, float weight) {
  if (a.heights != kNoTexture || b.heights != kNoTexture) return {};
  const std::optional<Material> mixed = mix_materials(a.material, b.material, weight);
  if (!mixed) return {};
  if (mixed->type == MaterialType::kPrincipled)
    bsdf.warn("a blend of a diffuse surface and a metal becomes a principled one");
  return MitsubaBsdf{.material = *mixed};
}

/// Index of the heaviest surface of a blendbsdf or mixturebsdf, and the weight of the last of two.
struct BlendWeights {
  size_t heaviest = 0;
  float last = 0.0f;
};

BlendWeights read_blend_weights(const MitsubaObject& bsdf, size_t count) {
  constexpr float kHalf = 0.5f;
  if (bsdf.type() == "blendbsdf") {
    const float weight = glm::clamp(read_mitsuba_number(bsdf, "weight", kHalf), 0.0f, 1.0f);
    return {count > 1 && weight > kHalf ? size_t{1} : 0, weight};
  }
  std::vector<float> weights =
      mitsuba_numbers(bsdf.document(), bsdf.node(), bsdf.text("weights", ""));
  weights.resize(count, weights.empty() ? 1.0f : 0.0f);
  const size_t heaviest = size_t(std::ranges::max_element(weights) - weights.begin());
  float sum = 0.0f;
  for (float weight : weights) sum += weight;
  return {heaviest, sum > 0.0f ? glm::clamp(weights.back() / sum, 0.0f, 1.0f) : 0.0f};
}

/// Returns the surface with an opacity: the rest of the light passes.
MitsubaBsdf with_opacity(MitsubaBsdf bsdf, float opacity) {
  bsdf.material.alpha *= opacity;
  return bsdf;
}

/// Returns the mixture of two surfaces, either of which may be missing; nothing if Winnow has no
/// such surface.
/// @param weight  weight of `b`
std::optional<MitsubaBsdf> blend_two(const MitsubaObject& bsdf, const std::optional<MitsubaBsdf>& a,
                                     const std::optional<MitsubaBsdf>& b, float weight) {
  if (a && b) return mix_surfaces(bsdf, *a, *b, weight);
  if (a) return with_opacity(*a, 1.0f - weight);
  if (b) return with_opacity(*b, weight);
  return {};
}

std::optional<MitsubaBsdf> read_blend(const MitsubaObject& bsdf,
                                      const std::vector<MitsubaObject>& inner, int depth,
                                      TextureLibrary& textures) {
  if (depth > kMaxMixDepth) bsdf.fail("blends of surfaces are nested too deeply");
  auto read = [&](size_t i) { return read_mitsuba_bsdf(inner[i], depth + 1, textures); };
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

}  // namespace

bool is_mitsuba_wrapper(const std::string& type) {
  constexpr const char* kWrappers[] = {"twosided",     "mask",      "bumpmap",
                                       "bump",         "normalmap", "coating",
                                       "roughcoating", "blendbsdf", "mixturebsdf"};
  return std::ranges::find(kWrappers, type) != std::end(kWrappers);
}

std::optional<MitsubaBsdf> read_mitsuba_wrapper(const MitsubaObject& bsdf, int depth,
                                                TextureLibrary& textures) {
  const std::string type = bsdf.type();
  const std::vector<MitsubaObject> inner = bsdf.children("bsdf");
  if (inner.empty()) bsdf.fail(fmt::format("expected a <bsdf> inside a {}", type));
  if (type == "blendbsdf" || type == "mixturebsdf") return read_blend(bsdf, inner, depth, textures);
  std::optional<MitsubaBsdf> read = read_mitsuba_bsdf(inner[0], depth + 1, textures);
  if (type == "twosided") {
    if (inner.size() > 1) bsdf.warn("both sides of a twosided surface get its first BSDF");
  } else if (type == "mask") {
    if (read) read_opacity(bsdf, textures, read->material);
  } else if (type == "normalmap") {
    if (read) read_normal_map(bsdf, textures, read->material);
  } else if (type == "bumpmap" || type == "bump") {
    if (read) read_bump_map(bsdf, textures, *read);
  } else {
    bsdf.warn(fmt::format("a {} is ignored; the surface inside is used", type));
  }
  return read;
}

}  // namespace winnow
