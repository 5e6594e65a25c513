#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/group/coarsened_block_scan.h"
#include "compaction/ladder/multi_block_scan.h"

namespace compaction {

/// How the coarsened scans cut the items: as many for each thread as fit, up to 8.
template <class T>
struct CoarsenedShape {
  static constexpr unsigned kMaxItemsPerThread = 8;  // beyond that the barriers cost little anyway
  static constexpr unsigned kBlockSize =
      256 * kMaxItemsPerThread * sizeof(T) <= kTileBytes ? 256 : 128;
  static constexpr unsigned kFitting = kTileBytes / (kBlockSize * sizeof(T));
  static constexpr unsigned kItemsPerThread =
      kFitting < kMaxItemsPerThread ? kFitting : kMaxItemsPerThread;
};

template <class T>
using CoarsenedTile =
    CoarsenedBlockScan<T, CoarsenedShape<T>::kBlockSize, CoarsenedShape<T>::kItemsPerThread>;

/// Bytes of workspace that the coarsened scans need for up to `capacity` items. Grows with
/// `capacity`.
template <class T>
size_t coarsened_scan_bytes(uint64_t capacity) {
  return multi_block_scan_bytes<CoarsenedTile<T>, T>(capacity);
}

/// Inclusive scan in which each thread scans several neighbours by itself before the block scans
/// their sums: larger tiles, 3 barriers for each, and fewer sums for the next level.
///
/// @param in         [n], n < 2^39
/// @param out        [n], out[i] receives in[0] op ... op in[i]; may be `in`
/// @param workspace  [>= coarsened_scan_bytes<T>(capacity)], contents do not matter
/// @param total      [1] or empty, receives all items combined; nothing else may overlap it
/// Moves 4n items, 16n bytes of 4-byte numbers, and a few per tile of 2048 (fewer where an item has
/// more than 16 bytes); about 2 operations per item. 1 kernel for up to 2048 items, 3 for up to
/// 2^22, 5 for up to 2^33 and so on. Does not synchronize.
/// Kirk & Hwu, "Programming Massively Parallel Processors", 2010; in blocks as in Harris, Sengupta
/// & Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 2007.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void coarsened_inclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                              ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                              Span<std::type_identity_t<T>> total = {}) {
  multi_block_scan<ScanKind::kInclusive, CoarsenedTile<T>>(launcher, in, n, out, workspace, op,
                                                           total);
}

/// Exclusive scan in which each thread scans several neighbours by itself. As
/// coarsened_inclusive_scan(), but out[i] receives in[0] op ... op in[i - 1], the identity for
/// i = 0.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void coarsened_exclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                              ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                              Span<std::type_identity_t<T>> total = {}) {
  multi_block_scan<ScanKind::kExclusive, CoarsenedTile<T>>(launcher, in, n, out, workspace, op,
                                                           total);
}

/// The scans of this file as an argument of algorithms that scan.
struct CoarsenedScan {
  static constexpr bool kInPlace = true;
  template <class T>
  static size_t bytes(uint64_t capacity) {
    return coarsened_scan_bytes<T>(capacity);
  }
  static void inclusive(auto& launcher, auto... arguments) {
    coarsened_inclusive_scan(launcher, arguments...);
  }
  static void exclusive(auto& launcher, auto... arguments) {
    coarsened_exclusive_scan(launcher, arguments...);
  }
};

}  // namespace compaction
