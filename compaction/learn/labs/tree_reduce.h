// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 2: the tree of exercise 1 with the active threads side by side, so that whole warps
// become idle. Thread t must combine the t-th pair of each step. Each block loads two items per
// thread.
//
// Hint: at stride s, the pairs start at 0, 2 s, 4 s, ... When the judge passes it, compare the bank
// conflicts with those of the rung, and pad the array.
//
// Judge: compaction-judge tree_reduce.h --task reduce

struct SumTiles {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kItems = 2 * kBlockSize;
  struct Shared {
    uint32_t sums[kItems];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> sums;  ///< [block]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    const uint32_t first = block.group_index() * kItems;
    for (unsigned i = t; i < kItems; i += kBlockSize)
      shared.sums[i] = first + i < in.size ? in[first + i] : 0;
    for (unsigned stride = 1; stride < kItems; stride *= 2) {
      block.sync();
      const unsigned left = t;  // TODO: index of the left item of the t-th pair
      if (left + stride < kItems) shared.sums[left] += shared.sums[left + stride];
    }
    if (t == 0) sums[block.group_index()] = shared.sums[0];
  }
};

void reduce(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), SumTiles::kItems);
  if (blocks <= 1) return launcher.launch(1, SumTiles{in, out});
  const simt::Span<uint32_t> sums = compaction::judge::device_array<uint32_t>(blocks);
  launcher.launch(blocks, SumTiles{in, sums});
  reduce(launcher, simt::Span<const uint32_t>(sums), out);
}
