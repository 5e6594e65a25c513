// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>

#include "math/sampler.h"

namespace winnow {

/// A sequence of independent uniforms, for a loop whose number of steps is itself random.
///
/// O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
/// Number Generation", 2014: the variant XSH RR 64/32.
class RandomStream {
 public:
  /// @param seed  two words; any two seeds give unrelated sequences
  SIMT_HOST_DEVICE explicit RandomStream(glm::uvec2 seed) {
    const glm::uvec4 mixed = pcg4d({seed.x, seed.y, 0u, 0u});
    state_ = uint64_t{mixed.x} << 32 | mixed.y;
  }

  /// Returns a uniform in [0, 1).
  SIMT_HOST_DEVICE float uniform() {
    const uint64_t before = state_;
    state_ = before * 6364136223846793005u + 1442695040888963407u;
    const auto shifted = uint32_t((before >> 18 ^ before) >> 27), turn = uint32_t(before >> 59);
    return uniform_float(shifted >> turn | shifted << (-turn & 31));
  }

  /// Returns an exponential variate of mean 1.
  SIMT_HOST_DEVICE float exponential() { return -std::log(1.0f - uniform()); }

 private:
  uint64_t state_;
};

}  // namespace winnow
