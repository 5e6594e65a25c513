// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"
#include "compaction/simt/atomic.h"

// Exercise 9: a scan in one launch. Each block waits for the sum that the one before it publishes.
//
// Hint: blocks start in any order, some only after others have ended. Which number can a block draw
// when it starts, so that it waits only for blocks that have started? Once this works, publish the
// sum of the tile alone before you wait, and look back over several tiles.
//
// Judge: compaction-judge look_back_scan.h --task scan

struct ScanInAChain {
  static constexpr unsigned kBlockSize = 64;
  struct Shared {
    uint32_t items[kBlockSize];
    uint32_t before;
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out;
  simt::Span<uint32_t> published;  ///< [tile], 1 + the sum of all items up to its end; 0: none yet

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    const uint32_t tile = block.group_index(), item = tile * kBlockSize + t;
    shared.items[t] = item < in.size ? in[item] : 0;
    block.sync();
    uint32_t before = 0;
    for (unsigned i = 0; i < t; ++i) before += shared.items[i];
    if (t == kBlockSize - 1) {
      uint32_t word = 1;
      if (tile > 0)
        while ((word = simt::load_relaxed(published[tile - 1])) == 0) simt::backoff();
      simt::store_relaxed(published[tile], word + before + shared.items[t]);
      shared.before = word - 1;
    }
    block.sync();
    if (item < in.size) out[item] = shared.before + before;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  const uint32_t tiles = simt::ceil_div(uint32_t(in.size), ScanInAChain::kBlockSize);
  launcher.launch(tiles,
                  ScanInAChain{in, out, compaction::judge::zeroed_device_array<uint32_t>(tiles)});
}
