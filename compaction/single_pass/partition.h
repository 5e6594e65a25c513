// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/select.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/sources.h"

namespace compaction {

/// Returns the bytes of workspace of partition() for up to `capacity` items; grows with it.
template <class Source, class Sink>
size_t partition_bytes(uint64_t capacity) {
  return run_tiles_bytes<SelectJob<Source, Sink, RejectedTo<Sink>>>(capacity);
}

/// Stable partition into two outputs in a single pass, both in the order of the items.
///
/// @param source     which items are selected (sources.h); n <= 2^40
/// @param selected   what is written of each selected item (sinks.h); must not overlap anything
///                   else
/// @param rejected   what is written of each other item; must not overlap anything else
/// @param result     where the number of selected items is written
/// @param workspace  [>= partition_bytes<Source, Sink>(capacity)], see run_pipeline()
/// Reads and writes each item once, and 8 bytes for each tile. 1 kernel. Does not synchronize.
template <class Launcher, class Source, class Sink>
void partition(Launcher& launcher, const Source& source, const Sink& selected, const Sink& rejected,
               ItemCount n, const SelectedCount& result, Span<std::byte> workspace) {
  using Job = SelectJob<Source, Sink, RejectedTo<Sink>>;
  run_tiles(launcher, Job{source, selected, {rejected, {}}, result}, n, workspace);
}

/// Returns the bytes of workspace for up to `capacity` items; grows with it.
template <class Source, class Sink>
size_t partition_in_one_reversed_bytes(uint64_t capacity) {
  return run_tiles_bytes<SelectJob<Source, Sink, RejectedReversed<Sink>>>(capacity);
}

/// Partition into one output in a single pass: the selected items in order, then the others in
/// reverse order. Faster than partition_in_one(), which must count all items first.
///
/// @param sink  an output of n places; must not overlap anything else
/// Otherwise like partition().
template <class Launcher, class Source, class Sink>
void partition_in_one_reversed(Launcher& launcher, const Source& source, const Sink& sink,
                               ItemCount n, const SelectedCount& result,
                               Span<std::byte> workspace) {
  using Job = SelectJob<Source, Sink, RejectedReversed<Sink>>;
  run_tiles(launcher, Job{source, sink, {sink}, result}, n, workspace);
}

/// The flags of a chunk, which the first pass of partition_in_one() stores for the second.
using ChunkMarks = uint16_t;

/// Job of a TilePipeline or TileWave that counts and marks the selected items.
template <class Source>
struct MarkJob : SelectJob<Source, WriteIndices<uint32_t>> {
  using Base = SelectJob<Source, WriteIndices<uint32_t>>;

  ChunkMarks* marks;  ///< [chunk]

  template <unsigned kChunks>
  SIMT_KERNEL void stage(const typename Base::template Registers<kChunks>& items,
                         const ThreadView& view, uint32_t, uint32_t, std::byte*) const {
    const uint64_t first_slot = view.range.first_slot(view.tile);
    for (unsigned c = 0; c < kChunks; ++c) {
      const uint64_t chunk = first_slot / Base::kChunkItems + view.chunk(c);
      if (chunk * Base::kChunkItems < view.range.end)
        marks[chunk] = ChunkMarks(items.flags.of_chunk(c));
    }
  }
  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned, const ThreadView&, uint64_t, uint32_t, std::byte*) const {}
};

/// Source of the items that the first pass has marked.
template <class T>
struct MarkedItems {
  static constexpr unsigned kChunkItems = simt::kVectorItems<T>;
  static constexpr bool kAsync = false;
  struct Chunk : simt::Chunk<T> {
    ChunkMarks marks;
  };

  const T* items;           ///< [n]
  const ChunkMarks* marks;  ///< [chunk]

  SIMT_HOST_DEVICE uint32_t head() const { return head_of(items); }
  SIMT_HOST_DEVICE Chunk load(uint64_t slot, const TileRange& range) const {
    return {load_chunk(items, slot, range),
            slot < range.end ? marks[slot / kChunkItems] : ChunkMarks(0)};
  }
  SIMT_HOST_DEVICE Chunk load_whole(uint64_t slot, const TileRange& range) const {
    return {load_whole_chunk(items, slot, range), marks[slot / kChunkItems]};
  }
  SIMT_HOST_DEVICE void prefetch(uint64_t slot, const TileRange& range) const {
    if (!range.holds_item(slot)) return;
    simt::prefetch(items + slot - range.head);
    simt::prefetch(marks + slot / kChunkItems);
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return chunk.marks >> i & 1;
  }
};

/// Job of a TilePipeline or TileWave that moves the marked items to the front.
template <class T>
using MoveMarkedJob = SelectJob<MarkedItems<T>, WriteItems<T>, RejectedTo<WriteItems<T>>>;

/// Returns the number of marks that partition_in_one() needs for up to `capacity` items.
template <class T>
size_t partition_marks(uint64_t capacity) {
  return size_t(capacity / simt::kVectorItems<T> + 2);  // an incomplete chunk at each end
}

/// Returns the bytes of workspace of partition_in_one() for up to `capacity` items; grows with it.
template <class T, class Predicate>
size_t partition_in_one_bytes(uint64_t capacity) {
  const size_t mark = run_tiles_bytes<MarkJob<ItemsIf<T, Predicate>>>(capacity);
  const size_t move = run_tiles_bytes<MoveMarkedJob<T>>(capacity);
  return mark > move ? mark : move;
}

/// Stable partition into one output in two passes: the selected items, then the others, both in the
/// order of the items. The first pass marks the selected items.
///
/// @param source     `source.predicate(item)` is called exactly once for each item; n <= 2^40
/// @param out        [n]; must not overlap the items
/// @param count      [1], receives the number of selected items
/// @param marks      [>= partition_marks<T>(capacity)], any contents
/// @param workspace  [>= partition_in_one_bytes<T, Predicate>(capacity)], see run_pipeline()
/// Reads each item twice and writes it once. 2 kernels. Does not synchronize.
template <class Launcher, class T, class Predicate, CountInteger Count>
void partition_in_one(Launcher& launcher, const ItemsIf<T, Predicate>& source, T* out, ItemCount n,
                      Count* count, ChunkMarks* marks, Span<std::byte> workspace) {
  using Mark = MarkJob<ItemsIf<T, Predicate>>;
  Mark mark{{source, WriteIndices<uint32_t>(nullptr), {}, {.count = count}}, marks};
  run_tiles(launcher, mark, n, workspace);
  MoveMarkedJob<T> move{{source.items, marks}, {out}, {{out}, DeviceCount(count)}, {}};
  run_tiles(launcher, move, n, workspace);
}

}  // namespace compaction
