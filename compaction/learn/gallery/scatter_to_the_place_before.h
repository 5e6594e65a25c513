// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Compaction by scan: the exclusive scan of the flags gives each kept item its place, but the
// scatter reads the place of the item before. If that item is kept, too, both write to one place.
//
// Found in the exercise of a course. Corrected: ladder/scan_select.h.

struct RankKept {
  static constexpr unsigned kBlockSize = 128;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> ranks;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    if (item >= in.size) return;
    uint32_t rank = 0;
    for (uint32_t i = 0; i < item; ++i) rank += in[i] != 0;
    ranks[item] = rank;
  }
};

struct Scatter {
  static constexpr unsigned kBlockSize = 128;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<const uint32_t> ranks;
  simt::Span<uint32_t> out, count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    if (item >= in.size) return;
    if (in[item] != 0) out[item > 0 ? ranks[item - 1] : 0] = in[item];
    if (item == in.size - 1) count[0] = ranks[item] + (in[item] != 0 ? 1 : 0);
  }
};

void select(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out,
            simt::Span<uint32_t> count) {
  const uint32_t n = uint32_t(in.size), blocks = simt::ceil_div(n, Scatter::kBlockSize);
  compaction::judge::device_memset(count.data, 0, sizeof(uint32_t));
  const simt::Span<uint32_t> ranks = compaction::judge::device_array<uint32_t>(n);
  launcher.launch(blocks, RankKept{in, ranks});
  launcher.launch(blocks, Scatter{in, ranks, out, count});
}
