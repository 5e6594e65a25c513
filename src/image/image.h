// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <variant>
#include <vector>

namespace winnow {

/// Scene-linear Rec.709 radiance, W sr^-1 m^-2.
struct Image {
  uint32_t width = 0;             ///< pixels
  uint32_t height = 0;            ///< pixels
  std::vector<glm::vec3> pixels;  ///< [height][width], top row first
};

/// One value per pixel, stored along with an image. A dot in the name separates layer and channel:
/// "albedo.R".
struct ImageChannel {
  std::string name;
  std::variant<std::vector<float>, std::vector<uint32_t>> values;  ///< [height][width]
};

}  // namespace winnow
