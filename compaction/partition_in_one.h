#pragma once

#include <cstdint>

#include "compaction/partition.h"

namespace compaction {

/// The flags of a chunk, as the first pass of partition_in_one() leaves them.
using ChunkMarks = uint16_t;

/// Counts the selected items and marks them, as the job of a TilePipeline.
template <class Source>
struct MarkJob : SelectJob<Source, WriteIndices<uint32_t>> {
  using Base = SelectJob<Source, WriteIndices<uint32_t>>;

  ChunkMarks* marks;  ///< [chunk]

  template <unsigned kChunks>
  SIMT_KERNEL void stage(const typename Base::template Held<kChunks>& held, const WorkerView& view,
                         uint32_t, uint32_t, std::byte*) const {
    const uint64_t first_slot = view.range.first_slot(view.tile);
    for (unsigned c = 0; c < kChunks; ++c) {
      const uint64_t chunk = first_slot / Base::kChunkItems + view.chunk(c);
      if (chunk * Base::kChunkItems < view.range.end)
        marks[chunk] = ChunkMarks(held.flags.of_chunk(c));
    }
  }
  template <unsigned kWorkers, unsigned kChunks>
  SIMT_KERNEL void write(unsigned, const WorkerView&, uint64_t, uint32_t, std::byte*) const {}
};

/// Items that a first pass has marked.
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
    Chunk chunk{};
    if (slot + kChunkItems <= range.head || slot >= range.end) return chunk;
    static_cast<simt::Chunk<T>&>(chunk) = load_chunk(items, slot, range);
    chunk.marks = marks[slot / kChunkItems];
    return chunk;
  }
  SIMT_HOST_DEVICE bool selected(const Chunk& chunk, unsigned i) const {
    return chunk.marks >> i & 1;
  }
};

/// Moves marked items to the front and the others behind them, as the job of a TilePipeline.
template <class T>
using MoveMarkedJob = SelectJob<MarkedItems<T>, WriteItems<T>, RejectedTo<WriteItems<T>>>;

/// How many marks partition_in_one() needs for up to `capacity` items.
template <class T>
size_t partition_marks(uint64_t capacity) {
  return size_t(capacity / simt::kVectorItems<T> + 2);  // a first and a last incomplete chunk
}

/// Bytes of workspace that partition_in_one() needs for up to `capacity` items. Grows with
/// `capacity`.
template <class T, class Predicate>
size_t partition_in_one_bytes(uint64_t capacity) {
  const size_t mark = run_tiles_bytes<MarkJob<ItemsIf<T, Predicate>>>(capacity);
  const size_t move = run_tiles_bytes<MoveMarkedJob<T>>(capacity);
  return mark > move ? mark : move;
}

/// Stable partition into one output: the selected items, then the others, both in the order of the
/// items. Where the others begin is known only once all items have been seen, so it takes two
/// passes; the first one marks.
///
/// @param source     `source.predicate(item)` is called exactly once for each item; n <= 2^40
/// @param out        [n]; must not overlap the items
/// @param count      [1], receives the number of selected items
/// @param marks      [>= partition_marks<T>(capacity)], contents do not matter
/// @param workspace  [>= partition_in_one_bytes<T, Predicate>(capacity)], see run_pipeline()
/// Reads each item twice and writes it once. 2 kernels. Does not synchronize.
template <class Launcher, class T, class Predicate>
void partition_in_one(Launcher& launcher, const ItemsIf<T, Predicate>& source, T* out, ItemCount n,
                      uint64_t* count, ChunkMarks* marks, Span<std::byte> workspace) {
  using Mark = MarkJob<ItemsIf<T, Predicate>>;
  Mark mark{{source, WriteIndices<uint32_t>(nullptr), {}, {.count = count}}, marks};
  run_tiles(launcher, mark, n, workspace);
  MoveMarkedJob<T> move{{source.items, marks}, {out}, {{out}, DeviceCount(count)}, {}};
  run_tiles(launcher, move, n, workspace);
}

}  // namespace compaction
