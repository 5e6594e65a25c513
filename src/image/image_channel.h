#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace winnow {

/// One number of each pixel, beside an image. Names with a dot are layers: "albedo.R".
struct ImageChannel {
  std::string name;
  std::variant<std::vector<float>, std::vector<uint32_t>> values;  ///< [height][width]
};

}  // namespace winnow
