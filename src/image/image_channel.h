// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace winnow {

/// One value per pixel, stored along with an image. A dot in the name separates layer and channel:
/// "albedo.R".
struct ImageChannel {
  std::string name;
  std::variant<std::vector<float>, std::vector<uint32_t>> values;  ///< [height][width]
};

}  // namespace winnow
