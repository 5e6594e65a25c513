// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/select.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/sources.h"
#include "compaction/single_pass/split.h"

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

/// Source of a split into the items that a predicate selects and the others.
template <class T, class Predicate>
struct ItemsBySelection : ItemsByClass<T, Predicate> {
  using Base = ItemsByClass<T, Predicate>;

  SIMT_HOST_DEVICE uint32_t class_of(const typename Base::Chunk& chunk) const {
    return class_of_item(chunk.items[0]);
  }
  SIMT_HOST_DEVICE uint32_t class_of_item(const T& item) const { return !this->classify(item); }
};

/// Returns the bytes of workspace of partition_in_one() for up to `capacity` items; grows with it.
template <class T, class Predicate>
size_t partition_in_one_bytes(uint64_t capacity) {
  return split_bytes<2, ItemsBySelection<T, Predicate>, WriteItems<T>>(capacity);
}

/// Stable partition into one output: the selected items, then the others, both in the order of the
/// items. It is a split into two classes, because the place of the first rejected item depends on
/// all items.
///
/// @param items      [n], trivially copyable, of 1 to 64 bytes; n <= 2^40
/// @param predicate  called once or twice for each item, with the same result
/// @param out        [n]; must not overlap the items
/// @param count      receives the number of selected items
/// @param workspace  [>= partition_in_one_bytes<T, Predicate>(capacity)], see split()
/// Reads each item twice and writes it once. 1 kernel. Does not synchronize.
template <class Launcher, class T, class Predicate>
void partition_in_one(Launcher& launcher, const T* items, Predicate predicate, T* out, ItemCount n,
                      DeviceCountOut count, Span<std::byte> workspace) {
  const ItemsBySelection<T, Predicate> source{{items, predicate}};
  run_split<2>(launcher, source, WriteItems<T>{out}, n, SplitBoundary{count}, workspace);
}

}  // namespace compaction
