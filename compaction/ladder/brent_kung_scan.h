#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/group/brent_kung_block_scan.h"
#include "compaction/ladder/multi_block_scan.h"

namespace compaction {

/// The tile of a block: two items for each thread.
template <class T>
using BrentKungTile = BrentKungBlockScan<T, 2 * 256 * sizeof(T) <= kTileBytes ? 256 : 128>;

/// Bytes of workspace that the Brent-Kung scans need for up to `capacity` items. Grows with
/// `capacity`.
template <class T>
size_t brent_kung_scan_bytes(uint64_t capacity) {
  return multi_block_scan_bytes<BrentKungTile<T>, T>(capacity);
}

/// Inclusive scan by Brent & Kung's block scan: at most 2 operations per item instead of
/// log2(tile), and the threads that still work stay together.
///
/// @param in         [n], n < 2^39
/// @param out        [n], out[i] receives in[0] op ... op in[i]; may be `in`
/// @param workspace  [>= brent_kung_scan_bytes<T>(capacity)], contents do not matter
/// @param total      [1] or empty, receives all items combined; nothing else may overlap it
/// Moves 4n items, 16n bytes of 4-byte numbers, and a few per tile of 512 (256 where an item has
/// more than 64 bytes). 1 kernel for up to 512 items, 3 for up to 2^18, 5 for up to 2^27 and so on.
/// Does not synchronize.
/// Brent & Kung, "A Regular Layout for Parallel Adders", 1982; in blocks as in Harris, Sengupta &
/// Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void brent_kung_inclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                               ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                               Span<std::type_identity_t<T>> total = {}) {
  multi_block_scan<ScanKind::kInclusive, BrentKungTile<T>>(launcher, in, n, out, workspace, op,
                                                           total);
}

/// Exclusive scan by Blelloch's down-sweep. As brent_kung_inclusive_scan(), but out[i] receives
/// in[0] op ... op in[i - 1], the identity for i = 0.
/// Blelloch, "Prefix Sums and Their Applications", 1990.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void brent_kung_exclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                               ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                               Span<std::type_identity_t<T>> total = {}) {
  multi_block_scan<ScanKind::kExclusive, BrentKungTile<T>>(launcher, in, n, out, workspace, op,
                                                           total);
}

/// The scans of this file as an argument of algorithms that scan.
struct BrentKungScan {
  static constexpr bool kInPlace = true;
  template <class T>
  static size_t bytes(uint64_t capacity) {
    return brent_kung_scan_bytes<T>(capacity);
  }
  static void inclusive(auto& launcher, auto... arguments) {
    brent_kung_inclusive_scan(launcher, arguments...);
  }
  static void exclusive(auto& launcher, auto... arguments) {
    brent_kung_exclusive_scan(launcher, arguments...);
  }
};

}  // namespace compaction
