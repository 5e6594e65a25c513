// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 1: a sum by a tree in shared memory. Each block of 256 threads sums its items. The sums
// of the blocks are summed in turn until one is left. One line is missing.
//
// Hint: what must happen before a thread reads what another thread wrote?
//
// Judge: compaction-judge naive_reduce.h --task reduce

struct SumTiles {
  static constexpr unsigned kBlockSize = 256;
  struct Shared {
    uint32_t sums[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> sums;  ///< [block]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    const uint32_t item = block.group_index() * kBlockSize + t;
    shared.sums[t] = item < in.size ? in[item] : 0;
    for (unsigned stride = 1; stride < kBlockSize; stride *= 2)
      if (t % (2 * stride) == 0) shared.sums[t] += shared.sums[t + stride];
    if (t == 0) sums[block.group_index()] = shared.sums[0];
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), SumTiles::kBlockSize);
  if (blocks <= 1) return launcher.launch(1, SumTiles{in, out});
  const simt::Span<uint32_t> sums = compaction::judge::device_array<uint32_t>(blocks);
  launcher.launch(blocks, SumTiles{in, sums});
  reduce(launcher, simt::Span<const uint32_t>(sums), out);
}
