// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/group/shuffle_item.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

// Reductions over the 32 lanes of a warp. All lanes make each call together.

namespace compaction {

/// Combines the values of the lanes in order. Lane 0 receives the result; any other lane receives
/// the combination of its own value and the values of the lanes above it.
///
/// 5 shuffles of T. The shuffle distance doubles from 1, so that each lane holds a contiguous range
/// and the order is kept; the more common distances 16, 8, 4, 2, 1 combine lane 0 with lane 16
/// first.
template <class T, Operator<T> Op>
SIMT_KERNEL T warp_reduce(simt::Warp auto warp, T value, const Op& op) {
  for (unsigned delta = 1; delta < simt::kWarpSize; delta *= 2) {
    T above = shuffle_item_down(warp, value, delta);
    if (warp.thread_rank() + delta < simt::kWarpSize) value = op(value, above);
  }
  return value;
}

/// Returns the sum of the values of all lanes to every lane. One instruction from sm_80 on,
/// otherwise 5 shuffles (butterfly).
SIMT_KERNEL inline uint32_t warp_sum(simt::Warp auto warp, uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
  for (unsigned distance = simt::kWarpSize / 2; distance > 0; distance /= 2)
    value += warp.shfl(value, warp.thread_rank() ^ distance);
  return value;
#endif
}

/// Returns the bitwise or of the values of all lanes to every lane. One instruction from sm_80 on,
/// otherwise 5 shuffles (butterfly).
SIMT_KERNEL inline uint32_t warp_or(simt::Warp auto warp, uint32_t bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0u, bits);
#else
  for (unsigned distance = simt::kWarpSize / 2; distance > 0; distance /= 2)
    bits |= warp.shfl(bits, warp.thread_rank() ^ distance);
  return bits;
#endif
}

}  // namespace compaction
