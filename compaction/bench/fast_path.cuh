#pragma once

#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "compaction/bench/device_array.cuh"
#include "compaction/bench/scan_result.cuh"
#include "compaction/bench/select_result.cuh"
#include "compaction/cuda.cuh"

// The library's functions as the suites call them, each with a workspace of its own.

namespace compaction::bench {

inline std::shared_ptr<Workspace> make_workspace(size_t bytes) {
  auto workspace = std::make_shared<Workspace>();
  cudaError_t status = workspace->reserve(bytes);
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  check(status);
  return workspace;
}

template <class T>
using Items = std::shared_ptr<DeviceArray<T>>;

/// The general form. `buffers` are what source and sink point to.
template <class Source, class Sink>
std::function<void()> fast_select(const Source& source, const Sink& sink, ItemCount n,
                                  const KeptCount& count,
                                  std::vector<std::shared_ptr<void>> buffers, cudaStream_t stream) {
  auto workspace = make_workspace(select_bytes<Source, Sink>(n.capacity));
  return [=, count = count.on_device.data()] {
    (void)buffers;
    check(select(source, sink, n, {count}, workspace->span(), stream));
  };
}

template <class T>
std::function<void()> fast_select_if(Items<T> in, std::shared_ptr<SelectResult<T>> to,
                                     Below<T> keep, cudaStream_t stream) {
  ItemCount n{in->size()};
  auto workspace = make_workspace(select_if_bytes<T, Below<T>>(n.capacity));
  return [=] {
    check(select_if(in->data(), to->items.data(), {to->count.on_device.data()}, n, keep,
                    workspace->span(), stream));
  };
}

template <class T>
std::function<void()> fast_select_flagged(Items<T> in, Items<uint8_t> flags,
                                          std::shared_ptr<SelectResult<T>> to,
                                          cudaStream_t stream) {
  ItemCount n{in->size()};
  auto workspace = make_workspace(select_bytes<Flagged, WriteColumns<T>>(n.capacity));
  return [=] {
    check(select_flagged(in->data(), flags->data(), to->items.data(), {to->count.on_device.data()},
                         n, workspace->span(), stream));
  };
}

template <class T>
std::function<void()> fast_partition_if(Items<T> in, std::shared_ptr<PartitionResult<T>> to,
                                        Below<T> keep, cudaStream_t stream) {
  ItemCount n{in->size()};
  auto workspace = make_workspace(partition_if_bytes<T, Below<T>>(n.capacity));
  return [=] {
    check(partition_if(in->data(), to->selected.data(), to->rejected.data(),
                       {to->count.on_device.data()}, n, keep, workspace->span(), stream));
  };
}

template <class T>
std::function<void()> fast_partition_in_one(Items<T> in, std::shared_ptr<PartitionResult<T>> to,
                                            Below<T> keep, cudaStream_t stream) {
  ItemCount n{in->size()};
  auto workspace = make_workspace(partition_in_one_bytes<T, Below<T>>(n.capacity));
  auto marks = std::make_shared<DeviceArray<ChunkMarks>>(partition_marks<T>(n.capacity));
  return [=] {
    check(partition_in_one_if(in->data(), to->selected.data(), to->count.wide_on_device.data(),
                              marks->data(), n, keep, workspace->span(), stream));
  };
}

template <class T>
std::function<void()> fast_scan(ScanKind kind, Items<T> in, std::shared_ptr<ScanResult<T>> to,
                                cudaStream_t stream) {
  using Op = SumOf<T>;
  ItemCount n{in->size()};
  auto workspace = make_workspace(scan_bytes<T, Op>(n.capacity));
  return [=] {
    check(kind == ScanKind::kInclusive
              ? inclusive_scan(in->data(), to->items.data(), n, Op(), workspace->span(), stream)
              : exclusive_scan(in->data(), to->items.data(), n, Op(), workspace->span(), stream));
  };
}

template <class T>
std::function<void()> fast_reduce(Items<T> in, std::shared_ptr<ReduceResult<T>> to,
                                  cudaStream_t stream) {
  ItemCount n{in->size()};
  auto workspace = make_workspace(reduce_bytes<T>());
  return
      [=] { check(reduce(in->data(), to->sum.data(), n, SumOf<T>(), workspace->span(), stream)); };
}

}  // namespace compaction::bench
