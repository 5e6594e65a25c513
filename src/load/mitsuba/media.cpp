// SPDX-License-Identifier: MIT
#include "load/mitsuba/media.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>

#include "base/limits.h"
#include "base/one_line.h"
#include "load/mitsuba/texture.h"
#include "scene/optical_constants.h"

namespace winnow {
namespace {

constexpr int kFirstVersionWithoutNames = 2;  ///< first version of Mitsuba without names of media

/// Reads a coefficient or an albedo: a colour, or the mean of a <volume>.
glm::vec3 read_volume(const MitsubaObject& medium, const char* name, glm::vec3 fallback) {
  if (!medium.has(name)) return fallback;
  const MitsubaObject volume(medium.document(), medium.find(name));
  if (volume.tag() != "volume") return read_mitsuba_color(medium, name, fallback);
  if (volume.type() == "constvolume") return read_mitsuba_color(volume, "value", fallback);
  if (volume.type() == "gridvolume") {
    volume.warn("a gridvolume becomes its mean: media are homogeneous here");
    return mean_of_grid_volume(
        volume.document().find_file(volume.node(), volume.text("filename", "")));
  }
  volume.warn(fmt::format("a volume of the type {} is ignored", in_quotes(volume.type())));
  return fallback;
}

float read_asymmetry(const MitsubaObject& medium) {
  constexpr float kMax = 0.999f;
  for (const MitsubaObject& phase : medium.children("phase")) {
    if (phase.type() == "hg") return glm::clamp(phase.number("g", 0.8f), -kMax, kMax);
    if (phase.type() != "isotropic")
      phase.warn(fmt::format("a phase function of the type {} becomes isotropic",
                             in_quotes(phase.type())));
    return 0.0f;
  }
  return 0.0f;
}

/// Sets the coefficients of `medium` without their scale.
void read_coefficients(const MitsubaObject& source, Medium& medium) {
  constexpr glm::vec3 kDefaultExtinction(1.0f), kDefaultAlbedo(0.75f);
  const bool has_both = source.has("sigma_s") || source.has("sigma_a");
  const char* name = source.has("density") ? "density" : "sigma_t";
  const bool may_be_named = source.document().version() < kFirstVersionWithoutNames;
  if (source.has("material") || (may_be_named && !has_both && !source.has(name))) {
    const std::string preset = source.text("material", "skin1");
    if (const std::optional<Medium> known = find_medium(preset)) {
      medium.absorption = known->absorption;
      medium.scattering = known->scattering;
      return;
    }
    source.warn(fmt::format("the medium {} is unknown", in_quotes(preset)));
  }
  if (has_both) {
    medium.absorption = read_volume(source, "sigma_a", glm::vec3(0.0f));
    medium.scattering = read_volume(source, "sigma_s", glm::vec3(0.0f));
    return;
  }
  const glm::vec3 extinction = read_volume(source, name, kDefaultExtinction);
  const glm::vec3 albedo = glm::min(read_volume(source, "albedo", kDefaultAlbedo), glm::vec3(1.0f));
  medium.scattering = extinction * albedo;
  medium.absorption = extinction - medium.scattering;
}

}  // namespace

uint32_t MitsubaMedia::add(const MitsubaObject& medium) {
  const auto [known, is_new] = known_.try_emplace(medium.node().internal_object(), kNoMedium);
  if (!is_new) return known->second;
  if (medium.type() != "homogeneous" && medium.type() != "heterogeneous") {
    medium.warn(fmt::format("a medium of the type {} is left out", in_quotes(medium.type())));
    return kNoMedium;
  }
  Medium read;
  read_coefficients(medium, read);
  const float scale = medium.number("scale", 1.0f);
  read.absorption *= scale;
  read.scattering *= scale;
  read.asymmetry = read_asymmetry(medium);
  for (int channel = 0; channel < 3; ++channel) {
    const float absorption = read.absorption[channel], scattering = read.scattering[channel];
    if (!(absorption >= 0.0f && scattering >= 0.0f && absorption <= float(kMaxSceneValue) &&
          scattering <= float(kMaxSceneValue)))
      medium.fail(fmt::format("expected coefficients of a medium from 0 to 1e9, found {} and {}",
                              absorption, scattering));
  }
  scene_.media.push_back(read);
  known->second = uint32_t(scene_.media.size() - 1);
  return known->second;
}

MediaOfShape MitsubaMedia::of_shape(const MitsubaObject& shape) {
  MediaOfShape media;
  for (pugi::xml_node child : shape.node().children()) {
    if (child.type() != pugi::node_element) continue;
    const MitsubaObject object(shape.document(), child);
    if (object.tag() != "medium") continue;
    const bool is_exterior = std::string_view(child.attribute("name").value()) == "exterior";
    (is_exterior ? media.exterior : media.interior) = add(object);
  }
  return media;
}

uint32_t MitsubaMedia::of_sensor(const MitsubaObject& sensor) {
  const std::vector<MitsubaObject> media = sensor.children("medium");
  return media.empty() ? kNoMedium : add(media[0]);
}

}  // namespace winnow
