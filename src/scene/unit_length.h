#pragma once

#include <cmath>
#include <glm/vec3.hpp>
#include <limits>

namespace winnow {

/// `v` with unit length. One that has it, but for rounding, keeps its bits: a scene that was
/// written and is read again must be the same.
/// @param length  of `v`, above 0
inline glm::vec3 with_unit_length(glm::vec3 v, float length) {
  constexpr float kRounding = 4.0f * std::numeric_limits<float>::epsilon();
  return std::abs(length - 1.0f) <= kRounding ? v : v / length;
}

}  // namespace winnow
