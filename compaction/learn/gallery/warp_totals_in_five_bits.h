// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// The offsets of warps are computed bit by bit, with one ballot per bit of the warps' totals. A
// total can be 32, which has six bits, but there are only log2(32) = 5 ballots. A warp that keeps
// all of its items counts as empty, so the next warp overwrites its output.
//
// Found in the article on Billeter, Olsson & Assarsson's compaction. Corrected:
// ladder/ballot_select.h.

struct CompactByBallots {
  static constexpr unsigned kBlockSize = 128;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kBits = 5;  // bits of a total; should be 6
  struct Shared {
    uint32_t totals[kWarps], offsets[kWarps];
    uint32_t first;
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out, count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const unsigned lane = warp.thread_rank();
    uint32_t first = 0;
    for (uint32_t tile = 0; tile < in.size; tile += kBlockSize) {
      const uint32_t item = tile + block.thread_rank();
      const uint32_t value = item < in.size ? in[item] : 0;
      const uint32_t kept = warp.ballot(value != 0);
      if (lane == 0) shared.totals[block.warp_rank()] = simt::popcount(kept);
      block.sync();
      if (block.warp_rank() == 0) scan_totals(warp, shared);
      block.sync();
      if (value != 0)
        out[first + shared.offsets[block.warp_rank()] +
            simt::popcount(kept & simt::lanes_below(lane))] = value;
      first += shared.first;
      block.sync();
    }
    if (block.thread_rank() == 0) count[0] = first;
  }

  SIMT_KERNEL void scan_totals(simt::Warp auto warp, Shared& shared) const {
    const unsigned lane = warp.thread_rank();
    const uint32_t total = lane < kWarps ? shared.totals[lane] : 0;
    uint32_t before = 0, all = 0;
    for (unsigned bit = 0; bit < kBits; ++bit) {
      const uint32_t set = warp.ballot(total >> bit & 1);
      before += simt::popcount(set & simt::lanes_below(lane)) << bit;
      all += simt::popcount(set) << bit;
    }
    if (lane < kWarps) shared.offsets[lane] = before;
    if (lane == 0) shared.first = all;
  }
};

void select(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out,
            simt::Span<uint32_t> count) {
  launcher.launch(1, CompactByBallots{in, out, count});
}
