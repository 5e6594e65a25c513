// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Each block draws a ticket while its items are being loaded. The block with the last ticket waits
/// until all blocks have published their results, and combines them. Waiting is safe whatever else
/// occupies the device: once the last ticket is drawn, all blocks have started, and the others
/// publish their results without waiting.
///
/// A single block needs neither tickets nor states. It has a separate kernel: with so few items,
/// most of the time is spent on fetching instructions.
template <class T, Operator<T> Op, bool kSingleBlock, class In = T>
struct ReduceRuns {
  using Chunk = simt::Chunk<In>;
  using Packed = simt::Packed<In>;
  /// Fewer threads if there are few items and a shuffle of one item takes several instructions.
  static constexpr unsigned kBlockSize = kSingleBlock && sizeof(T) > sizeof(uint64_t) ? 256 : 512;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kBlocksPerSm = 2;
  /// Limit for simt::cuda::Begin::kOverlapped. Each block has a fixed share of the items. If there
  /// is more than one block per multiprocessor, they are distributed unevenly while another kernel
  /// runs: up to 25 % slower on an H200.
  static constexpr uint32_t kMaxOverlappedBlocks = 128;
  /// Loads in flight: 64 bytes per thread, 64 KiB per multiprocessor.
  static constexpr unsigned kChunks = sizeof(Chunk) < 64 ? unsigned(64 / sizeof(Chunk)) : 1;
  /// Chunks and items that a warp combines per step.
  static constexpr unsigned kStepChunks = simt::kWarpSize * kChunks;
  static constexpr unsigned kStepItems = kStepChunks * Chunk::kItems;

  struct Shared {
    alignas(T) std::byte warp_results[kWarps * sizeof(T)];
    Ticket ticket;

    SIMT_KERNEL T& warp_result(unsigned warp) { return reinterpret_cast<T*>(warp_results)[warp]; }
  };

  const In* in;  ///< [item]
  T* result;     ///< [1]
  ItemCount count;
  Op op;
  TileQueue queue;
  TileStates<T> states;  ///< [block]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const bool first_thread = block.thread_rank() == 0;
    if constexpr (kSingleBlock) {
      T sum = combine_warps(block, shared, reduce_run(warp, block.warp_rank(), kWarps));
      if (first_thread) *result = sum;
    } else {
      reduce_across_blocks(block, warp, shared, first_thread);
    }
  }

 private:
  SIMT_KERNEL void reduce_across_blocks(simt::Block auto& block, simt::Warp auto warp,
                                        Shared& shared, bool first_thread) const {
    const unsigned blocks = block.num_groups();
    Ticket drawn{};
    if (first_thread) {
      drawn = queue.draw();
      simt::prefetch(states.first_word(block.group_index()));  // read soon after it is written
    }
    T sum = reduce_run(warp, block.group_index() * kWarps + block.warp_rank(), blocks * kWarps);
    if (first_thread) {
      queue.after_draw(drawn, blocks);
      shared.ticket = drawn;
    }
    sum = combine_warps(block, shared, sum);

    const Ticket ticket = shared.ticket;
    if (first_thread)
      states.publish(block.group_index(), ticket.epoch, TileStatus::kAggregate, sum);
    if (ticket.tile == blocks - 1) {
      T share = combine_published(block, ticket.epoch);
      // The results of the warps have been read, and the lanes of each warp have reconverged.
      block.sync();
      sum = combine_warps(block, shared, warp_reduce(warp, share, op));
      if (first_thread) *result = sum;
    }
    if (ticket.epoch == TileQueue::kLastEpoch) {
      block.sync();
      if (first_thread) queue.end_block(ticket.epoch, blocks, states.words);
    }
  }

  /// Index of an item; 32 bits are enough for a single block.
  using Index = std::conditional_t<kSingleBlock, uint32_t, uint64_t>;

  /// Number of aligned chunks, and of the items before and after them, each less than a chunk.
  struct Parts {
    unsigned head, tail;
    Index chunks;
  };

  SIMT_KERNEL Parts parts_of(Index n) const {
    const unsigned misplaced = reinterpret_cast<uintptr_t>(in) / sizeof(In) % Chunk::kItems;
    const unsigned to_aligned = misplaced > 0 ? Chunk::kItems - misplaced : 0;
    const unsigned head = to_aligned < n ? to_aligned : unsigned(n);
    return {head, unsigned((n - head) % Chunk::kItems), (n - head) / Chunk::kItems};
  }

  /// Combines the items of warp `run` of `runs`. The result is in lane 0.
  SIMT_KERNEL T reduce_run(simt::Warp auto warp, unsigned run, unsigned runs) const {
    static_assert(Chunk::kItems <= simt::kWarpSize, "a lane for each item of head or tail");
    const unsigned lane = warp.thread_rank();
    const Index n = Index(count());
    const Parts items = parts_of(n);
    const bool in_head = run == 0 && lane < items.head;
    const bool in_tail = run == runs - 1 && lane < items.tail;
    T edge = op.identity();
    if (in_head || in_tail) edge = T(in[in_head ? lane : n - items.tail + lane]);
    const Packed* chunks = reinterpret_cast<const Packed*>(in + items.head);

    if constexpr (kCommutes<Op>) {
      // Rows are distributed cyclically over the warps, so that all of them read nearby addresses.
      const Index row = Index(runs) * simt::kWarpSize;
      T sum = op.identity();
      for (Index first = run * simt::kWarpSize; first < items.chunks; first += kChunks * row)
        sum = op(sum, combine_chunks(chunks, first + lane, row, items.chunks));
      edge = op(edge, sum);
      return warp_reduce(warp, edge, op);
    } else {
      // The items of a warp are contiguous, and so are the items of a lane in a step.
      const Index steps = simt::ceil_div(items.chunks, kStepChunks);
      const Index run_chunks = simt::ceil_div(steps, runs) * kStepChunks;
      const Index begin = run * run_chunks;
      const Index end = begin + run_chunks < items.chunks ? begin + run_chunks : items.chunks;
      T sum = op.identity();
      for (Index first = begin; first < end; first += kStepChunks)
        sum =
            op(sum, warp_reduce(warp, combine_chunks(chunks, first + lane * kChunks, 1, end), op));
      edge = warp_reduce(warp, edge, op);
      return run == 0 ? op(edge, sum) : op(sum, edge);
    }
  }

  /// Combines the chunks `first`, `first + pitch`, ... before `end`, at most kChunks, in order.
  SIMT_KERNEL T combine_chunks(const Packed* chunks, Index first, Index pitch, Index end) const {
    if constexpr (kSingleBlock) {
      // Does no work for chunks beyond `end`, often the majority.
      return combine_some_chunks(chunks, first, pitch, end);
    } else {
      Packed packed[kChunks];
      if (first + (kChunks - 1) * pitch < end) {
        // No branch between the loads, so that all of them are in flight together.
        for (unsigned c = 0; c < kChunks; ++c) packed[c] = chunks[first + c * pitch];
      } else if constexpr (!std::is_same_v<In, T>) {
        return combine_some_chunks(chunks, first, pitch, end);
      } else {
        Chunk none;
        for (T& item : none.items) item = op.identity();
        for (Packed& chunk : packed) chunk = simt::pack(none);
        for (unsigned c = 0; c < kChunks; ++c)
          if (first + c * pitch < end) packed[c] = chunks[first + c * pitch];
      }
      T sum = combine_chunk(packed[0]);
      for (unsigned c = 1; c < kChunks; ++c) sum = op(sum, combine_chunk(packed[c]));
      return sum;
    }
  }

  SIMT_KERNEL T combine_some_chunks(const Packed* chunks, Index first, Index pitch,
                                    Index end) const {
    Packed packed[kChunks]{};
    for (unsigned c = 0; c < kChunks; ++c)
      if (first + c * pitch < end) packed[c] = chunks[first + c * pitch];
    T sum = op.identity();
    for (unsigned c = 0; c < kChunks; ++c)
      if (first + c * pitch < end) sum = op(sum, combine_chunk(packed[c]));
    return sum;
  }

  SIMT_KERNEL T combine_chunk(const Packed& packed) const {
    const Chunk chunk = simt::unpack<In>(packed);
    T sum = T(chunk.items[0]);
    for (unsigned i = 1; i < Chunk::kItems; ++i) sum = op(sum, T(chunk.items[i]));
    return sum;
  }

  /// Combines this thread's share of the results that the blocks publish, in order.
  SIMT_KERNEL T combine_published(simt::Block auto& block, uint32_t epoch) const {
    const uint32_t blocks = block.num_groups(), share = simt::ceil_div(blocks, kBlockSize);
    const uint32_t first = block.thread_rank() * share;
    T sum = op.identity();
    for (uint32_t other = first; other < first + share && other < blocks; ++other)
      sum = op(sum, states.wait(other, epoch).value);
    return sum;
  }

  /// Combines the values of lane 0 of each warp, in order. The result is in thread 0.
  SIMT_KERNEL T combine_warps(simt::Block auto& block, Shared& shared, const T& value) const {
    simt::Warp auto warp = block.warp();
    const unsigned lane = warp.thread_rank();
    if (lane == 0) shared.warp_result(block.warp_rank()) = value;
    block.sync();
    return warp_reduce(warp, lane < kWarps ? shared.warp_result(lane) : T(op.identity()), op);
  }
};

/// Maximum number of blocks that reduce() starts; each publishes one result.
inline constexpr unsigned kMaxReduceBlocks = 1024;

/// Returns the bytes of workspace that reduce() needs for any number of items.
template <class T>
size_t reduce_bytes() {
  return TileWorkspace<T>::bytes(kMaxReduceBlocks);
}

/// Reduction in a single pass: the library's fast path. Combines all items in order.
///
/// @param in         [n], n < 2^63 bytes, of T or of a type that is converted to T
/// @param result     [1], receives the identity if there are no items; must not overlap `in`
/// @param op         associative; called with items, the identity and results of itself
/// @param workspace  [>= reduce_bytes<T>()], zeroed before its first use, then kept for these
///                   functions (select, partition, scan, reduce), one call at a time
/// Reads each item once. 1 kernel. Does not synchronize. On one device, calls with the same
/// capacity combine the same items in the same order.
template <class Launcher, class In, class T, Operator<T> Op>
void reduce(Launcher& launcher, const In* in, ItemCount n, T* result, Op op,
            Span<std::byte> workspace) {
  using Kernel = ReduceRuns<T, Op, false, In>;
  using SingleBlock = ReduceRuns<T, Op, true, In>;
  TileWorkspace<T> parts(workspace);
  auto run = [&]<class K>(uint64_t blocks, std::type_identity<K>) {
    launcher.launch(uint32_t(blocks), K{.in = in,
                                        .result = result,
                                        .count = n,
                                        .op = op,
                                        .queue = parts.queue,
                                        .states = parts.states});
  };
  uint64_t wanted = simt::ceil_div(n.capacity, Kernel::kStepItems * Kernel::kWarps);
  // One block is faster than two blocks that wait for each other.
  constexpr uint64_t kMaxForSingleBlock = 2;
  uint64_t max_blocks = uint64_t(launcher.multiprocessors()) * Kernel::kBlocksPerSm;
  if (max_blocks > kMaxReduceBlocks) max_blocks = kMaxReduceBlocks;
  if (wanted <= kMaxForSingleBlock)
    run(1, std::type_identity<SingleBlock>());
  else
    run(wanted < max_blocks ? wanted : max_blocks, std::type_identity<Kernel>());
}

}  // namespace compaction
