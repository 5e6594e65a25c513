#pragma once

#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/op/operators.h"
#include "compaction/op/scan_kind.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// Writes all items combined, from the last place of a finished scan. One thread works.
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
