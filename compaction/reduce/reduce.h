#pragma once

#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/tile_workspace.h"
#include "compaction/group/warp_reduce.h"
#include "compaction/reduce/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// The whole reduction in one kernel. Each warp combines one run of items, each block its warps;
/// the block with the last ticket waits for what the others publish and combines that.
template <class T, Operator<T> Op>
struct ReduceRuns {
  using Chunk = simt::Chunk<T>;
  static constexpr unsigned kBlockSize = 256;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kBlocksPerSm = 4;
  /// Loads under way: 64 bytes for each thread, 64 KiB for a multiprocessor.
  static constexpr unsigned kChunks = sizeof(Chunk) < 64 ? unsigned(64 / sizeof(Chunk)) : 1;
  static constexpr unsigned kStepItems = simt::kWarpSize * kChunks * Chunk::kItems;

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
    const unsigned blocks = block.num_groups();
    if (block.thread_rank() == 0) {
      shared.ticket = queue.draw();
      queue.after_draw(shared.ticket, blocks);
    }
    block.sync();
    const Ticket ticket = shared.ticket;

    T sum = combine_warps(
        block, shared, reduce_run(warp, ticket.tile * kWarps + block.warp_rank(), blocks * kWarps));
    if (ticket.tile + 1 < blocks) {
      if (block.thread_rank() == 0)
        states.publish(ticket.tile, ticket.epoch, TileStatus::kAggregate, sum);
    } else {
      block.sync();  // the results of the warps have been read
      T before = combine_warps(block, shared, reduce_blocks(warp, block.warp_rank(), ticket));
      if (block.thread_rank() == 0) *result = op(before, sum);
    }
    if (ticket.epoch == TileQueue::kLastEpoch) {
      block.sync();
      if (block.thread_rank() == 0) queue.end_block(ticket.epoch, blocks, states.words);
    }
  }

 private:
  /// Combines run number `run` of `runs`, in order. The result is in lane 0.
  SIMT_KERNEL T reduce_run(simt::Warp auto warp, unsigned run, unsigned runs) const {
    const unsigned lane = warp.thread_rank();
    // Items lie in slots from an aligned address on; the slots before the first hold none.
    const uint64_t head = reinterpret_cast<uintptr_t>(in) / sizeof(T) % Chunk::kItems;
    const uint64_t n = count(), end = n > 0 ? head + n : 0;
    const uint64_t steps = simt::ceil_div(end, kStepItems);
    const uint64_t run_steps = simt::ceil_div(steps, runs);
    const uint64_t first = run * run_steps < steps ? run * run_steps : steps;
    const uint64_t last = first + run_steps < steps ? first + run_steps : steps;

    T sum = op.identity();
    for (uint64_t step = first; step < last; ++step) {
      const uint64_t slot = step * kStepItems + lane * Chunk::kItems;
      const bool whole = step * kStepItems >= head && (step + 1) * kStepItems <= end;
      Chunk chunks[kChunks];
      for (unsigned c = 0; c < kChunks; ++c) {
        uint64_t at = slot + c * simt::kWarpSize * Chunk::kItems;
        if (whole) {
          chunks[c] = *reinterpret_cast<const Chunk*>(in + at - head);
        } else {
          for (unsigned i = 0; i < Chunk::kItems; ++i)
            chunks[c].items[i] =
                at + i >= head && at + i < end ? in[at + i - head] : T(op.identity());
        }
      }
      for (const Chunk& chunk : chunks) {
        T chunk_sum = chunk.items[0];
        for (unsigned i = 1; i < Chunk::kItems; ++i) chunk_sum = op(chunk_sum, chunk.items[i]);
        // Lanes hold neighbours only within a chunk: without commutativity its order comes first.
        if constexpr (!kCommutes<Op>) chunk_sum = warp_reduce(warp, chunk_sum, op);
        sum = op(sum, chunk_sum);
      }
    }
    if constexpr (kCommutes<Op>) sum = warp_reduce(warp, sum, op);
    return sum;
  }

  /// Combines this warp's share of what the blocks before this one publish, in order. The result is
  /// in lane 0.
  SIMT_KERNEL T reduce_blocks(simt::Warp auto warp, unsigned warp_rank, Ticket ticket) const {
    const uint32_t share = simt::ceil_div(ticket.tile, kWarps);
    const uint32_t first = warp_rank * share < ticket.tile ? warp_rank * share : ticket.tile;
    const uint32_t last = first + share < ticket.tile ? first + share : ticket.tile;
    T sum = op.identity();
    for (uint32_t row = first; row < last; row += simt::kWarpSize) {
      uint32_t other = row + warp.thread_rank();
      T value = other < last ? states.wait(other, ticket.epoch).value : T(op.identity());
      sum = op(sum, warp_reduce(warp, value, op));
    }
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
inline constexpr unsigned kMostReduceBlocks = 1024;

/// Bytes of workspace that reduce() needs, whatever the number of items.
template <class T>
size_t reduce_bytes() {
  return TileWorkspace<T>::bytes(kMostReduceBlocks);
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
  using Kernel = ReduceRuns<T, Op>;
  uint64_t wanted =
      simt::ceil_div(n.capacity + Kernel::Chunk::kItems - 1, Kernel::kStepItems * Kernel::kWarps);
  uint64_t most = uint64_t(launcher.multiprocessors()) * Kernel::kBlocksPerSm;
  if (most > kMostReduceBlocks) most = kMostReduceBlocks;
  uint64_t blocks = wanted < most ? wanted : most;

  TileWorkspace<T> cut(workspace);
  launcher.launch(uint32_t(blocks > 0 ? blocks : 1), Kernel{.in = in,
                                                            .result = result,
                                                            .count = n,
                                                            .op = op,
                                                            .queue = cut.queue,
                                                            .states = cut.states});
}

}  // namespace compaction
