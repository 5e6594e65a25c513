// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 6: the steps of exercise 5 within a block, in shared memory. The kernel scans at most
// 256 items.
//
// Hint: the reads and the writes of a step need a barrier between them, too, or a second buffer.
// When the judge passes it, go on to any number of items (--max 9000): scan tiles, then the sums of
// the tiles, and add these.
//
// Judge: compaction-judge kogge_stone_scan.h --task scan --max 256

struct ScanTile {
  static constexpr unsigned kBlockSize = 256;
  struct Shared {
    uint32_t sums[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    shared.sums[t] = t > 0 && t - 1 < in.size ? in[t - 1] : 0;
    for (unsigned stride = 1; stride < kBlockSize; stride *= 2) {
      block.sync();
      const uint32_t other = t >= stride ? shared.sums[t - stride] : 0;
      shared.sums[t] += other;
    }
    if (t < in.size) out[t] = shared.sums[t];
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, ScanTile{in, out});
}
