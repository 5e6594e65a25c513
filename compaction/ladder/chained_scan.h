#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/tile_states.h"
#include "compaction/group/shuffle_item.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/op/operators.h"
#include "compaction/op/scan_kind.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Waits for the inclusive prefix of the tile before, adds the own aggregate and passes it on.
///
///     tile      0         1              2
///               A0 ─────► A0 op A1 ────► A0 op A1 op A2 ...
///
/// Published versions pass a flag and a value apart, where a reader that sees the new flag may
/// still read the old value unless both sides order their accesses; leave open who sets the flag
/// that tile 0 waits for; and need all flags reset before the next call. Here flag, call and value
/// are one word (TileStates), and nobody comes before tile 0.
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

/// Bytes of workspace that the chained scans need for up to `capacity` items. Grows with
/// `capacity`.
template <class T>
size_t chained_scan_bytes(uint64_t capacity) {
  return single_pass_scan_bytes<T>(capacity);
}

/// Inclusive streaming scan: each tile waits for the inclusive prefix of the tile before it and
/// hands on its own, so that one kernel reads and writes each item once. Tiles are numbered in the
/// order in which their blocks start to run, so a block waits for running blocks only.
///
/// All tiles scan their items at once, but the prefix goes through them one after the other: with
/// 0.3 us from tile to tile on an H200, that chain, not the memory, sets the time of large scans.
///
/// @param in         [n], n < 2^39
/// @param out        [n], out[i] receives in[0] op ... op in[i]; may be `in`
/// @param workspace  [>= chained_scan_bytes<T>(capacity)], zeroed once before its first use and
///                   then kept for scans in one pass, one call at a time, always as a whole; calls
///                   may differ in kind, T, `n` and `op`
/// @param total      [1] or empty, receives all items combined; nothing else may overlap it
/// Moves 2n items, 8n bytes of 4-byte numbers, and 16 per 4 bytes of T and tile of 2048 (fewer
/// where an item has more than 16 bytes). 1 kernel and nothing else. Does not synchronize.
/// Yan, Long & Zhang, "StreamScan: Fast Scan Algorithms for GPUs without Global Barrier
/// Synchronization", 2013.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void chained_inclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                            Span<T> out, Span<std::byte> workspace, Op op = {},
                            Span<std::type_identity_t<T>> total = {}) {
  single_pass_scan<ScanKind::kInclusive, WaitForPredecessor>(launcher, in, n, out, workspace, op,
                                                             total);
}

/// Exclusive streaming scan. As chained_inclusive_scan(), but out[i] receives in[0] op ... op
/// in[i - 1], the identity for i = 0.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void chained_exclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                            Span<T> out, Span<std::byte> workspace, Op op = {},
                            Span<std::type_identity_t<T>> total = {}) {
  single_pass_scan<ScanKind::kExclusive, WaitForPredecessor>(launcher, in, n, out, workspace, op,
                                                             total);
}

/// The scans of this file as an argument of algorithms that scan.
struct ChainedScan {
  static constexpr bool kInPlace = true;
  template <class T>
  static size_t bytes(uint64_t capacity) {
    return chained_scan_bytes<T>(capacity);
  }
  static void inclusive(auto& launcher, auto... arguments) {
    chained_inclusive_scan(launcher, arguments...);
  }
  static void exclusive(auto& launcher, auto... arguments) {
    chained_exclusive_scan(launcher, arguments...);
  }
};

}  // namespace compaction
