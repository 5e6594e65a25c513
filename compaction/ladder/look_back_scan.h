// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/ladder/look_back.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Finds the prefix of a tile by look_back().
struct LookBack {
  template <class T, Operator<T> Op>
  SIMT_KERNEL T operator()(simt::Warp auto warp, const auto& states, uint32_t epoch, uint32_t tile,
                           const T& aggregate, const Op& op) const {
    return look_back(warp, states, epoch, tile, aggregate, op);
  }
};

/// Single-pass scan with decoupled look-back: the streaming scan without its chain. Each tile first
/// publishes its aggregate, which depends on no other tile, and then combines those of the tiles
/// before it back to the nearest one that has published its inclusive prefix.
///
/// The workspace is zeroed once before its first use and then kept for single-pass scans, one call
/// at a time, always passed whole; calls may differ in kind, T, `n` and `op`.
/// Moves 2n items, 8n bytes of 4-byte numbers, and some hundred bytes per 4 bytes of T and tile of
/// 2048 (fewer items where one has more than 16 bytes), mostly within the L2 cache. 1 kernel.
/// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
using LookBackScan = SinglePassScan<LookBack>;

}  // namespace compaction
