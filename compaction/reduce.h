#pragma once

#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_workspace.h"
#include "compaction/group/warp_reduce.h"
#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// The whole reduction in one kernel. Each warp combines one run of items, each block its warps.
/// Each block draws a ticket while its items are on their way; the one with the last ticket waits
/// for what all blocks publish, all of which run by then, and combines that.
///
/// A block that is alone needs neither, and is a kernel of its own: where there are so few items,
/// most of the time goes by until the instructions have come.
template <class T, Operator<T> Op, bool kAlone>
struct ReduceRuns {
  using Chunk = simt::Chunk<T>;
  using Packed = simt::Packed<T>;
  /// Fewer threads where there are few items and to pass one on takes several shuffles.
  static constexpr unsigned kBlockSize = kAlone && sizeof(T) > sizeof(uint64_t) ? 256 : 512;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kBlocksPerSm = 2;
  /// Loads under way: 64 bytes for each thread, 64 KiB for a multiprocessor.
  static constexpr unsigned kChunks = sizeof(Chunk) < 64 ? unsigned(64 / sizeof(Chunk)) : 1;
  /// What a warp combines at once.
  static constexpr unsigned kStepChunks = simt::kWarpSize * kChunks;
  static constexpr unsigned kStepItems = kStepChunks * Chunk::kItems;

  struct Shared {
    alignas(T) std::byte warp_results[kWarps * sizeof(T)];
    Ticket ticket;

    SIMT_KERNEL T& warp_result(unsigned warp) { return reinterpret_cast<T*>(warp_results)[warp]; }
  };

  const T* in;  ///< [item]
  T* result;    ///< [1]
  ItemCount count;
  Op op;
  TileQueue queue;
  TileStates<T> states;  ///< [block]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const bool first_thread = block.thread_rank() == 0;
    if constexpr (kAlone) {
      T sum = combine_warps(block, shared, reduce_run(warp, block.warp_rank(), kWarps));
      if (first_thread) *result = sum;
    } else {
      reduce_together(block, warp, shared, first_thread);
    }
  }

 private:
  SIMT_KERNEL void reduce_together(simt::Block auto& block, simt::Warp auto warp, Shared& shared,
                                   bool first_thread) const {
    const unsigned blocks = block.num_groups();
    Ticket drawn{};
    if (first_thread) {
      drawn = queue.draw();
      simt::prefetch(states.first_word(block.group_index()));  // is read as soon as it is written
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
      T share = published(block, ticket.epoch);
      // The results of the warps have been read, and lanes that waited alone are together again.
      block.sync();
      sum = combine_warps(block, shared, warp_reduce(warp, share, op));
      if (first_thread) *result = sum;
    }
    if (ticket.epoch == TileQueue::kLastEpoch) {
      block.sync();
      if (first_thread) queue.end_block(ticket.epoch, blocks, states.words);
    }
  }

  /// Items, of which a block that is alone has few.
  using Index = std::conditional_t<kAlone, uint32_t, uint64_t>;

  /// Chunks from the first aligned address on, and the items before and behind them, each less than
  /// a chunk.
  struct Cut {
    unsigned head, tail;
    Index chunks;
  };

  SIMT_KERNEL Cut cut(Index n) const {
    const unsigned misplaced = reinterpret_cast<uintptr_t>(in) / sizeof(T) % Chunk::kItems;
    const unsigned to_aligned = misplaced > 0 ? Chunk::kItems - misplaced : 0;
    const unsigned head = to_aligned < n ? to_aligned : unsigned(n);
    return {head, unsigned((n - head) % Chunk::kItems), (n - head) / Chunk::kItems};
  }

  /// Combines run number `run` of `runs`. The result is in lane 0.
  SIMT_KERNEL T reduce_run(simt::Warp auto warp, unsigned run, unsigned runs) const {
    static_assert(Chunk::kItems <= simt::kWarpSize, "a lane for each item of the edges");
    const unsigned lane = warp.thread_rank();
    const Index n = Index(count());
    const Cut items = cut(n);
    const bool in_head = run == 0 && lane < items.head;
    const bool in_tail = run == runs - 1 && lane < items.tail;
    T edge = op.identity();
    if (in_head || in_tail) edge = in[in_head ? lane : n - items.tail + lane];
    const Packed* chunks = reinterpret_cast<const Packed*>(in + items.head);

    if constexpr (kCommutes<Op>) {
      // Warps take rows in turn, so that all of them read from one place of the memory.
      const Index row = Index(runs) * simt::kWarpSize;
      T sum = op.identity();
      for (Index first = run * simt::kWarpSize; first < items.chunks; first += kChunks * row)
        sum = op(sum, combine_chunks(chunks, first + lane, row, items.chunks));
      edge = op(edge, sum);
      return warp_reduce(warp, edge, op);
    } else {
      // A run is one piece, and so is what a lane has of a step.
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

  /// Combines the chunks `first`, `first + pitch`, ... before `end`, kChunks at most, in order.
  SIMT_KERNEL T combine_chunks(const Packed* chunks, Index first, Index pitch, Index end) const {
    if constexpr (kAlone) {
      // Nothing is done for chunks that are not there: often most of them.
      Packed packed[kChunks]{};
      for (unsigned c = 0; c < kChunks; ++c)
        if (first + c * pitch < end) packed[c] = chunks[first + c * pitch];
      T sum = op.identity();
      for (unsigned c = 0; c < kChunks; ++c)
        if (first + c * pitch < end) sum = op(sum, combine_chunk(packed[c]));
      return sum;
    } else {
      Packed packed[kChunks];
      if (first + (kChunks - 1) * pitch < end) {
        // No branch between the loads, so that all are under way at once.
        for (unsigned c = 0; c < kChunks; ++c) packed[c] = chunks[first + c * pitch];
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

  SIMT_KERNEL T combine_chunk(const Packed& packed) const {
    const Chunk chunk = simt::unpack<T>(packed);
    T sum = chunk.items[0];
    for (unsigned i = 1; i < Chunk::kItems; ++i) sum = op(sum, chunk.items[i]);
    return sum;
  }

  /// This thread's share of what the blocks publish, combined in order.
  SIMT_KERNEL T published(simt::Block auto& block, uint32_t epoch) const {
    const uint32_t blocks = block.num_groups(), share = simt::ceil_div(blocks, kBlockSize);
    const uint32_t first = block.thread_rank() * share;
    T sum = op.identity();
    for (uint32_t other = first; other < first + share && other < blocks; ++other)
      sum = op(sum, states.wait(other, epoch).value);
    return sum;
  }

  /// Combines what lane 0 of each warp has, in order. The result is in thread 0.
  SIMT_KERNEL T combine_warps(simt::Block auto& block, Shared& shared, const T& value) const {
    simt::Warp auto warp = block.warp();
    const unsigned lane = warp.thread_rank();
    if (lane == 0) shared.warp_result(block.warp_rank()) = value;
    block.sync();
    return warp_reduce(warp, lane < kWarps ? shared.warp_result(lane) : T(op.identity()), op);
  }
};

/// Blocks that reduce() starts at most, and hence what it publishes.
inline constexpr unsigned kMaxReduceBlocks = 1024;

/// Bytes of workspace that reduce() needs, whatever the number of items.
template <class T>
size_t reduce_bytes() {
  return TileWorkspace<T>::bytes(kMaxReduceBlocks);
}

/// Reduction in a single pass: the library's fast path. Combines all items in order.
///
/// @param in         [n], n < 2^63 bytes
/// @param result     [1], receives the identity where there is no item; must not overlap `in`
/// @param op         associative; called with items, the identity and results of itself
/// @param workspace  [>= reduce_bytes<T>()], zeroed before its first use, then kept for these
///                   functions (select, partition, scan, reduce), one call at a time
/// Reads each item once. 1 kernel and nothing else. Does not synchronize. On one device the same
/// items are combined in the same way by every call with the same capacity.
template <class Launcher, class T, Operator<T> Op>
void reduce(Launcher& launcher, const T* in, ItemCount n, T* result, Op op,
            Span<std::byte> workspace) {
  using Kernel = ReduceRuns<T, Op, false>;
  using Alone = ReduceRuns<T, Op, true>;
  TileWorkspace<T> cut(workspace);
  auto run = [&]<class K>(uint64_t blocks, std::type_identity<K>) {
    launcher.launch(uint32_t(blocks), K{.in = in,
                                        .result = result,
                                        .count = n,
                                        .op = op,
                                        .queue = cut.queue,
                                        .states = cut.states});
  };
  uint64_t wanted = simt::ceil_div(n.capacity, Kernel::kStepItems * Kernel::kWarps);
  // One block that does two blocks' work is done before two that wait for each other.
  constexpr uint64_t kMaxAlone = 2;
  uint64_t most = uint64_t(launcher.multiprocessors()) * Kernel::kBlocksPerSm;
  if (most > kMaxReduceBlocks) most = kMaxReduceBlocks;
  if (wanted <= kMaxAlone)
    run(1, std::type_identity<Alone>());
  else
    run(wanted < most ? wanted : most, std::type_identity<Kernel>());
}

}  // namespace compaction
