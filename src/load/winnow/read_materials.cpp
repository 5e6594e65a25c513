// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/one_line.h"
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

constexpr Range kIor{1.0, 100.0, true};
constexpr Range kOptical{0.0, 1000.0};  // n and k of a metal
constexpr Range kSigned{-1.0, 1.0};

void read_metal(const JsonReader& json, Material& material) {
  if (auto name = json.find("metal")) {
    if (json.has("n") || json.has("k")) json.fail("expected either \"metal\", or \"n\" and \"k\"");
    const ComplexIor metal = *find_metal(scene_keys::kMetals[name->choice(scene_keys::kMetals)]);
    material.metal_n = metal.n;
    material.metal_k = metal.k;
  } else if (json.has("n") || json.has("k")) {
    material.metal_n = json.at("n").color(kOptical);
    material.metal_k = json.at("k").color(kOptical);
  }
}

Material read_material(const JsonReader& json, NamedTextures& textures) {
  const scene_keys::Keys* kKeys[] = {&scene_keys::kDiffuse,         &scene_keys::kMirror,
                                     &scene_keys::kConductor,       &scene_keys::kDielectric,
                                     &scene_keys::kRoughDielectric, &scene_keys::kThinDielectric,
                                     &scene_keys::kPlastic,         &scene_keys::kPrincipled};
  size_t type = json.at("type").choice(scene_keys::kMaterialTypes);
  scene_keys::Keys keys = *kKeys[type];
  keys.insert(keys.end(), scene_keys::kAnyMaterial.begin(), scene_keys::kAnyMaterial.end());
  json.expect_keys(keys);

  Material material;
  material.type = MaterialType(type);
  const bool has_body = material.type == MaterialType::kDiffuse ||
                        material.type == MaterialType::kPlastic ||
                        material.type == MaterialType::kPrincipled;
  material.reflectance = glm::vec3(has_body ? 0.5f : 1.0f);
  if (material.type == MaterialType::kPlastic) material.roughness = 0.0f;
  if (auto value = json.find("reflectance")) material.reflectance = value->color(kFraction);
  if (auto value = json.find("specular")) material.specular = value->color(kFraction);
  if (auto value = json.find("emission")) material.emission = value->color(kNonNegative);
  if (auto value = json.find("two_sided")) material.two_sided_emission = value->boolean();
  if (auto value = json.find("roughness")) material.roughness = value->number(kFraction);
  if (auto value = json.find("anisotropy")) material.anisotropy = value->number(kSigned);
  if (auto value = json.find("ior")) material.ior = value->number(kIor);
  if (auto value = json.find("masking"))
    material.masking = Masking(value->choice(scene_keys::kMaskings));
  if (auto value = json.find("distribution"))
    material.distribution = MicrofacetDistribution(value->choice(scene_keys::kDistributions));
  if (auto value = json.find("nonlinear")) material.nonlinear = value->boolean();
  if (auto value = json.find("metallic")) material.metallic = value->number(kFraction);
  if (auto value = json.find("transmission")) material.transmission = value->number(kFraction);
  if (auto value = json.find("coat")) material.coat = value->number(kFraction);
  if (auto value = json.find("coat_roughness")) material.coat_roughness = value->number(kFraction);
  if (auto value = json.find("sheen")) material.sheen = value->color(kFraction);
  if (auto value = json.find("sheen_roughness"))
    material.sheen_roughness = value->number(kFraction);
  read_metal(json, material);
  read_material_textures(json, textures, material);
  return material;
}

}  // namespace

MaterialIds read_materials(const JsonReader& materials, NamedTextures& textures, HostScene& scene) {
  MaterialIds ids;
  for (const std::string& name : materials.keys()) {
    ids[name] = uint32_t(scene.materials.size());
    scene.materials.push_back(read_material(materials.at(name), textures));
    scene.material_names.push_back(one_line(name));
  }
  return ids;
}

uint32_t read_material_name(const JsonReader& name, const MaterialIds& materials) {
  auto material = materials.find(name.text());
  if (material != materials.end()) return material->second;
  std::vector<std::string> names;
  for (const auto& [known, id] : materials) names.push_back(known);
  name.fail(fmt::format("unknown material {}; {}", in_quotes(name.text()),
                        suggest_name(name.text(), names)));
}

}  // namespace winnow
