// SPDX-License-Identifier: MIT
#pragma once

#include <compaction/group/block_rank.h>

#include <cstdint>

/// Counts the set flags of each tile. One block per tile, one flag per thread.
struct CountSetFlags {
  static constexpr unsigned kBlockSize = 256;
  using Shared = compaction::WarpTotals<kBlockSize>;

  simt::Span<const uint8_t> flags;   // [item]
  simt::Span<uint32_t> tile_counts;  // [tile]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    uint32_t item = block.group_index() * kBlockSize + block.thread_rank();
    bool flag = item < flags.size && flags[item];
    compaction::Rank rank = compaction::block_rank(block, flag, shared);
    if (block.thread_rank() == 0) tile_counts[block.group_index()] = rank.total;
  }
};
