// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/group/shared_items.h"
#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

template <class T>
struct ShuffleReduceShape {
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kSectorBytes = 32;  // a lane reads whole sectors
  static constexpr unsigned kItemsPerLane =
      sizeof(T) < kSectorBytes ? unsigned(kSectorBytes / sizeof(T)) : 1;
  static constexpr unsigned kStepSize = simt::kWarpSize * kItemsPerLane;  // items of a warp
  static constexpr uint64_t kMaxBlocks = 1024;  // fills the largest GPUs; one block can finish

  /// Returns the number of blocks of the first level.
  static uint32_t blocks(uint64_t capacity) {
    uint64_t blocks = simt::ceil_div(capacity, kWarps * kStepSize);
    return uint32_t(blocks < 1 ? 1 : blocks > kMaxBlocks ? kMaxBlocks : blocks);
  }
};

/// Reduces one contiguous range of items per block, divided among its warps. Only the results of
/// the warps go through shared memory, after the only barrier.
template <class T, Operator<T> Op>
struct ReduceChunks {
  using Shape = ShuffleReduceShape<T>;
  static constexpr unsigned kBlockSize = Shape::kBlockSize;
  static constexpr unsigned kWarps = Shape::kWarps;
  using Shared = SharedItems<T, kWarps>;

  Span<const T> in;  ///< [item]
  Span<T> results;   ///< [block]
  ItemCount count;
  Op op;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& warp_results) const {
    simt::Warp auto warp = block.warp();
    unsigned lane = warp.thread_rank(), warp_rank = block.warp_rank();

    // The warps of the grid share the steps evenly.
    uint64_t n = count(), steps = simt::ceil_div(n, Shape::kStepSize);
    uint64_t steps_per_warp = simt::ceil_div(steps, uint64_t(block.num_groups()) * kWarps);
    uint64_t first_step = (uint64_t(block.group_index()) * kWarps + warp_rank) * steps_per_warp;
    uint64_t end_step = first_step + steps_per_warp;
    if (end_step > steps) end_step = steps;

    T result = op.identity();  // in lane 0; unused in the other lanes
    for (uint64_t step = first_step; step < end_step; ++step) {
      uint64_t first_item = step * Shape::kStepSize + lane * Shape::kItemsPerLane;
      T lane_result = op.identity();
      if ((step + 1) * Shape::kStepSize <= n) {
        // No branch between the loads, so that all of them are in flight together.
        for (unsigned i = 0; i < Shape::kItemsPerLane; ++i)
          lane_result = op(lane_result, in[first_item + i]);
      } else {
        for (unsigned i = 0; i < Shape::kItemsPerLane && first_item + i < n; ++i)
          lane_result = op(lane_result, in[first_item + i]);
      }
      result = op(result, warp_reduce(warp, lane_result, op));
    }

    if (lane == 0) warp_results[warp_rank] = result;
    block.sync();
    if (warp_rank == 0) {
      T warp_result = lane < kWarps ? warp_results[lane] : T(op.identity());
      result = warp_reduce(warp, warp_result, op);
      if (lane == 0) results[block.group_index()] = result;
    }
  }
};

/// Returns the bytes of workspace of shuffle_reduce() for up to `capacity` items; grows with it.
template <class T>
size_t shuffle_reduce_bytes(uint64_t capacity) {
  uint32_t blocks = ShuffleReduceShape<T>::blocks(capacity);
  return blocks > 1 ? workspace_part(blocks * sizeof(T)) : 0;
}

/// Reduction by warp shuffles in two levels: at most 1024 blocks reduce a contiguous range of items
/// each, for any n, and one block reduces their results.
///
/// @param in         [n]
/// @param result     [1], receives in[0] op ... op in[n - 1], the identity for n = 0; must not
///                   overlap `in`
/// @param workspace  [>= shuffle_reduce_bytes<T>(capacity)], any contents
/// Reads n items and moves up to 2048. 1 kernel for up to 8 KiB of items, otherwise 2. For the same
/// n and capacity, items are combined in the same order on every device. Does not synchronize.
/// Harris, "Optimizing Parallel Reduction in CUDA", 2007, with the shuffles of later GPUs.
template <class Launcher, class T, Operator<T> Op = Sum<T>>
void shuffle_reduce(Launcher& launcher, Span<const std::type_identity_t<T>> in, ItemCount n,
                    Span<T> result, Span<std::byte> workspace, Op op = {}) {
  using Reduce = ReduceChunks<T, Op>;
  uint32_t blocks = ShuffleReduceShape<T>::blocks(n.capacity);
  if (blocks == 1) {
    launcher.launch(1, Reduce{.in = in, .results = result, .count = n, .op = op});
    return;
  }
  Span<T> results = WorkspaceCutter(workspace).take<T>(blocks);
  launcher.launch(blocks, Reduce{.in = in, .results = results, .count = n, .op = op});
  launcher.launch(1, Reduce{.in = results, .results = result, .count = {blocks}, .op = op});
}

}  // namespace compaction
