#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/grid/grid_size.h"
#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace_cutter.h"
#include "compaction/ladder/scan_total.h"
#include "compaction/ladder/shift_to_exclusive.h"
#include "compaction/op/operators.h"
#include "compaction/op/scan_kind.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// Combines each item with the one `offset` before it. One thread per item.
template <class T, Operator<T> Op>
struct CombineAtOffset {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  Span<const T> in;  ///< [item]
  Span<T> out;       ///< [item], not `in`: other blocks read it at the same time
  uint64_t offset;
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (item >= count()) return;
    out[item] = item >= offset ? T(op(in[item - offset], in[item])) : in[item];
  }
};

/// Bytes of workspace that the Hillis-Steele scans need for up to `capacity` items.
template <class T>
size_t hillis_steele_scan_bytes(uint64_t capacity) {
  return workspace_part(size_t(capacity) * sizeof(T));
}

/// Both kinds; see below.
template <ScanKind kind, class Launcher, class T, Operator<T> Op>
void hillis_steele_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                        Span<T> out, Span<std::byte> workspace, Op op,
                        Span<std::type_identity_t<T>> total) {
  using Combine = CombineAtOffset<T, Op>;
  uint32_t blocks = grid_size(n.capacity, Combine::kBlockSize);

  // The steps write to `out` and to the workspace in turn, so that the last one writes to `out`.
  int steps = n.capacity > 2 ? std::bit_width(n.capacity - 1) : 1;  // log2, rounded up
  int passes = steps + (kind == ScanKind::kExclusive ? 1 : 0);
  Span<T> target = out, other = WorkspaceCutter(workspace).take<T>(size_t(n.capacity));
  if (passes % 2 == 0) std::swap(target, other);

  Span<const T> source = in;
  auto step_done = [&] {
    source = target;
    std::swap(target, other);
  };
  if constexpr (kind == ScanKind::kExclusive) {
    shift_to_exclusive(launcher, source, n, target, op);
    step_done();
  }
  for (int step = 0; step < steps; ++step) {
    launcher.launch(
        blocks,
        Combine{.in = source, .out = target, .offset = uint64_t(1) << step, .count = n, .op = op});
    step_done();
  }

  if (total.size > 0)
    launcher.launch(1, WriteScanTotal<kind, T, Op>{
                           .in = in, .scanned = out, .total = total, .count = n, .op = op});
}

/// Inclusive scan over global memory: each step combines every item with the one 1, 2, 4, ...
/// places before it. All threads work, but on n log2(n) operations, and each step goes through
/// global memory because only the end of a kernel makes all blocks wait for each other.
///
/// @param in         [n], n < 2^39
/// @param out        [n], out[i] receives in[0] op ... op in[i]; must not overlap `in`
/// @param workspace  [>= hillis_steele_scan_bytes<T>(capacity)], contents do not matter
/// @param total      [1] or empty, receives all items combined
/// Moves 2n items a step, and reads n again that the cache may hold. ceil(log2(capacity)) kernels,
/// at least 1, and one for `total`. Does not synchronize.
/// Hillis & Steele, "Data Parallel Algorithms", 1986.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void hillis_steele_inclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                                  ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                                  Span<std::type_identity_t<T>> total = {}) {
  hillis_steele_scan<ScanKind::kInclusive>(launcher, in, n, out, workspace, op, total);
}

/// Exclusive scan over global memory. As hillis_steele_inclusive_scan(), but out[i] receives in[0]
/// op ... op in[i - 1], the identity for i = 0: the items are moved up by one place first, by one
/// kernel more.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void hillis_steele_exclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in,
                                  ItemCount n, Span<T> out, Span<std::byte> workspace, Op op = {},
                                  Span<std::type_identity_t<T>> total = {}) {
  hillis_steele_scan<ScanKind::kExclusive>(launcher, in, n, out, workspace, op, total);
}

/// The scans of this file as an argument of algorithms that scan.
struct HillisSteeleScan {
  static constexpr bool kInPlace = false;
  template <class T>
  static size_t bytes(uint64_t capacity) {
    return hillis_steele_scan_bytes<T>(capacity);
  }
  static void inclusive(auto& launcher, auto... arguments) {
    hillis_steele_inclusive_scan(launcher, arguments...);
  }
  static void exclusive(auto& launcher, auto... arguments) {
    hillis_steele_exclusive_scan(launcher, arguments...);
  }
};

}  // namespace compaction
