// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/common.hpp>
#include <span>
#include <utility>

#include "base/error.h"
#include "load/pbrt/convert.h"
#include "math/sampling.h"
#include "scene/mix_materials.h"
#include "scene/vertex_attributes.h"

namespace winnow {
namespace {

constexpr const char* kReference = "(reference)";  // type of a reference to a named material
constexpr float kEvenly = 0.5f;

glm::vec4 inverted_coverage(glm::vec4 texel) {
  return glm::vec4(1.0f - luminance(glm::vec3(texel)));
}

bool is_interface(const std::string& type) {
  return type == "interface" || type == "none" || type.empty();
}

bool is_plain_diffuse(const Material& material) {
  return material.type == MaterialType::kDiffuse && !has_alpha_cutouts(material) &&
         material.textures.normal == kNoTexture;
}

/// Returns the displacement or bump map of a material; without a texture if it has none.
Textured heights_of(const PbrtObject& material) {
  return material.textured(material.has("displacement") ? "displacement" : "bumpmap", 0.0f);
}

bool has_heights(const PbrtObject& material) {
  return heights_of(material).texture != kNoTexture;
}

void add_normal_map(const PbrtObject& material, Material& to) {
  const std::string name = material.text("normalmap");
  if (name.empty()) return;
  const auto file = material.find_file(name, "the normal map is left out");
  if (!file) return;
  to.textures.normal = material.library().add_file(*file, TexelMeaning::kData, {});
  to.normal_mapping = NormalMapping::kFlipped;
}

/// Converts a mix with a missing surface to a surface with cutouts.
/// @param is_first  true if `material` is the first of both
Material read_cutout(const PbrtObject& mix, Material material, bool is_first,
                     const Textured& amount) {
  TextureLibrary& library = mix.library();
  if (amount.texture == kNoTexture) {
    const float weight = glm::clamp(amount.factor.x, 0.0f, 1.0f);
    material.alpha *= is_first ? 1.0f - weight : weight;
  } else if (material.textures.alpha != kNoTexture) {
    mix.warn("only one of two alpha textures is used");
  } else {
    material.textures.alpha =
        is_first ? library.add_changed(amount.texture, "inverted coverage", inverted_coverage)
                 : library.add_luminance_as_coverage(amount.texture);
  }
  return material;
}

/// Mixes two diffuse surfaces, textured or not; nothing for other surfaces.
std::optional<Material> mix_diffuse(const Material& a, const Material& b, const Textured& amount,
                                    TextureLibrary& library) {
  const Textured parts[] = {
      {a.reflectance, a.textures.reflectance}, {b.reflectance, b.textures.reflectance}, amount};
  if (!is_plain_diffuse(a) || !is_plain_diffuse(b)) return {};
  auto mix = [](std::span<const glm::vec3> colors) {
    return glm::mix(colors[0], colors[1], glm::clamp(colors[2], 0.0f, 1.0f));
  };
  const auto mixed = combine_textures(parts, mix, library);
  if (!mixed) return {};
  Material both = a;
  both.reflectance = mixed->factor;
  both.textures.reflectance = mixed->texture;
  return both;
}

}  // namespace

void PbrtMaterials::define(const PbrtObject& material) {
  auto known = std::make_shared<PbrtObject>(material);
  known->type = material.text("type");
  named_[material.name] = std::move(known);
}

void PbrtMaterials::keep_for_earlier_uses() {
  named_later_ = std::exchange(named_, {});
}

bool PbrtMaterials::defines_earlier_uses() const {
  return std::ranges::any_of(unknown_, [&](const auto& name) { return named_.contains(name); });
}

std::shared_ptr<const PbrtObject> PbrtMaterials::named(const std::string& name,
                                                       const PbrtPlace& place) const {
  return defined(std::make_shared<PbrtObject>(PbrtObject{{}, kReference, name, place, &context_}));
}

std::shared_ptr<const PbrtObject> PbrtMaterials::defined(
    std::shared_ptr<const PbrtObject> material) const {
  if (!material || material->type != kReference) return material;
  for (const auto* definitions : {&named_, &named_later_})
    if (auto known = definitions->find(material->name); known != definitions->end())
      return known->second;
  return material;
}

bool PbrtMaterials::has_textures(uint32_t material) const {
  const Material& of_scene = context_.scene.materials[material];
  return winnow::has_textures(of_scene.textures) || of_scene.anisotropy != 0.0f;
}

std::shared_ptr<const PbrtObject> PbrtMaterials::without_mixes(
    std::shared_ptr<const PbrtObject> material) {
  if (!material) return material;
  base(material, 0);
  for (auto found = instead_of_mix_.find(material.get()); found != instead_of_mix_.end();
       found = instead_of_mix_.find(material.get()))
    material = found->second;
  return material;
}

bool PbrtMaterials::has_bumps(const std::shared_ptr<const PbrtObject>& material) {
  const auto found = without_mixes(material);
  return found && (!found->text("normalmap").empty() || has_heights(*found));
}

bool PbrtMaterials::has_normal_map(const std::shared_ptr<const PbrtObject>& material) {
  const auto found = without_mixes(material);
  return found && !found->text("normalmap").empty();
}

void PbrtMaterials::add_bumps(const PbrtObject& material, glm::vec2 uv_size, Material& to) {
  const Textured heights = heights_of(material);
  if (heights.texture == kNoTexture || to.textures.normal != kNoTexture || !(uv_size.x > 0.0f))
    return;
  material.warn("a displacement or bump map becomes a normal map");
  bumps_.add(heights.texture, heights.factor.x, uv_size, to);
  to.normal_mapping = NormalMapping::kFlipped;
}

std::optional<Material> PbrtMaterials::read_mix(const PbrtObject& mix, int depth) {
  const PbrtParameter* list = mix.find("materials");
  if (list && list->strings.size() != 2)
    fail_at(list->place, "expected the names of two materials");
  // In version 3 the amount is the weight of the first material, and a colour.
  const std::string names[] = {list ? list->strings[0] : mix.text("namedmaterial2"),
                               list ? list->strings[1] : mix.text("namedmaterial1")};
  const Textured amount =
      list ? mix.textured("amount", kEvenly) : mix.textured("amount", glm::vec3(kEvenly));
  const std::shared_ptr<const PbrtObject> parts[] = {named(names[0], mix.place),
                                                     named(names[1], mix.place)};
  const std::optional<Material> a = base(parts[0], depth + 1), b = base(parts[1], depth + 1);
  const auto take = [&](bool is_second) {
    instead_of_mix_[&mix] = parts[is_second];
    return is_second ? b : a;
  };
  if (!a && !b) return {};
  if (!a || !b) return read_cutout(mix, *take(!a), bool(a), amount);
  TextureLibrary& library = context_.library();
  const float weight = glm::clamp(luminance(library.mean(amount)), 0.0f, 1.0f);
  std::optional<Material> both = mix_diffuse(*a, *b, amount, library);
  if (!both && (weight == 0.0f || weight == 1.0f)) return take(weight == 1.0f);
  if (!both && amount.texture == kNoTexture) {
    both = mix_materials(*a, *b, weight);
    if (both && both->type == MaterialType::kPrincipled)
      mix.warn("a mix of a diffuse surface and a metal becomes principled");
  }
  if (both) {
    // Surfaces with normal maps are not mixed.
    const auto is_bumpy = [&](const auto& part) { return has_heights(*without_mixes(part)); };
    if (std::ranges::any_of(parts, is_bumpy))
      mix.warn("the bumps of the materials of a mix are left out");
    return both;
  }
  mix.warn("a mix of materials becomes the heavier one of them");
  return take(weight > kEvenly);
}

std::optional<Material> PbrtMaterials::read(const PbrtObject& material, int depth) {
  if (is_interface(material.type)) return {};
  if (material.type == "mix") return read_mix(material, depth);
  std::optional<Material> read = read_pbrt_surface(material);
  if (!read) {
    material.warn(
        fmt::format("a material of the unknown type {} becomes diffuse with reflectance 0.5",
                    in_quotes(material.type)));
    return Material{.type = MaterialType::kDiffuse};
  }
  add_normal_map(material, *read);
  material.ignore({"type", "displacement", "bumpmap"});
  material.warn_about_unused("material");
  return read;
}

std::optional<Material> PbrtMaterials::base(const std::shared_ptr<const PbrtObject>& material,
                                            int depth) {
  if (!material) return Material{.type = MaterialType::kDiffuse};
  if (auto known = bases_.find(material); known != bases_.end()) return known->second;
  if (depth > kMaxMixDepth) material->fail("mixes of materials are nested too deeply");
  std::optional<Material> found;
  if (material->type != kReference) {
    found = read(*material, depth);
  } else if (auto known = defined(material); known != material) {
    found = base(known, depth + 1);
  } else {
    unknown_.insert(material->name);
    material->warn(
        fmt::format("the material {} is unknown; it becomes diffuse with reflectance 0.5",
                    in_quotes(material->name)));
    found = Material{.type = MaterialType::kDiffuse};
  }
  bases_[material] = found;
  return found;
}

std::optional<Material> PbrtMaterials::complete(const PbrtSurface& surface) {
  std::optional<Material> material = base(surface.material, 0);
  bool emits = surface.emission.radiance != glm::vec3(0.0f);
  const bool is_boundary = surface.inside != surface.outside;
  if (!material && emits) {
    surface.material->warn("a light whose material is an interface is left out, as in pbrt");
    emits = false;
  }
  if (!material && !is_boundary) return {};
  if (!material) material = Material{.type = MaterialType::kNull};
  if (emits) {
    material->emission = surface.emission.radiance;
    material->textures.emission = surface.emission.texture;
    material->two_sided_emission = surface.emission.is_two_sided;
  }
  if (!multiply_coverage(surface.alpha, *material, context_.library()))
    surface.material->warn(
        "the alpha textures of a shape and its material are large or have different UV transforms: "
        "that of the shape becomes its mean");
  if (surface.uvs.is_v_left && material->textures.normal != kNoTexture)
    material->textures.normal =
        context_.library().add_with_green_inverted(material->textures.normal);
  if (surface.material) add_bumps(*without_mixes(surface.material), surface.uvs.size, *material);
  material->bounds_media = is_boundary;
  material->interior = surface.inside;
  material->exterior = surface.outside;
  return material;
}

std::optional<uint32_t> PbrtMaterials::of_shape(const PbrtSurface& surface) {
  const auto& [material_object, emission, alpha, inside, outside, uvs] = surface;
  const glm::vec3 radiance = emission.radiance;
  const Key key{material_object,       radiance.r,     radiance.g,    radiance.b, emission.texture,
                emission.is_two_sided, alpha.factor.x, alpha.texture, inside,     outside,
                uvs.is_v_left,         uvs.size.x,     uvs.size.y};
  if (auto known = known_.find(key); known != known_.end()) return known->second;
  std::optional<uint32_t> index;
  if (std::optional<Material> material = complete(surface)) {
    index = uint32_t(context_.scene.materials.size());
    context_.scene.materials.push_back(*material);
    std::string name = "(none)";
    if (surface.material)
      name = surface.material->name.empty() ? surface.material->type : surface.material->name;
    if (emits(*material)) name = "light, " + name;
    context_.scene.material_names.push_back(one_line(name));
  }
  return known_[key] = index;
}

}  // namespace winnow
