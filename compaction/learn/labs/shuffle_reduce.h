// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 3: a sum in registers instead of shared memory. Each warp sums its lanes by shuffles.
// Missing is the sum of the warps' sums.
//
// Hint: use one word of shared memory per warp and one barrier. Then the first warp sums the words
// by shuffles.
//
// Judge: compaction-judge shuffle_reduce.h --task reduce

struct SumByShuffles {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  struct Shared {
    uint32_t sums[kWarps];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL uint32_t warp_sum(simt::Warp auto warp, uint32_t value) const {
    for (unsigned delta = simt::kWarpSize / 2; delta > 0; delta /= 2)
      value += warp.shfl_down(value, delta);
    return value;  // in lane 0
  }

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint32_t sum = 0;
    for (uint32_t i = block.thread_rank(); i < in.size; i += kBlockSize) sum += in[i];
    sum = warp_sum(block.warp(), sum);
    // TODO: the sums of the other warps
    if (block.thread_rank() == 0) out[0] = sum;
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, SumByShuffles{in, out});
}
