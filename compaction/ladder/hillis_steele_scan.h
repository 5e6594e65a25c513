// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/ladder/scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Moves each item up by one place; the first place receives the identity. One thread per item.
template <class T, Operator<T> Op>
struct ShiftUp {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  Span<const T> in;  ///< [item]
  Span<T> out;       ///< [item]
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (item < count()) out[item] = item > 0 ? in[item - 1] : T(op.identity());
  }
};

/// Turns an inclusive scan into an exclusive scan: moves it up by one place, the identity first.
///
/// @param in   [n], an inclusive scan with `op`
/// @param out  [n]; must not overlap `in`
/// Moves 2n items. 1 kernel. Does not synchronize.
template <class Launcher, class T, Operator<T> Op>
void shift_to_exclusive(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                        Span<T> out, Op op) {
  using Shift = ShiftUp<T, Op>;
  launcher.launch(grid_size(n.capacity, Shift::kBlockSize),
                  Shift{.in = in, .out = out, .count = n, .op = op});
}

/// Combines each item with the item `offset` places before it. One thread per item.
template <class T, Operator<T> Op>
struct CombineAtOffset {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  Span<const T> in;  ///< [item]
  Span<T> out;       ///< [item], not `in`, which other blocks read at the same time
  uint64_t offset;
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (item >= count()) return;
    out[item] = item >= offset ? T(op(in[item - offset], in[item])) : in[item];
  }
};

/// Scan over global memory: each step combines every item with the item 1, 2, 4, ... places before
/// it. Takes n log2(n) operations.
///
/// Moves 2n items per step, and reads n more that may be cached. ceil(log2(capacity)) kernels, at
/// least 1; one more for an exclusive scan, which first moves the items up by one place, and one
/// for `total`. Hillis & Steele, "Data Parallel Algorithms", 1986.
struct HillisSteeleScan : LadderScan<HillisSteeleScan> {
  static constexpr bool kInPlace = false;

  template <class T>
  static size_t bytes(uint64_t capacity) {
    return workspace_part(size_t(capacity) * sizeof(T));
  }

  template <ScanKind kind, class Launcher, class T, Operator<T> Op>
  static void run(Launcher& launcher, Span<const T> in, ItemCount n, Span<T> out,
                  Span<std::byte> workspace, Op op, Span<T> total) {
    using Combine = CombineAtOffset<T, Op>;
    uint32_t blocks = grid_size(n.capacity, Combine::kBlockSize);

    // The outputs alternate so that the last step writes to `out`.
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
          Combine{
              .in = source, .out = target, .offset = uint64_t(1) << step, .count = n, .op = op});
      step_done();
    }

    if (total.size > 0)
      launcher.launch(1, WriteScanTotal<kind, T, Op>{
                             .in = in, .scanned = out, .total = total, .count = n, .op = op});
  }
};

}  // namespace compaction
