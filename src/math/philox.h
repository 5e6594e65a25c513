// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>

#include "compaction/simt/qualifiers.h"

namespace winnow {

/// Returns 128 random bits of Philox4x32-10, a pure function of a counter and a key. Any two inputs
/// give independent outputs; there is no state to carry.
///
/// Salmon, Moraes, Dror & Shaw, "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.
SIMT_HOST_DEVICE inline glm::uvec4 philox(glm::uvec4 counter, glm::uvec2 key) {
  constexpr uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;  // golden ratio, sqrt(3) - 1
  constexpr int kRounds = 10;

  for (int round = 0; round < kRounds; ++round) {
    uint64_t product0 = uint64_t{kMultiplier0} * counter.x;
    uint64_t product1 = uint64_t{kMultiplier1} * counter.z;
    counter = {uint32_t(product1 >> 32) ^ counter.y ^ key.x, uint32_t(product1),
               uint32_t(product0 >> 32) ^ counter.w ^ key.y, uint32_t(product0)};
    key.x += kWeyl0;
    key.y += kWeyl1;
  }
  return counter;
}

}  // namespace winnow
