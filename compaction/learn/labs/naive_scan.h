// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"
#include "compaction/simt/simt.h"

// Exercise 4: the exclusive scan by one thread per output, which adds all items before its own.
//
// Hint: the first output is 0. What does the judge say of the last one?
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

template <class Launcher>
void scan(Launcher& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), SumFromStart::kBlockSize);
  launcher.launch(blocks, SumFromStart{in, out});
}
