// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "compaction/learn/judge/launcher.h"

// Hillis & Steele's scan, one launch per offset. The loop counts k from 1 to log2(n), rounded down,
// and uses the offset 2^k, so it skips offset 1. With 2^(k - 1), as in the formula of the exercise,
// it would miss the last offset unless n is a power of two.
//
// Found in the exercise of a course. Corrected: ladder/hillis_steele_scan.h.

struct AddAtOffset {
  static constexpr unsigned kBlockSize = 128;
  using Shared = simt::NoShared;

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;
  uint32_t offset;
  bool shifts = false;  ///< whether to move items by `offset` places instead of adding

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    const uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    if (item >= in.size) return;
    const uint32_t other = item >= offset ? in[item - offset] : 0;
    out[item] = shifts ? other : in[item] + other;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t n = uint32_t(in.size), blocks = simt::ceil_div(n, AddAtOffset::kBlockSize);
  simt::Span<uint32_t> from = compaction::judge::device_array<uint32_t>(n);
  simt::Span<uint32_t> to = compaction::judge::device_array<uint32_t>(n);
  launcher.launch(blocks, AddAtOffset{in, to, 1, true});
  for (uint32_t k = 1; uint32_t(1) << k <= n; ++k) {
    std::swap(from, to);
    launcher.launch(blocks, AddAtOffset{from, to, uint32_t(1) << k});
  }
  launcher.launch(blocks, AddAtOffset{to, out, n});
}
