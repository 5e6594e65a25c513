// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

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

/// Turns an inclusive scan into an exclusive one: moves it up by one place, with the identity in
/// front. An inclusive scan of items that were shifted first is the same.
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

}  // namespace compaction
