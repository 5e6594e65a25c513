// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/grid/tile_states.h"
#include "compaction/group/shuffle_item.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Waits for the inclusive prefix of the previous tile, adds the aggregate of this one and
/// publishes the sum.
///
///     tile      0         1              2
///               A0 ─────► A0 op A1 ────► A0 op A1 op A2 ...
///
/// Published versions store a flag and a value separately, so that a reader that sees the new flag
/// may still read the old value unless both sides order their accesses; leave open who sets the
/// flag that tile 0 waits for; and need all flags reset before the next call. Here flag, call and
/// value are one word (TileStates), and tile 0 has no predecessor.
struct WaitForPredecessor {
  template <class T, Operator<T> Op>
  SIMT_KERNEL T operator()(simt::Warp auto warp, const auto& states, uint32_t epoch, uint32_t tile,
                           const T& aggregate, const Op& op) const {
    T prefix = op.identity();
    if (warp.thread_rank() == 0) {
      if (tile > 0) prefix = states.wait(tile - 1, epoch).value;
      states.publish(tile, epoch, TileStatus::kInclusivePrefix, op(prefix, aggregate));
    }
    return shuffle_item(warp, prefix, 0);
  }
};

/// Streaming scan: each tile waits for the inclusive prefix of the previous tile and publishes its
/// own, so that one kernel reads and writes each item once. Tiles are assigned in the order in
/// which blocks start, so a block waits for resident blocks only.
///
/// All tiles scan their items concurrently, but the prefix passes through them one after the other:
/// at 0.3 us per tile on an H200, that chain, not the memory, determines the time of large scans.
///
/// The workspace is zeroed once before its first use and then kept for single-pass scans, one call
/// at a time, always passed whole; calls may differ in kind, T, `n` and `op`.
/// Moves 2n items, 8n bytes of 4-byte numbers, and 16 bytes per 4 bytes of T and tile of 2048
/// (fewer items where one has more than 16 bytes). 1 kernel. Yan, Long & Zhang, "StreamScan: Fast
/// Scan Algorithms for GPUs without Global Barrier Synchronization", 2013.
using ChainedScan = SinglePassScan<WaitForPredecessor>;

}  // namespace compaction
