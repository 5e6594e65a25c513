// SPDX-License-Identifier: MIT
#include "load/pbrt/materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <glm/common.hpp>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/pbrt/combined_textures.h"
#include "load/pbrt/surfaces.h"
#include "math/sampling.h"
#include "scene/mix_materials.h"

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

bool is_textured(const Material& material) {
  MaterialTextures none;
  none.on_second_uvs = material.textures.on_second_uvs;
  return material.textures != none || material.anisotropy != 0.0f;
}

}  // namespace

void PbrtMaterials::define(const PbrtObject& material) {
  auto known = std::make_shared<PbrtObject>(material);
  known->type = material.parameters.text("type");
  named_[material.name] = std::move(known);
}

std::shared_ptr<const PbrtObject> PbrtMaterials::named(const std::string& name,
                                                       const PbrtPlace& place) const {
  if (auto known = named_.find(name); known != named_.end()) return known->second;
  return std::make_shared<PbrtObject>(PbrtObject{kReference, name, {}, place});
}

bool PbrtMaterials::has_textures(uint32_t material) const {
  return is_textured(context_.scene.materials[material]);
}

bool has_pbrt_bumps(const PbrtObject& material) {
  const PbrtParameters& parameters = material.parameters;
  return parameters.has("normalmap") || parameters.has("displacement") || parameters.has("bumpmap");
}

void PbrtMaterials::add_bumps(const PbrtObject& material, glm::vec2 uv_size, Material& to) {
  const bool is_displaced = material.parameters.has("displacement");
  const PbrtTextured heights =
      textures_.number(material, is_displaced ? "displacement" : "bumpmap", 0.0f);
  if (heights.texture == kNoTexture || to.textures.normal != kNoTexture || !(uv_size.x > 0.0f))
    return;
  context_.warn(material.place, "a displacement or bump map becomes a normal map");
  bumps_.add(heights.texture, heights.factor.x, uv_size, to);
}

void PbrtMaterials::add_normal_map(const PbrtObject& material, Material& to) {
  const std::string name = material.parameters.text("normalmap");
  if (name.empty()) return;
  if (auto file = context_.find_file(material.place, name, "the normal map is left out"))
    to.textures.normal = textures_.library().add_file(*file, TexelMeaning::kData, {});
}

std::optional<Material> PbrtMaterials::read_cutout(const PbrtObject& mix,
                                                   const std::optional<Material>& a,
                                                   const std::optional<Material>& b,
                                                   const PbrtTextured& amount) {
  Material material = a ? *a : *b;
  if (amount.texture == kNoTexture) {
    const float weight = glm::clamp(amount.factor.x, 0.0f, 1.0f);
    material.alpha *= a ? 1.0f - weight : weight;
    return material;
  }
  if (material.textures.alpha != kNoTexture) {
    context_.warn(mix.place, "of two textures of coverage, only one is used");
    return material;
  }
  material.textures.alpha =
      a ? textures_.library().add_changed(amount.texture, "inverted coverage", inverted_coverage)
        : textures_.library().add_luminance_as_coverage(amount.texture);
  return material;
}

std::optional<Material> PbrtMaterials::mix_diffuse(const Material& a, const Material& b,
                                                   const PbrtTextured& amount) {
  const PbrtTextured parts[] = {
      {a.reflectance, a.textures.reflectance}, {b.reflectance, b.textures.reflectance}, amount};
  if (!is_plain_diffuse(a) || !is_plain_diffuse(b)) return {};
  const auto mixed = combine_textures(
      parts,
      [](std::span<const glm::vec3> colors) {
        return glm::mix(colors[0], colors[1], glm::clamp(colors[2], 0.0f, 1.0f));
      },
      textures_.library());
  if (!mixed) return {};
  Material both = a;
  both.reflectance = mixed->factor;
  both.textures.reflectance = mixed->texture;
  return both;
}

std::optional<Material> PbrtMaterials::read_mix(const PbrtObject& mix, int depth) {
  const PbrtParameter* list = mix.parameters.find("materials");
  std::string names[2];
  if (list && list->strings.size() == 2) {
    names[0] = list->strings[0];
    names[1] = list->strings[1];
  } else if (!list) {
    names[0] = mix.parameters.text("namedmaterial1");
    names[1] = mix.parameters.text("namedmaterial2");
  } else {
    fail_at(list->place, "expected the names of two materials");
  }
  // In version 3 the amount is the weight of the first material, and a colour.
  if (!list) std::swap(names[0], names[1]);
  const PbrtTextured amount = list ? textures_.number(mix, "amount", kEvenly)
                                   : textures_.color(mix, "amount", glm::vec3(kEvenly));
  const std::optional<Material> a = base(named(names[0], mix.place), depth + 1),
                                b = base(named(names[1], mix.place), depth + 1);
  if (!a && !b) return {};
  if (!a || !b) return read_cutout(mix, a, b, amount);
  if (auto both = mix_diffuse(*a, *b, amount)) return both;
  const float weight = glm::clamp(luminance(textures_.mean(amount)), 0.0f, 1.0f);
  if (weight == 0.0f) return a;
  if (weight == 1.0f) return b;
  if (amount.texture == kNoTexture) {
    if (std::optional<Material> mixed = mix_materials(*a, *b, weight)) {
      if (mixed->type == MaterialType::kPrincipled)
        context_.warn(mix.place, "a mix of a diffuse surface and a metal becomes principled");
      return mixed;
    }
  }
  context_.warn(mix.place, "a mix of materials becomes the heavier one of them");
  return weight > kEvenly ? b : a;
}

std::optional<Material> PbrtMaterials::read(const PbrtObject& material, int depth) {
  if (is_interface(material.type)) return {};
  if (material.type == "mix") return read_mix(material, depth);
  std::optional<Material> read = read_pbrt_surface(material, textures_, context_);
  if (!read) {
    context_.warn(material.place, fmt::format("a material of the unknown type {} becomes diffuse "
                                              "with reflectance 0.5",
                                              in_quotes(material.type)));
    return Material{.type = MaterialType::kDiffuse};
  }
  add_normal_map(material, *read);
  for (const char* name : {"type", "displacement", "bumpmap"}) material.parameters.ignore(name);
  context_.warn_about_unused(material, "a material of the type");
  return read;
}

std::optional<Material> PbrtMaterials::base(const std::shared_ptr<const PbrtObject>& material,
                                            int depth) {
  if (!material) return Material{.type = MaterialType::kDiffuse};
  if (auto known = bases_.find(material); known != bases_.end()) return known->second;
  if (depth > kMaxMixDepth) fail_at(material->place, "mixes of materials are nested too deeply");
  std::optional<Material> found;
  if (material->type != kReference) {
    found = read(*material, depth);
  } else if (auto known = named_.find(material->name); known != named_.end()) {
    found = base(known->second, depth + 1);
  } else {
    context_.warn(material->place,
                  fmt::format("the material {} is unknown; it becomes diffuse with reflectance 0.5",
                              in_quotes(material->name)));
    found = Material{.type = MaterialType::kDiffuse};
  }
  bases_[material] = found;
  return found;
}

std::optional<Material> PbrtMaterials::complete(const PbrtSurface& surface) {
  std::optional<Material> material = base(surface.material, 0);
  const bool emits = surface.emission.radiance != glm::vec3(0.0f);
  const bool is_boundary = surface.inside != surface.outside;
  if (!material && emits) {
    context_.warn(surface.material->place, "a light without a surface becomes black");
    material = Material{.type = MaterialType::kDiffuse, .reflectance = glm::vec3(0.0f)};
  }
  if (!material && !is_boundary) return {};
  if (!material) material = Material{.type = MaterialType::kNull};
  if (emits) {
    material->emission = surface.emission.radiance;
    material->textures.emission = surface.emission.texture;
    material->two_sided_emission = surface.emission.is_two_sided;
  }
  material->alpha *= glm::clamp(surface.alpha.factor.x, 0.0f, 1.0f);
  if (surface.alpha.texture != kNoTexture)
    material->textures.alpha = textures_.library().add_luminance_as_coverage(surface.alpha.texture);
  if (surface.uvs.is_v_left && material->textures.normal != kNoTexture)
    material->textures.normal =
        textures_.library().add_with_green_inverted(material->textures.normal);
  if (surface.material) add_bumps(*surface.material, surface.uvs.size, *material);
  material->bounds_media = is_boundary;
  material->interior = surface.inside;
  material->exterior = surface.outside;
  return material;
}

std::optional<uint32_t> PbrtMaterials::of_shape(const PbrtSurface& surface) {
  const glm::vec3 radiance = surface.emission.radiance;
  const Key key{
      surface.material,
      {radiance.r, radiance.g, radiance.b, surface.emission.texture, surface.emission.is_two_sided},
      {surface.alpha.factor.x, surface.alpha.texture},
      surface.inside,
      surface.outside,
      {surface.uvs.is_v_left, surface.uvs.size.x, surface.uvs.size.y}};
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
