// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 7: Blelloch's scan of a block in 2 n additions. The up-sweep is complete; the down-sweep
// is missing. The kernel scans at most 512 items.
//
// Hint: set the last element to 0. Then, from the largest stride to the smallest, replace the left
// value of each pair by the right one, and the right value by the sum of both.
//
// Judge: compaction-judge brent_kung_scan.h --task scan --max 512

struct ScanTile {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kItems = 2 * kBlockSize;
  struct Shared {
    uint32_t sums[kItems];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    for (unsigned i = t; i < kItems; i += kBlockSize) shared.sums[i] = i < in.size ? in[i] : 0;
    for (unsigned stride = 1; stride < kItems; stride *= 2) {
      block.sync();
      const unsigned right = 2 * stride * (t + 1) - 1;
      if (right < kItems) shared.sums[right] += shared.sums[right - stride];
    }
    block.sync();
    // TODO: the down-sweep
    for (unsigned i = t; i < kItems; i += kBlockSize)
      if (i < in.size) out[i] = shared.sums[i];
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, ScanTile{in, out});
}
