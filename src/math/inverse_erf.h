#pragma once

#include <cmath>

#include "compaction/simt/qualifiers.h"
#include "math/constants.h"

namespace winnow {

/// The y of which erf(y) is x, with a relative error of at most 1.5e-5.
///
/// @param x  [-1, 1]; the ends give 3.92
SIMT_HOST_DEVICE inline float inverse_erf(float x) {
  // y / x bends little over w: the ratio of cubics of least relative error.
  const float rest = (1.0f - x) * (1.0f + x), kMin = 1.0f - kOneMinusEpsilon;
  const float w = -std::log(rest > kMin ? rest : kMin);
  const float above = 0.88623891f + w * (0.30049741f + w * (0.053773527f + w * 0.0054885260f));
  const float below = 1.0f + w * (0.077302137f + w * (0.027532106f + w * 3.9983045e-4f));
  return x * (above / below);
}

}  // namespace winnow
