#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/group/kogge_stone_block_scan.h"
#include "compaction/ladder/multi_block_scan.h"

namespace compaction {

/// The tile of a block: an item for each thread.
template <class T>
using KoggeStoneTile = KoggeStoneBlockScan<T, 256>;

/// Bytes of workspace that the Kogge-Stone scans need for up to `capacity` items. Grows with
/// `capacity`.
template <class T>
size_t kogge_stone_scan_bytes(uint64_t capacity) {
  return multi_block_scan_bytes<KoggeStoneTile<T>, T>(capacity);
}

/// Inclusive scan by Kogge & Stone's block scan: the steps of the Hillis-Steele scan stay within a
/// block, where a barrier ends a step and shared memory holds the items.
///
/// @param in         [n], n < 2^39
/// @param out        [n], out[i] receives in[0] op ... op in[i]; may be `in`
/// @param workspace  [>= kogge_stone_scan_bytes<T>(capacity)], contents do not matter
/// @param total      [1] or empty, receives all items combined; nothing else may overlap it
/// Moves 4n items, 16n bytes of 4-byte numbers, and a few per tile of 256; 8 operations per item. 1
/// kernel for up to 256 items, 3 for up to 2^16, 5 for up to 2^24 and so on. Does not synchronize.
/// Kogge & Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
/// Equations", 1973; in blocks as in Harris, Sengupta & Owens, "Parallel Prefix Sum (Scan) with
/// CUDA", GPU Gems 3, 2007.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void kogge_stone_inclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                                ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                                Span<std::type_identity_t<T>> total = {}) {
  multi_block_scan<ScanKind::kInclusive, KoggeStoneTile<T>>(launcher, in, n, out, workspace, op,
                                                            total);
}

/// Exclusive scan by Kogge & Stone's block scan. As kogge_stone_inclusive_scan(), but out[i]
/// receives in[0] op ... op in[i - 1], the identity for i = 0: the tiles' inclusive scans, shifted
/// by one.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void kogge_stone_exclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                                ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                                Span<std::type_identity_t<T>> total = {}) {
  multi_block_scan<ScanKind::kExclusive, KoggeStoneTile<T>>(launcher, in, n, out, workspace, op,
                                                            total);
}

/// The scans of this file as an argument of algorithms that scan.
struct KoggeStoneScan {
  static constexpr bool kInPlace = true;
  template <class T>
  static size_t bytes(uint64_t capacity) {
    return kogge_stone_scan_bytes<T>(capacity);
  }
  static void inclusive(auto& launcher, auto... arguments) {
    kogge_stone_inclusive_scan(launcher, arguments...);
  }
  static void exclusive(auto& launcher, auto... arguments) {
    kogge_stone_exclusive_scan(launcher, arguments...);
  }
};

}  // namespace compaction
