// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <map>

#include "load/mitsuba/object.h"
#include "scene/host_scene.h"

namespace winnow {

/// Returns the mean of the values of a Mitsuba .vol file, a regular grid of one or three channels.
/// Throws Error, in one line, for a file that is broken or of another kind.
glm::vec3 mean_of_grid_volume(const std::filesystem::path& file);

/// Media on both sides of a shape: indices in HostScene::media, or kNoMedium.
struct MediaOfShape {
  uint32_t interior = kNoMedium, exterior = kNoMedium;

  bool any() const { return interior != kNoMedium || exterior != kNoMedium; }
  auto operator<=>(const MediaOfShape&) const = default;
};

/// Converts the <medium>s of a Mitsuba scene. A kind that Winnow lacks becomes homogeneous or is
/// left out, with a warning.
class MitsubaMedia {
 public:
  explicit MitsubaMedia(HostScene& scene) : scene_(scene) {}

  MediaOfShape of_shape(const MitsubaObject& shape);

  /// Returns the medium that contains a sensor, or kNoMedium.
  uint32_t of_sensor(const MitsubaObject& sensor);

 private:
  uint32_t add(const MitsubaObject& medium);

  HostScene& scene_;
  std::map<const void*, uint32_t> known_;  ///< indices by XML node
};

}  // namespace winnow
