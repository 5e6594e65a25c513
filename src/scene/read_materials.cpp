#include "scene/read_materials.h"

#include <fmt/format.h>

#include "scene/nearest_name.h"
#include "scene/one_line.h"
#include "scene/scene_keys.h"

namespace winnow {
namespace {

constexpr Range kIor{1.0, 100.0, true};

Material read_material(const JsonReader& json, NamedTextures& textures) {
  constexpr MaterialType kTypes[] = {MaterialType::kDiffuse, MaterialType::kMirror,
                                     MaterialType::kConductor, MaterialType::kDielectric};
  const scene_keys::Keys* kKeys[] = {&scene_keys::kDiffuse, &scene_keys::kMirror,
                                     &scene_keys::kConductor, &scene_keys::kDielectric};
  size_t type = json.at("type").choice(scene_keys::kMaterialTypes);
  scene_keys::Keys keys = *kKeys[type];
  keys.insert(keys.end(), scene_keys::kAnyMaterial.begin(), scene_keys::kAnyMaterial.end());
  json.expect_keys(keys);

  Material material;
  material.type = kTypes[type];
  material.reflectance = glm::vec3(material.type == MaterialType::kDiffuse ? 0.5f : 1.0f);
  if (auto value = json.find("reflectance")) material.reflectance = value->color(kFraction);
  if (auto value = json.find("emission")) material.emission = value->color(kNonNegative);
  if (auto value = json.find("roughness")) material.roughness = value->number(kFraction);
  if (auto value = json.find("ior")) material.ior = value->number(kIor);
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
