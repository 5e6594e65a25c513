// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/learn/judge/launcher.h"

// The counting kernel does all of its work under `if (item < n)`, barriers and ballots included.
// In the last block, some threads never reach them. The others wait for these threads, or count the
// votes of lanes that do not vote.
//
// Found in the code that came with the article on Billeter, Olsson & Assarsson's compaction.
// Corrected: ladder/ballot_select.h, where the flag of an item out of range is false.

struct AppendBlock {
  static constexpr unsigned kBlockSize = 128;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  struct Shared {
    uint32_t totals[kWarps];
  };

  simt::Span<const uint32_t> in;
  simt::Span<uint32_t> out, count;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const uint32_t item = block.thread_rank();
    if (item < in.size) {
      const bool kept = in[item] != 0;
      const uint32_t votes = warp.ballot(kept);
      if (warp.thread_rank() == 0) shared.totals[block.warp_rank()] = simt::popcount(votes);
      block.sync();
      uint32_t rank = simt::popcount(votes & simt::lanes_below(warp.thread_rank()));
      for (unsigned i = 0; i < block.warp_rank(); ++i) rank += shared.totals[i];
      if (kept) out[rank] = in[item];
      if (item == in.size - 1) count[0] = rank + (kept ? 1 : 0);
    }
  }
};

void select(auto& launcher, simt::Span<const uint32_t> in, simt::Span<uint32_t> out,
            simt::Span<uint32_t> count) {
  compaction::judge::device_memset(count.data, 0, sizeof(uint32_t));
  launcher.launch(in.size > 0 ? 1 : 0, AppendBlock{in, out, count});
}
