// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

namespace winnow {

/// Scene-linear Rec.709 radiance, W sr^-1 m^-2.
struct Image {
  uint32_t width = 0;             ///< pixels
  uint32_t height = 0;            ///< pixels
  std::vector<glm::vec3> pixels;  ///< [height][width], top row first
  /// [height][width], coverage; empty if the file has none. `pixels` are as the file stores them:
  /// those of OpenEXR are multiplied by alpha, those of PNG are not.
  std::vector<float> alpha = {};
  /// What its reader ignores or finds damaged, without the name of the file.
  std::vector<std::string> warnings = {};
  float pfm_scale = 1.0f;  ///< magnitude of the scale of a PFM file, which `pixels` do not include
  bool is_corrected = false;  ///< whether the header of a Radiance file changed `pixels`
};

}  // namespace winnow
