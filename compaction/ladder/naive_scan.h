#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/grid_size.h"
#include "compaction/grid/item_count.h"
#include "compaction/ladder/scan_total.h"
#include "compaction/op/operators.h"
#include "compaction/op/scan_kind.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// Combines for each place all items up to it, from the first on. One thread per place.
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

/// Bytes of workspace that the naive scans need: none.
template <class T>
size_t naive_scan_bytes(uint64_t) {
  return 0;
}

/// Both kinds; see below.
template <ScanKind kind, class Launcher, class T, Operator<T> Op>
void naive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                Span<T> out, Op op, Span<std::type_identity_t<T>> total) {
  using Combine = CombineFromStart<kind, T, Op>;
  launcher.launch(grid_size(n.capacity, Combine::kBlockSize),
                  Combine{.in = in, .out = out, .count = n, .op = op});
  if (total.size > 0)
    launcher.launch(1, WriteScanTotal<kind, T, Op>{
                           .in = in, .scanned = out, .total = total, .count = n, .op = op});
}

/// Inclusive scan in which each thread starts from the first item: the bottom of the ladder. It
/// repeats all work that neighbours have in common, n (n + 1) / 2 operations where a loop on the
/// host needs n, and the last thread alone takes as long as that loop.
///
/// @param in         [n], n < 2^39
/// @param out        [n], out[i] receives in[0] op ... op in[i]; must not overlap `in`
/// @param workspace  not used
/// @param total      [1] or empty, receives all items combined
/// Reads n (n + 1) / 2 items, writes n. 1 kernel, 2 with `total`. Does not synchronize.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void naive_inclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                          Span<T> out, Span<std::byte> /*workspace*/, Op op = {},
                          Span<std::type_identity_t<T>> total = {}) {
  naive_scan<ScanKind::kInclusive>(launcher, in, n, out, op, total);
}

/// Exclusive scan in which each thread starts from the first item. As naive_inclusive_scan(), but
/// out[i] receives in[0] op ... op in[i - 1], the identity for i = 0.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void naive_exclusive_scan(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                          Span<T> out, Span<std::byte> /*workspace*/, Op op = {},
                          Span<std::type_identity_t<T>> total = {}) {
  naive_scan<ScanKind::kExclusive>(launcher, in, n, out, op, total);
}

/// The scans of this file as an argument of algorithms that scan.
struct NaiveScan {
  static constexpr bool kInPlace = false;
  template <class T>
  static size_t bytes(uint64_t capacity) {
    return naive_scan_bytes<T>(capacity);
  }
  static void inclusive(auto& launcher, auto... arguments) {
    naive_inclusive_scan(launcher, arguments...);
  }
  static void exclusive(auto& launcher, auto... arguments) {
    naive_exclusive_scan(launcher, arguments...);
  }
};

}  // namespace compaction
