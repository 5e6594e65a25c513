// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <map>

#include "load/mitsuba/object.h"
#include "scene/host_scene.h"

namespace winnow {

/// The mean of the values of a .vol file of Mitsuba, on a regular grid: of one channel, or of three
/// channels each. Throws Error, in one line, for a file that is broken or of another kind.
glm::vec3 mean_of_grid_volume(const std::filesystem::path& file);

/// The media on both sides of a shape: indices in HostScene::media, or kNoMedium.
struct MediaOfShape {
  uint32_t interior = kNoMedium, exterior = kNoMedium;

  bool any() const { return interior != kNoMedium || exterior != kNoMedium; }
  auto operator<=>(const MediaOfShape&) const = default;
};

/// Converts the <medium>s of a Mitsuba scene. One that Winnow lacks becomes homogeneous or is left
/// out, with a warning that says which.
class MitsubaMedia {
 public:
  explicit MitsubaMedia(HostScene& scene) : scene_(scene) {}

  MediaOfShape of_shape(const MitsubaObject& shape);

  /// The medium in which a sensor is; kNoMedium if it is in none.
  uint32_t of_sensor(const MitsubaObject& sensor);

 private:
  uint32_t add(const MitsubaObject& medium);

  HostScene& scene_;
  std::map<const void*, uint32_t> known_;  ///< by XML node
};

}  // namespace winnow
