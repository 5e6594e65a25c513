// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Brent & Kung's scan of two items per thread. Each thread loads two items but stores only one, so
// the second half of the output is never written.
//
// Found in lecture notes. Corrected: group/block_scan.h.

struct ScanPairs {
  static constexpr unsigned kBlockSize = 128;
  static constexpr unsigned kItems = 2 * kBlockSize;
  struct Shared {
    uint32_t sums[kItems];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    for (unsigned i = t; i < kItems; i += kBlockSize) shared.sums[i] = i < in.size ? in[i] : 0;
    for (unsigned stride = 1; stride <= kBlockSize; stride *= 2) {
      block.sync();
      const unsigned i = (t + 1) * stride * 2 - 1;
      if (i < kItems) shared.sums[i] += shared.sums[i - stride];
    }
    for (unsigned stride = kItems / 4; stride > 0; stride /= 2) {
      block.sync();
      const unsigned i = (t + 1) * stride * 2 - 1;
      if (i + stride < kItems) shared.sums[i + stride] += shared.sums[i];
    }
    block.sync();
    // The scan is exclusive: item i receives the sum up to item i - 1.
    if (t < in.size) out[t] = t > 0 ? shared.sums[t - 1] : 0;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  launcher.launch(1, ScanPairs{in, out});
}
