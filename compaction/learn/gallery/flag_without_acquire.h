// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"
#include "compaction/simt/atomic.h"

// A streaming scan: each block waits for the flag of the block before it, then reads that block's
// sum. The writer has a fence between sum and flag. The reader has none between flag and sum, so it
// may read the sum before the flag.
//
// Found in lecture notes. Corrected: ladder/single_pass_scan.h, where flag and sum are one word.

struct ScanInAChain {
  static constexpr unsigned kBlockSize = 128;
  struct Shared {
    uint32_t tile, before;
    uint32_t items[kBlockSize];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out, sums, flags;
  uint32_t* next;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    const unsigned t = block.thread_rank();
    if (t == 0) shared.tile = simt::fetch_add_relaxed(*next, 1u);
    block.sync();
    const uint32_t tile = shared.tile, item = tile * kBlockSize + t;
    shared.items[t] = item < in.size ? in[item] : 0;
    block.sync();
    uint32_t before = 0;
    for (unsigned i = 0; i < t; ++i) before += shared.items[i];

    if (t == kBlockSize - 1) {
      uint32_t sum = 0;
      if (tile > 0) {
        while (simt::load_relaxed(flags[tile - 1]) == 0) simt::backoff();
        sum = sums[tile - 1];
      }
      sums[tile] = sum + before + shared.items[t];
      simt::fence();
      simt::store_relaxed(flags[tile], 1);
      shared.before = sum;
    }
    block.sync();
    if (item < in.size) out[item] = shared.before + before;
  }
};

void scan(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out) {
  using compaction::judge::zeroed_device_array;
  const uint32_t blocks = simt::ceil_div(uint32_t(in.size), ScanInAChain::kBlockSize);
  launcher.launch(blocks, ScanInAChain{in, out, zeroed_device_array<uint32_t>(blocks),
                                       zeroed_device_array<uint32_t>(blocks),
                                       zeroed_device_array<uint32_t>(1).data});
}
