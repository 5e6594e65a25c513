// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Kogge & Stone's scan of a block. The barrier is in a loop that each thread leaves at its own
// index: thread 0 passes no barrier, thread 255 passes eight. This is undefined since threads have
// program counters of their own (sm_70). A thread also reads sums that others write in the same
// step.
//
// Found in lecture notes of two courses. Corrected: group/block_scan.h, with one loop for all
// threads and two buffers.

struct ScanOneBlock {
  static constexpr unsigned kBlockSize = 256;
  struct Shared {
    uint32_t sums[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    shared.sums[t] = t > 0 && t - 1 < in.size ? in[t - 1] : 0;
    for (unsigned stride = 1; stride <= t; stride *= 2) {
      block.sync();
      shared.sums[t] += shared.sums[t - stride];
    }
    if (t < in.size) out[t] = shared.sums[t];
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, ScanOneBlock{in, out});
}
