// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <string>
#include <vector>

namespace winnow {

inline std::string vol_floats(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

/// Returns the bytes of a .vol file.
///
/// @param box  six floats
inline std::string vol_file(uint32_t encoding, uint32_t channels, const std::string& values,
                            glm::uvec3 size = {2, 1, 1},
                            const std::string& box = std::string(24, '\0')) {
  std::string bytes = std::string("VOL") + char(3);
  for (const uint32_t word : {encoding, size.x, size.y, size.z, channels})
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  return bytes + box + values;
}

}  // namespace winnow
