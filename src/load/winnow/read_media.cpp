// SPDX-License-Identifier: MIT
#include "load/winnow/read_parts.h"
#include "load/winnow/scene_keys.h"

namespace winnow {
namespace {

constexpr Range kAsymmetry{-0.999, 0.999};

Medium read_medium(const JsonReader& json) {
  json.expect_keys(scene_keys::kMedium);
  Medium medium;
  if (json.has("extinction") || json.has("albedo")) {
    if (json.has("absorption") || json.has("scattering"))
      json.fail(
          "expected either \"absorption\" and \"scattering\", or \"extinction\" and \"albedo\"");
    const glm::vec3 extinction = json.at("extinction").color(kNonNegative);
    medium.scattering = extinction * json.at("albedo").color(kFraction);
    medium.absorption = extinction - medium.scattering;
  }
  json.read("absorption", medium.absorption, kNonNegative);
  json.read("scattering", medium.scattering, kNonNegative);
  json.read("asymmetry", medium.asymmetry, kAsymmetry);
  return medium;
}

/// Returns the index of a medium by its name; kNoMedium for null.
uint32_t medium_of(const JsonReader& name, const MediumIds& media) {
  return name.is_null() ? kNoMedium : name.look_up(media, "medium");
}

}  // namespace

MediumIds read_media(const JsonReader& media, HostScene& scene) {
  MediumIds ids;
  for (const std::string& name : media.keys()) {
    ids[name] = uint32_t(scene.media.size());
    scene.media.push_back(read_medium(media.at(name)));
  }
  return ids;
}

void read_media_of_material(const JsonReader& json, const MediumIds& media, Material& material) {
  const std::optional<JsonReader> interior = json.find("interior"),
                                  exterior = json.find("exterior");
  material.bounds_media = interior || exterior;
  if (interior) material.interior = medium_of(*interior, media);
  if (exterior) material.exterior = medium_of(*exterior, media);
}

}  // namespace winnow
