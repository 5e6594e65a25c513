// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// The interface of the ladder's scans. Algorithms such as scan_select() take one as a parameter.
///
/// `Rung` derives from it and has
///
///   kInPlace                      // whether `out` may be `in`
///   bytes<T>(capacity)            // bytes of workspace; grows with `capacity`
///   run<kind>(launcher, in, n, out, workspace, op, total)
template <class Rung>
struct LadderScan {
  /// Inclusive scan.
  ///
  /// @param in         [n], n < 2^39
  /// @param out        [n], out[i] receives in[0] op ... op in[i]; may be `in` if Rung::kInPlace,
  ///                   and must not overlap it otherwise
  /// @param workspace  [>= Rung::bytes<T>(capacity)], any contents unless the rung says otherwise
  /// @param op         associative; need not be commutative
  /// @param total      [1] or empty, receives all items combined; must not overlap anything else
  /// Does not synchronize. The rung states its cost and source.
  template <class Launcher, class T, Operator<T> Op = Sum<T>>
  static void inclusive(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                        Span<T> out, Span<std::byte> workspace, Op op = {},
                        Span<std::type_identity_t<T>> total = {}) {
    Rung::template run<ScanKind::kInclusive>(launcher, in, n, out, workspace, op, total);
  }

  /// Exclusive scan: like inclusive(), but out[i] receives in[0] op ... op in[i - 1], the identity
  /// for i = 0.
  template <class Launcher, class T, Operator<T> Op = Sum<T>>
  static void exclusive(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                        Span<T> out, Span<std::byte> workspace, Op op = {},
                        Span<std::type_identity_t<T>> total = {}) {
    Rung::template run<ScanKind::kExclusive>(launcher, in, n, out, workspace, op, total);
  }
};

/// Writes all items combined, from the last element of a finished scan. One thread works.
template <ScanKind kind, class T, Operator<T> Op>
struct WriteScanTotal {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  using Shared = simt::NoShared;

  Span<const T> in;       ///< [item]
  Span<const T> scanned;  ///< [item]
  Span<T> total;          ///< [1]
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    if (block.thread_rank() != 0) return;
    uint64_t n = count();
    if (n == 0)
      total[0] = op.identity();
    else if constexpr (kind == ScanKind::kInclusive)
      total[0] = scanned[n - 1];
    else
      total[0] = op(scanned[n - 1], in[n - 1]);
  }
};

}  // namespace compaction
