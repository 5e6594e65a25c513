#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/ladder/look_back.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/op/operators.h"
#include "compaction/op/scan_kind.h"
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

/// Bytes of workspace that the look-back scans need for up to `capacity` items. Grows with
/// `capacity`.
template <class T>
size_t look_back_scan_bytes(uint64_t capacity) {
  return single_pass_scan_bytes<T>(capacity);
}

/// Inclusive scan in a single pass with decoupled look-back: the streaming scan without its chain.
/// Each tile first publishes its aggregate, which needs no other tile, and adds up those of the
/// tiles before it back to the nearest one that knows its prefix.
///
/// @param in         [n], n < 2^39
/// @param out        [n], out[i] receives in[0] op ... op in[i]; may be `in`
/// @param workspace  [>= look_back_scan_bytes<T>(capacity)], zeroed once before its first use and
///                   then kept for scans in one pass, one call at a time, always as a whole; calls
///                   may differ in kind, T, `n` and `op`
/// @param total      [1] or empty, receives all items combined; nothing else may overlap it
/// Moves 2n items, 8n bytes of 4-byte numbers, and some hundred per 4 bytes of T and tile of 2048
/// (fewer where an item has more than 16 bytes), mostly within the L2 cache. 1 kernel and nothing
/// else. Does not synchronize.
/// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void look_back_inclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                              ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                              Span<std::type_identity_t<T>> total = {}) {
  single_pass_scan<ScanKind::kInclusive, LookBack>(launcher, in, n, out, workspace, op, total);
}

/// Exclusive scan in a single pass with decoupled look-back. As look_back_inclusive_scan(), but
/// out[i] receives in[0] op ... op in[i - 1], the identity for i = 0.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void look_back_exclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                              ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                              Span<std::type_identity_t<T>> total = {}) {
  single_pass_scan<ScanKind::kExclusive, LookBack>(launcher, in, n, out, workspace, op, total);
}

/// The scans of this file as an argument of algorithms that scan.
struct LookBackScan {
  static constexpr bool kInPlace = true;
  template <class T>
  static size_t bytes(uint64_t capacity) {
    return look_back_scan_bytes<T>(capacity);
  }
  static void inclusive(auto& launcher, auto... arguments) {
    look_back_inclusive_scan(launcher, arguments...);
  }
  static void exclusive(auto& launcher, auto... arguments) {
    look_back_exclusive_scan(launcher, arguments...);
  }
};

}  // namespace compaction
