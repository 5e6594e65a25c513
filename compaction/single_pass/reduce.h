// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/group/warp.h"
#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/loads.h"

namespace compaction {

/// Maximum number of shares of reduce(): four for each block of an H200, so that all blocks have as
/// many. Each share publishes one result.
inline constexpr unsigned kMaxReduceShares = 1056;

/// Items are divided into shares, whose number depends on the number of items alone. A block
/// combines every num_groups-th share and publishes the results. It draws a ticket while its items
/// are being loaded. The block with the last ticket waits until all results are published, and
/// combines them. Waiting is safe whatever else occupies the device: once the last ticket is drawn,
/// all blocks have started, and the others publish their results without waiting.
///
/// The order of combination depends on the number of items alone (README.md, "Order of
/// combination"), but not if every order gives the same result. Then items before the first vector
/// are combined first, so that all others are read by aligned vectors, and each block has one share
/// of every num_groups-th step, so that all blocks read one part of memory at a time: 2^24 items of
/// 4 bytes take 0.95 of the time (H200).
///
/// A single block needs neither tickets nor states. It has a separate kernel: with so few items,
/// most of the time is spent on fetching instructions.
///
/// @tparam Load    of the items (loads.h), which are converted to T
/// @tparam Result  `*result = value` stores the result
template <class T, Operator<T> Op, bool kSingleBlock, class Load = Items<T>, class Result = T*>
struct ReduceRuns {
  using In = Loaded<Load>;
  static constexpr bool kIsArray = std::is_same_v<Load, Items<In>>;
  /// Items per chunk: as many as one vector of the load holds, if the load has kVectorItems and
  /// every order gives the same result, otherwise those of simt::Chunk<In>.
  static constexpr bool kInMemoryVectors = kAnyOrder<Op, T> && requires { Load::kVectorItems; };
  static constexpr unsigned kItems = [] {
    if constexpr (kInMemoryVectors)
      return Load::kVectorItems;
    else
      return simt::Chunk<In>::kItems;
  }();
  using Chunk = std::conditional_t<kInMemoryVectors, ItemVector<In, kItems>, simt::Chunk<In>>;
  static constexpr bool kIsSingleBlock = kSingleBlock;
  static constexpr unsigned kBlockSize = 512;
  static constexpr unsigned kWarps = kBlockSize / simt::kWarpSize;
  static constexpr unsigned kBlocksPerSm = 2;
  /// Loads in flight: 64 bytes per thread, 64 KiB per multiprocessor.
  static constexpr unsigned kChunks = kInMemoryVectors     ? 4
                                      : sizeof(Chunk) < 64 ? unsigned(64 / sizeof(Chunk))
                                                           : 1;
  /// Chunks and items that a warp combines per step.
  static constexpr unsigned kStepChunks = simt::kWarpSize * kChunks;
  static constexpr unsigned kStepItems = kStepChunks * kItems;
  /// Maximum number of steps of a block that are one share.
  static constexpr unsigned kMaxForSingleBlock = 2;
  /// Whether a share has every num_groups-th step.
  static constexpr bool kStrides = kAnyOrder<Op, T> && kCommutes<Op>;
  /// Shares of a block whose results are combined at once: eight, fewer of large results.
  static constexpr unsigned kSlots =
      unsigned(std::clamp<size_t>((48 << 10) / (kWarps * sizeof(T)), 1, 8));

  struct Shared {
    alignas(T) std::byte warp_results[(kSingleBlock ? 1 : kSlots) * kWarps * sizeof(T)];
    Ticket ticket;

    SIMT_KERNEL T& warp_result(unsigned slot, unsigned warp) {
      return reinterpret_cast<T*>(warp_results)[slot * kWarps + warp];
    }
  };

  Load load;
  Result result;
  ItemCount count;
  Op op;
  TileQueue queue;
  TileStates<T> states;  ///< [share]

  /// Returns the number of steps of a block for `n` items.
  SIMT_HOST_DEVICE static constexpr uint64_t steps_of(uint64_t n) {
    return simt::ceil_div(n, kStepItems * kWarps);
  }
  /// Returns the number of shares of this many steps.
  SIMT_HOST_DEVICE static constexpr uint32_t shares_of(uint64_t steps) {
    return steps <= kMaxForSingleBlock ? 1
           : steps < kMaxReduceShares  ? uint32_t(steps)
                                       : kMaxReduceShares;
  }

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    simt::Warp auto warp = block.warp();
    const bool first_thread = block.thread_rank() == 0;
    if constexpr (kSingleBlock) {
      prefetch(block);
      const Parts items = all_items();
      T sum = combine_warps(block, shared,
                            reduce_part(warp, block.warp_rank(), items, {0, items.steps(), 1}));
      if (first_thread) *result = sum;
    } else {
      reduce_across_blocks(block, warp, shared, first_thread);
    }
  }

 private:
  /// Prefetches the first items of a single block before their vectors are found: 2^12 items of 4
  /// bytes that are not in L2 take 0.95 of the time. More than 128 lines take longer (H200).
  SIMT_KERNEL void prefetch(simt::Block auto& block) const {
    constexpr unsigned kLines = 128;
    constexpr unsigned kLineItems = unsigned(simt::ceil_div(simt::kLineBytes, sizeof(In)));
    if (count.on_device || block.thread_rank() >= kLines) return;
    if (const unsigned item = block.thread_rank() * kLineItems; item < count.capacity)
      prefetch_item(load, item);
  }

  SIMT_KERNEL void reduce_across_blocks(simt::Block auto& block, simt::Warp auto warp,
                                        Shared& shared, bool first_thread) const {
    const unsigned blocks = block.num_groups();
    Ticket drawn{};
    if (first_thread) {
      drawn = queue.draw();
      simt::prefetch(states.first_word(block.group_index()));  // read soon after it is written
    }
    const Parts items = all_items();
    const uint64_t steps = items.steps();
    const uint32_t shares = kStrides ? blocks : shares_of(steps);
    for (uint32_t first = block.group_index(); first == block.group_index() || first < shares;
         first += kSlots * blocks) {
      if (first != block.group_index()) block.sync();  // the results of the warps have been read
      for (unsigned slot = 0; slot < kSlots && first + slot * blocks < shares; ++slot) {
        const Steps part = steps_of_share(steps, first + slot * blocks, shares);
        const T sum = reduce_part(warp, block.warp_rank(), items, part);
        if (warp.thread_rank() == 0) shared.warp_result(slot, block.warp_rank()) = sum;
      }
      if (first_thread && first == block.group_index()) {
        queue.after_draw(drawn, blocks);
        shared.ticket = drawn;
      }
      block.sync();
      for (unsigned slot = block.warp_rank(); slot < kSlots && first + slot * blocks < shares;
           slot += kWarps) {
        const T sum = combine_results(warp, shared, slot);
        if (warp.thread_rank() == 0)
          states.publish(first + slot * blocks, shared.ticket.epoch, TileStatus::kAggregate, sum);
      }
    }

    const Ticket ticket = shared.ticket;
    if (ticket.tile == blocks - 1) {
      const T part = combine_published(block, ticket.epoch, shares);
      // The results of the warps have been read, and the lanes of each warp have reconverged.
      block.sync();
      const T sum = combine_warps(block, shared, warp_reduce(warp, part, op));
      if (first_thread) *result = sum;
    }
    if (ticket.epoch == TileQueue::kLastEpoch) {
      block.sync();
      if (first_thread) queue.end_block(ticket.epoch, blocks, states.words);
    }
  }

  /// Index of an item; 32 bits are enough for a single block.
  using Index = std::conditional_t<kSingleBlock, uint32_t, uint64_t>;

  /// The steps `begin`, `begin + distance`, ... below `end`.
  struct Steps {
    Index begin, end;
    uint32_t distance;
  };

  /// Returns the steps of a share. The first shares have one step more if they are not equal.
  SIMT_KERNEL static Steps steps_of_share(uint64_t steps, uint32_t share, uint32_t shares) {
    if (kStrides) return {share, steps, shares};
    if (steps == shares) return {share, share + uint64_t(1), 1};
    // A division by 64 bits takes a hundred instructions.
    const uint64_t each = steps >> 32 == 0 ? uint32_t(steps) / shares : steps / shares;
    const uint64_t more = steps - each * shares;
    const uint64_t begin = each * share + (share < more ? share : more);
    return {begin, begin + each + (share < more), 1};
  }

  /// The items in whole chunks; those before them, one in each lane of the first warp; and those
  /// after them.
  struct Parts {
    Index chunks;
    unsigned head, tail;
    bool aligned;  ///< whether whole chunks are loaded at once

    SIMT_KERNEL Index steps() const { return simt::ceil_div(chunks, kStepChunks * kWarps); }
  };

  SIMT_KERNEL Parts all_items() const {
    static_assert(kItems <= simt::kWarpSize, "a lane for each item before the first chunk");
    const Index n = Index(count());
    unsigned head = 0;
    bool aligned = true;
    if constexpr (kAnyOrder<Op, T> && requires { load.template misplaced<kItems>(); }) {
      if (const unsigned misplaced = load.template misplaced<kItems>(); misplaced > 0)
        head = kItems - misplaced;
      if (head > n) head = unsigned(n);
    } else {
      aligned = has_aligned_chunks<kItems>(load);
    }
    return {(n - head) / kItems, head, unsigned((n - head) % kItems), aligned};
  }

  /// Combines a warp's part of the items of some steps of a block. The result is in lane 0.
  SIMT_KERNEL T reduce_part(simt::Warp auto warp, unsigned warp_rank, const Parts& items,
                            const Steps& part) const {
    const unsigned lane = warp.thread_rank();
    T sum = op.identity(), tail = op.identity();
    // The first warp of the first share has the items before the chunks, one in each lane, and the
    // last warp of the last share (with kStrides, of the first share) has those after them.
    const bool is_first = part.begin == 0;
    const bool is_last = kStrides ? is_first : part.end == items.steps();
    if (kAnyOrder<Op, T> && is_first && warp_rank == 0 && lane < items.head) sum = T(load(lane));
    if (is_last && warp_rank == kWarps - 1 && lane < items.tail)
      tail = T(load(first_item(items, items.chunks) + lane));
    if constexpr (kCommutes<Op>) {
      // A lane combines chunks that are a warp apart, so that a warp reads whole lines.
      for_each_step(items, (part.begin * kWarps + warp_rank) * kStepChunks,
                    Index(part.distance) * (kBlockSize * kChunks), part,
                    [&](auto combine, Index first) {
                      sum = op(sum, combine(first + lane, simt::kWarpSize));
                    });
      return warp_reduce(warp, T(op(sum, tail)), op);
    } else {
      // The items of a warp are contiguous, and so are the items of a lane in a step.
      const Index steps = part.end - part.begin;
      sum = warp_reduce(warp, sum, op);
      for_each_step(items, (part.begin * kWarps + warp_rank * steps) * kStepChunks, kStepChunks,
                    part, [&](auto combine, Index first) {
                      sum = op(sum, warp_reduce(warp, combine(first + lane * kChunks, 1), op));
                    });
      return op(sum, warp_reduce(warp, tail, op));
    }
  }

  /// Calls `use(combine, first)` for each step of a warp, which begins at chunk `first`, then
  /// `distance` chunks later, and so on; `combine(chunk, pitch)` combines kChunks chunks of a lane
  /// in order: `chunk`, `chunk + pitch`, and so on.
  template <class Use>
  SIMT_KERNEL void for_each_step(const Parts& items, Index first, Index distance, const Steps& part,
                                 Use use) const {
    auto some = [&](Index chunk, unsigned pitch) { return combine_some(items, chunk, pitch); };
    auto misplaced = [&](Index chunk, unsigned pitch) {
      return combine_misplaced(items, chunk, pitch);
    };
    Index step = part.begin;
    if constexpr (kSingleBlock) {
      for (; step < part.end; ++step, first += distance)
        use(
            [&](Index chunk, unsigned pitch) {
              return items.aligned ? some(chunk, pitch) : misplaced(chunk, pitch);
            },
            first);
    } else if (items.aligned) {
      auto whole = [&](Index chunk, unsigned pitch) { return combine_whole(items, chunk, pitch); };
#if defined(__CUDACC__)
#pragma unroll 1  // as many loads are in flight as in any step
#endif
      for (; step < part.end && first + kStepChunks <= items.chunks;
           step += part.distance, first += distance)
        use(whole, first);
      if (step < part.end) use(some, first);  // the steps that follow it have no items
    } else {
      for (; step < part.end; step += part.distance, first += distance) use(misplaced, first);
    }
  }

  /// No branch between the loads, so that all of them are in flight together.
  SIMT_KERNEL T combine_whole(const Parts& items, Index chunk, unsigned pitch) const {
    Whole whole[kChunks];
    for (unsigned c = 0; c < kChunks; ++c) whole[c] = load_whole(items, chunk + c * pitch);
    T sum = combine_chunk(unpack(whole[0]));
    for (unsigned c = 1; c < kChunks; ++c)
      sum = combine_items(sum, combine_chunk(unpack(whole[c])));
    return sum;
  }

  /// Skips chunks beyond the last one. In a single block, these are often the majority.
  SIMT_KERNEL T combine_some(const Parts& items, Index chunk, unsigned pitch) const {
    Whole whole[kChunks]{};
    for (unsigned c = 0; c < kChunks; ++c)
      if (const Index i = chunk + c * pitch; i < items.chunks) whole[c] = load_whole(items, i);
    T sum = op.identity();
    for (unsigned c = 0; c < kChunks; ++c) {
      const Index i = chunk + c * pitch;
      if (i < items.chunks) sum = op(sum, combine_chunk(unpack(whole[c])));
    }
    return sum;
  }

  /// A chunk of an array is loaded by one vector access.
  using Whole = std::conditional_t<kIsArray, simt::Packed<In>, Chunk>;
  SIMT_KERNEL static Chunk unpack(const Whole& whole) {
    if constexpr (kIsArray)
      return simt::unpack<In>(whole);
    else
      return whole;
  }
  SIMT_KERNEL Whole load_whole(const Parts& items, Index chunk) const {
    if constexpr (kIsArray) {
      return reinterpret_cast<const Whole*>(load.items + items.head)[chunk];
    } else {
      Chunk whole;
      load_chunk(load, first_item(items, chunk), whole.items);
      return whole;
    }
  }
  SIMT_KERNEL Chunk load_items(const Parts& items, Index chunk) const {
    Chunk loaded;
    // Other items are loaded faster one by one (H200).
    if constexpr (!kIsArray && sizeof(In) < sizeof(uint32_t) && kHasChunksAcross<Load, kItems>) {
      if (chunk > 0 && chunk + 1 < items.chunks) {
        load_chunk_across(load, first_item(items, chunk), loaded.items);
        return loaded;
      }
    }
    for (unsigned j = 0; j < kItems; ++j) loaded.items[j] = load(first_item(items, chunk) + j);
    return loaded;
  }
  /// Returns the index of the first item of a chunk.
  SIMT_KERNEL static uint64_t first_item(const Parts& items, Index chunk) {
    return items.head + uint64_t(chunk) * kItems;
  }

  /// Combines chunks at addresses where no vector begins.
  SIMT_KERNEL T combine_misplaced(const Parts& items, Index chunk, unsigned pitch) const {
    Chunk loaded[kChunks]{};
    for (unsigned c = 0; c < kChunks; ++c)
      if (const Index i = chunk + c * pitch; i < items.chunks) loaded[c] = load_items(items, i);
    T sum = op.identity();
    for (unsigned c = 0; c < kChunks; ++c)
      if (chunk + c * pitch < items.chunks) sum = op(sum, combine_chunk(loaded[c]));
    return sum;
  }

  /// Combines values of which the first has earlier items, by `op.in_order()` if the operator has
  /// it. Neither may be the identity.
  SIMT_KERNEL T combine_items(const T& a, const T& b) const {
    if constexpr (requires { op.in_order(a, b); })
      return op.in_order(a, b);
    else
      return op(a, b);
  }
  SIMT_KERNEL T combine_chunk(const Chunk& chunk) const {
    T sum = T(chunk.items[0]);
    for (unsigned i = 1; i < kItems; ++i) sum = combine_items(sum, T(chunk.items[i]));
    return sum;
  }

  /// Combines this thread's part of the results that the blocks publish, in order. All results are
  /// read together; most have been published by then.
  SIMT_KERNEL T combine_published(simt::Block auto& block, uint32_t epoch, uint32_t shares) const {
    constexpr uint32_t kMaxPart = simt::ceil_div(kMaxReduceShares, kBlockSize);
    const uint32_t part = simt::ceil_div(shares, kBlockSize);
    const uint32_t first = block.thread_rank() * part;
    auto has = [&](uint32_t i) { return i < part && first + i < shares; };
    uint64_t words[kMaxPart][TileStates<T>::kWords] = {};
    for (uint32_t i = 0; i < kMaxPart; ++i)
      if (has(i)) simt::load_relaxed(states.first_word(first + i), words[i]);
    T sum = op.identity();
    for (uint32_t i = 0; i < kMaxPart; ++i) {
      if (!has(i)) break;
      const auto state = TileStates<T>::state_of(words[i], epoch);
      sum = op(sum, state.status != TileStatus::kInvalid ? state.value
                                                         : states.wait(first + i, epoch).value);
    }
    return sum;
  }

  /// Combines the values of lane 0 of each warp, in order. The result is in thread 0.
  SIMT_KERNEL T combine_warps(simt::Block auto& block, Shared& shared, const T& value) const {
    simt::Warp auto warp = block.warp();
    if (warp.thread_rank() == 0) shared.warp_result(0, block.warp_rank()) = value;
    block.sync();
    return combine_results(warp, shared, 0);
  }
  SIMT_KERNEL T combine_results(simt::Warp auto warp, Shared& shared, unsigned slot) const {
    const unsigned lane = warp.thread_rank();
    return warp_reduce(warp, lane < kWarps ? shared.warp_result(slot, lane) : T(op.identity()), op);
  }
};

/// Returns the bytes of workspace that reduce() needs for any number of items.
template <class T>
size_t reduce_bytes() {
  return TileWorkspace<T>::bytes(kMaxReduceShares);
}

/// Reduction in a single pass: the library's fast path. Combines all items in order.
///
/// @param load       items (loads.h) of T or of a type that is converted to T; called once for each
///                   i in [0, n), n < 2^63 bytes
/// @param result     `*result = value` stores the result, the identity if there are no items; must
///                   not overlap what `load` reads
/// @param op         associative; called with items, the identity and results of itself
/// @param workspace  [>= reduce_bytes<T>()], zeroed before its first use, then kept for these
///                   functions (select, partition, scan, reduce), one call at a time
/// Loads each item once. 1 kernel. Does not synchronize. The result depends on the items and their
/// types alone, bit by bit, whatever the device, the capacity and the address: README.md, "Order of
/// combination".
template <class T, class Launcher, class Load, class Result, Operator<T> Op>
void reduce_to(Launcher& launcher, Load load, ItemCount n, Result result, Op op,
               Span<std::byte> workspace) {
  using Kernel = ReduceRuns<T, Op, false, Load, Result>;
  using SingleBlock = ReduceRuns<T, Op, true, Load, Result>;
  TileWorkspace<T> parts(workspace);
  auto run = [&]<class K>(uint64_t blocks, std::type_identity<K>) {
    launcher.launch(uint32_t(blocks), K{.load = load,
                                        .result = result,
                                        .count = n,
                                        .op = op,
                                        .queue = parts.queue,
                                        .states = parts.states});
  };
  const uint64_t steps = Kernel::steps_of(n.capacity);
  const uint64_t resident = uint64_t(launcher.multiprocessors()) * Kernel::kBlocksPerSm;
  // One block is faster than two blocks that wait for each other.
  if (steps <= Kernel::kMaxForSingleBlock)
    run(1, std::type_identity<SingleBlock>());
  else
    run(std::min<uint64_t>(Kernel::shares_of(steps), resident), std::type_identity<Kernel>());
}

/// Reduction of an array, see reduce_to().
///
/// @param in  [n], of T or of a type that is converted to T
template <class Launcher, class In, class T, Operator<T> Op>
void reduce(Launcher& launcher, const In* in, ItemCount n, T* result, Op op,
            Span<std::byte> workspace) {
  reduce_to<T>(launcher, Items<In>{in}, n, result, op, workspace);
}

/// Reduction of a load, with the bits of reduce() of an array of its items. See reduce_to().
template <class Launcher, class Load, class Op>
void reduce_loaded(Launcher& launcher, Load load, ItemCount n, Loaded<Load>* result, Op op,
                   Span<std::byte> workspace) {
  reduce_to<Loaded<Load>>(launcher, load, n, result, op, workspace);
}

}  // namespace compaction
