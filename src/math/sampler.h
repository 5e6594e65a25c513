#pragma once

#include <cstdint>
#include <glm/vec4.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/philox.h"

namespace winnow {

/// A uniform in [0, 1) of the upper 24 bits, all that a float in [0.5, 1) can hold; never 1.
SIMT_HOST_DEVICE inline float uniform_float(uint32_t bits) {
  return float(bits >> 8) * 0x1p-24f;
}

/// Random numbers of one sample of one pixel. Has no state: any thread may ask in any order.
struct Sampler {
  uint64_t seed = 0;
  uint32_t pixel = 0;
  uint32_t sample = 0;

  /// Four independent uniforms in [0, 1), a pure function of all fields and `dimension`.
  SIMT_HOST_DEVICE glm::vec4 sample4(uint32_t dimension) const {
    glm::uvec2 key{uint32_t(seed), uint32_t(seed >> 32)};
    glm::uvec4 bits = philox({pixel, sample, dimension, 0}, key);
    return {uniform_float(bits.x), uniform_float(bits.y), uniform_float(bits.z),
            uniform_float(bits.w)};
  }
};

}  // namespace winnow
