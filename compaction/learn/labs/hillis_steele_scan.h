// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 5: a scan with one launch for each offset 1, 2, 4, ... The mistake: each step works in
// place.
//
// Hint: blocks run in any order, so a step must not overwrite what another block has still to read.
// Which second array do you need? Which of the two contains the result?
//
// Judge: compaction-judge hillis_steele_scan.h --task scan

struct AddAtOffset {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  simt::Span<uint32_t> sums;
  uint32_t offset;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    if (item >= offset && item < sums.size) sums[item] += sums[item - offset];
  }
};

/// Moves items up by one place and puts 0 in front.
struct ShiftUp {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    if (item < in.size) out[item] = item > 0 ? in[item - 1] : 0;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), ShiftUp::kBlockSize);
  launcher.launch(blocks, ShiftUp{in, out});
  for (uint32_t offset = 1; offset < in.size; offset *= 2)
    launcher.launch(blocks, AddAtOffset{out, offset});
}
