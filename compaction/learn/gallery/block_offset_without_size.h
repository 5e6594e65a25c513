// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// A block loads two items per thread, the second one `blockDim.x` places after the first. The notes
// leave out the `.x`, with a question mark beside it, and differ from page to page in what they
// mean. Here, the offset is missing: the second half is loaded from the place of the first.
//
// Found in lecture notes, on a scan of several blocks. Corrected: ladder/multi_block_reduce.h and
// ladder/multi_block_scan.h.

struct SumPairs {
  static constexpr unsigned kBlockSize = 128;
  struct Shared {
    uint32_t sums[2 * kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> sums;  ///< [block]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    const uint32_t first = 2 * kBlockSize * block.group_index();
    shared.sums[t] = first + t < in.size ? in[first + t] : 0;
    shared.sums[kBlockSize + t] = first + t < in.size ? in[first + t] : 0;
    for (unsigned stride = kBlockSize; stride > 0; stride /= 2) {
      block.sync();
      if (t < stride) shared.sums[t] += shared.sums[t + stride];
    }
    if (t == 0) sums[block.group_index()] = shared.sums[0];
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), 2 * SumPairs::kBlockSize);
  if (blocks <= 1) return launcher.launch(1, SumPairs{in, out});
  const simt::Span<uint32_t> sums = compaction::judge::device_array<uint32_t>(blocks);
  launcher.launch(blocks, SumPairs{in, sums});
  reduce(launcher, simt::Span<const uint32_t>(sums), out);
}
