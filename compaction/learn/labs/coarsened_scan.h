// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// Exercise 8: a scan of any number of tiles. Each thread scans 4 consecutive items, so the block
// scans only one sum per thread. Missing is the offset of each tile, the sum of all tiles before.
//
// Hint: use three kernels. Store the sum of each tile, scan the sums (by a call of scan() itself),
// and add to each tile its offset.
//
// Judge: compaction-judge coarsened_scan.h --task scan

struct ScanTiles {
  static constexpr unsigned kBlockSize = 64;
  static constexpr unsigned kItemsPerThread = 4;
  static constexpr unsigned kItems = kBlockSize * kItemsPerThread;
  struct Shared {
    uint32_t sums[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    const uint32_t first = block.group_index() * kItems + t * kItemsPerThread;
    uint32_t items[kItemsPerThread], sum = 0;
    for (unsigned i = 0; i < kItemsPerThread; ++i) {
      items[i] = first + i < in.size ? in[first + i] : 0;
      sum += items[i];
    }
    shared.sums[t] = sum;
    block.sync();
    uint32_t before = 0;
    for (unsigned i = 0; i < t; ++i) before += shared.sums[i];
    for (unsigned i = 0; i < kItemsPerThread; ++i) {
      if (first + i < in.size) out[first + i] = before;
      before += items[i];
    }
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t tiles = simt::ceil_div(uint32_t(in.size), ScanTiles::kItems);
  launcher.launch(tiles, ScanTiles{in, out});
}
