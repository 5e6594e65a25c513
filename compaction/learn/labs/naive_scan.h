// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 4: an exclusive scan. Each thread computes one output, the sum of all items before it.
//
// Hint: the first output must be 0. Which items does the loop add?
//
// Judge: compaction-judge naive_scan.h --task scan --max 1100

struct SumFromStart {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    if (item >= in.size) return;
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= item; ++i) sum += in[i];
    out[item] = sum;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), SumFromStart::kBlockSize);
  launcher.launch(blocks, SumFromStart{in, out});
}
