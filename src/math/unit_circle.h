#pragma once

#include <cmath>
#include <cstdint>
#include <glm/vec2.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// The point of the unit circle that lies `turns` whole turns from (1, 0) towards (0, 1): cosine
/// and sine to an ulp or two. Takes no branch for large angles, as the library's functions do.
///
/// @param turns  of 2^20 at most, forwards or backwards
SIMT_HOST_DEVICE inline glm::vec2 unit_circle(float turns) {
  const float quarters = 4.0f * turns;
  const float nearest = std::floor(quarters + 0.5f);
  const float x = quarters - nearest, x2 = x * x;  // of a quarter turn, [-0.5, 0.5]
  // The polynomials of least relative error there: 3e-9 and 4e-8.
  const float sine =
      x * (1.5707963f + x2 * (-0.64596346f + x2 * (0.079680033f + x2 * -0.0046016578f)));
  const float cosine = 1.0f + x2 * (-1.2336977f + x2 * (0.25360321f + x2 * -0.020417283f));

  const uint32_t quarter = uint32_t(int32_t(nearest));
  const glm::vec2 half = quarter & 1 ? glm::vec2{-sine, cosine} : glm::vec2{cosine, sine};
  return quarter & 2 ? -half : half;
}

}  // namespace winnow
