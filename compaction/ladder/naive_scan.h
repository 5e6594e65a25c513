// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/ladder/scan.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Combines all items up to each place, from the first item on. One thread per place.
template <ScanKind kind, class T, Operator<T> Op>
struct CombineFromStart {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  Span<const T> in;  ///< [item]
  Span<T> out;       ///< [item]
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (item >= count()) return;
    uint64_t end = kind == ScanKind::kInclusive ? item + 1 : item;
    T sum = op.identity();
    for (uint64_t i = 0; i < end; ++i) sum = op(sum, in[i]);
    out[item] = sum;
  }
};

/// Scan in which each thread starts from the first item: n (n + 1) / 2 operations.
///
/// Reads n (n + 1) / 2 items, writes n. 1 kernel, 2 with `total`.
struct NaiveScan : LadderScan<NaiveScan> {
  static constexpr bool kInPlace = false;

  template <class T>
  static size_t bytes(uint64_t) {
    return 0;
  }

  template <ScanKind kind, class Launcher, class T, Operator<T> Op>
  static void run(Launcher& launcher, Span<const T> in, ItemCount n, Span<T> out, Span<std::byte>,
                  Op op, Span<T> total) {
    using Combine = CombineFromStart<kind, T, Op>;
    launcher.launch(grid_size(n.capacity, Combine::kBlockSize),
                    Combine{.in = in, .out = out, .count = n, .op = op});
    if (total.size > 0)
      launcher.launch(1, WriteScanTotal<kind, T, Op>{
                             .in = in, .scanned = out, .total = total, .count = n, .op = op});
  }
};

}  // namespace compaction
