#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <vector>

namespace winnow {

/// Scene-linear Rec.709 radiance, W sr^-1 m^-2.
struct Image {
  uint32_t width = 0;             ///< pixels
  uint32_t height = 0;            ///< pixels
  std::vector<glm::vec3> pixels;  ///< [height][width], top row first
};

}  // namespace winnow
