// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 10: compaction by ballots. A ballot and a popcount give the rank of a lane in its warp.
// Missing are the items that earlier warps of the block and earlier tiles select.
//
// Hint: use three kernels as in exercise 8: count per tile, scan the counts, scatter. In a block,
// the counts of the warps go through shared memory. A count may be 32.
//
// Judge: compaction-judge ballot_select.h --task select

struct Scatter {
  static constexpr unsigned kBlockSize = 128;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out, count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    simt::Warp auto warp = block.warp();
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    const uint32_t value = item < in.size ? in[item] : 0;
    const uint32_t kept = warp.ballot(value != 0);
    const uint32_t first = 0;  // TODO: number of items that earlier warps and tiles keep
    if (value != 0)
      out[first + simt::popcount(kept & simt::lanes_below(warp.thread_rank()))] = value;
    if (block.thread_rank() == 0 && block.group_index() == 0) count[0] = simt::popcount(kept);
  }
};

void select(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out,
            simt::Span<uint32_t> count) {
  const uint32_t tiles = simt::ceil_div(uint32_t(in.size), Scatter::kBlockSize);
  launcher.launch(tiles > 0 ? tiles : 1, Scatter{in, out, count});
}
