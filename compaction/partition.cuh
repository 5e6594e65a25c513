// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/select.cuh"
#include "compaction/single_pass/partition.h"

// Partition of device memory. cuda.cuh says what all functions have in common, select.cuh what
// `count` may be.

namespace compaction {

/// Stable partition of any source into two sinks of one type, both in the order of the items.
///
/// Workspace of partition_bytes<Source, Sink>(capacity). See partition() in
/// single_pass/partition.h.
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition(const Source& source, const Sink& selected,
                                    const Sink& rejected, ItemCount n, Count count,
                                    const Storage& storage, cudaStream_t stream = nullptr) {
  using Job = SelectJob<Source, Sink, RejectedTo<Sink>>;
  const SelectedCount to = detail::selected_count(count);
  return detail::run_job({"partition", {detail::writes_count(to)}},
                         Job{source, selected, {rejected, {}}, to}, n, storage, stream);
}
template <class Source, class Sink, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition(void* temp, size_t& temp_bytes, const Source& source,
                                    const Sink& selected, const Sink& rejected, ItemCount n,
                                    Count count, cudaStream_t stream = nullptr) {
  return compaction::partition(source, selected, rejected, n, count, Storage(temp, temp_bytes),
                               stream);
}

/// Returns the bytes of workspace that partition_if() needs.
template <class T, class Predicate>
size_t partition_if_bytes(uint64_t capacity) {
  return partition_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(capacity);
}

/// Stable partition by a predicate into two outputs, both in the order of the items.
///
/// @param in        [n], trivially copyable, of 1 to 128 bytes
/// @param selected  [>= selected items]; the outputs must not overlap anything else
/// @param rejected  [>= other items]
/// Workspace of partition_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_if(const T* in, T* selected, T* rejected, Count count,
                                       ItemCount n, Predicate predicate, const Storage& storage,
                                       cudaStream_t stream = nullptr) {
  using Sink = detail::WriteItemsOf<T>;
  using Job = SelectJob<detail::ItemsIfOf<T, Predicate>, Sink, RejectedTo<Sink>>;
  const SelectedCount to = detail::selected_count(count);
  return detail::run_job({"partition_if",
                          {detail::reads("in", in, n), detail::writes_some("selected", selected, n),
                           detail::writes_some("rejected", rejected, n), detail::writes_count(to)}},
                         Job{detail::items_if(in, predicate),
                             detail::write_items(selected),
                             {detail::write_items(rejected), {}},
                             to},
                         n, storage, stream);
}
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_if(void* temp, size_t& temp_bytes, const T* in, T* selected,
                                       T* rejected, Count count, ItemCount n, Predicate predicate,
                                       cudaStream_t stream = nullptr) {
  return compaction::partition_if(in, selected, rejected, count, n, predicate,
                                  Storage(temp, temp_bytes), stream);
}

/// Returns the bytes of workspace that partition_in_one_reversed_if() needs.
template <class T, class Predicate>
size_t partition_in_one_reversed_if_bytes(uint64_t capacity) {
  return partition_in_one_reversed_bytes<detail::ItemsIfOf<T, Predicate>, detail::WriteItemsOf<T>>(
      capacity);
}

/// Partition by a predicate into one output: the selected items in order, then the others in
/// reverse order, like cub::DevicePartition::If. See partition_in_one_reversed() in
/// single_pass/partition.h.
///
/// @param in     [n], trivially copyable, of 1 to 128 bytes
/// @param out    [n]; must not overlap `in`
/// Workspace of partition_in_one_reversed_if_bytes<T, Predicate>(capacity).
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_in_one_reversed_if(const T* in, T* out, Count count,
                                                       ItemCount n, Predicate predicate,
                                                       const Storage& storage,
                                                       cudaStream_t stream = nullptr) {
  using Sink = detail::WriteItemsOf<T>;
  using Job = SelectJob<detail::ItemsIfOf<T, Predicate>, Sink, RejectedReversed<Sink>>;
  const SelectedCount to = detail::selected_count(count);
  const Sink sink = detail::write_items(out);
  return detail::run_job(
      {"partition_in_one_reversed_if",
       {detail::reads("in", in, n), detail::writes("out", out, n), detail::writes_count(to)}},
      Job{detail::items_if(in, predicate), sink, {sink}, to}, n, storage, stream);
}
template <class T, class Predicate, class Count = SelectedCount>
[[nodiscard]] cudaError_t partition_in_one_reversed_if(void* temp, size_t& temp_bytes, const T* in,
                                                       T* out, Count count, ItemCount n,
                                                       Predicate predicate,
                                                       cudaStream_t stream = nullptr) {
  return compaction::partition_in_one_reversed_if(in, out, count, n, predicate,
                                                  Storage(temp, temp_bytes), stream);
}

/// Stable partition by a predicate into one output: the selected items, then the others. See
/// partition_in_one() in single_pass/partition.h.
///
/// @param in         [n], trivially copyable, of 1 to 64 bytes
/// @param out        [n]; must not overlap `in`
/// @param count      [1] on the device, receives the number of selected items; 32 or 64 bits
/// @param predicate  called once or twice for each item, with the same result
/// Workspace of partition_in_one_bytes<T, Predicate>(capacity).
template <class T, class Predicate, CountInteger Count>
[[nodiscard]] cudaError_t partition_in_one_if(const T* in, T* out, Count* count, ItemCount n,
                                              Predicate predicate, const Storage& storage,
                                              cudaStream_t stream = nullptr) {
  return detail::launch({"partition_in_one_if",
                         {detail::reads("in", in, n), detail::writes("out", out, n),
                          detail::writes("the count", count, 1)}},
                        n, partition_in_one_bytes<T, Predicate>(n.capacity), storage, stream,
                        [&](auto& launcher, Span<std::byte> workspace) {
                          partition_in_one(launcher, in, predicate, out, n, count, workspace);
                        });
}
template <class T, class Predicate, CountInteger Count>
[[nodiscard]] cudaError_t partition_in_one_if(void* temp, size_t& temp_bytes, const T* in, T* out,
                                              Count* count, ItemCount n, Predicate predicate,
                                              cudaStream_t stream = nullptr) {
  return compaction::partition_in_one_if(in, out, count, n, predicate, Storage(temp, temp_bytes),
                                         stream);
}

}  // namespace compaction
