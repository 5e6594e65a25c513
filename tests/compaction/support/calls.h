// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/single_pass/partition.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"
#include "compaction/single_pass/select.h"

// Calls of the library's functions on a device (HostDeviceOf, CudaDeviceOf).

namespace fast {

using compaction::ItemCount;
using compaction::ScanKind;
using compaction::SelectedCount;
using compaction::TileShape;
using simt::Span;

/// The library's functions, in tiles that it chooses.
template <class D>
struct LibraryCalls {
  using Device = D;

  template <class Job>
  static constexpr TileShape kShape = compaction::kLargeTiles<Job>;

  template <class Source, class Sink>
  static size_t select_bytes(uint64_t capacity) {
    return compaction::select_bytes<Source, Sink>(capacity);
  }
  template <class Source, class Sink>
  static void select(Device& device, const Source& source, const Sink& sink, ItemCount n,
                     const SelectedCount& result, Span<std::byte> workspace) {
    compaction::select(device.launcher(), source, sink, n, result, workspace);
  }

  template <class T, class Source, class Sink>
  static size_t partition_bytes(uint64_t capacity) {
    return compaction::partition_bytes<Source, Sink>(capacity);
  }
  template <class T, class Source, class Sink>
  static void partition(Device& device, const Source& source, const Sink& selected,
                        const Sink& rejected, ItemCount n, const SelectedCount& result,
                        Span<std::byte> workspace) {
    compaction::partition(device.launcher(), source, selected, rejected, n, result, workspace);
  }

  template <class T, class Predicate>
  static size_t partition_in_one_bytes(uint64_t capacity) {
    return compaction::partition_in_one_bytes<T, Predicate>(capacity);
  }
  template <class T, class Predicate>
  static void partition_in_one(Device& device, const T* items, Predicate predicate, T* out,
                               ItemCount n, uint64_t* count, Span<std::byte> workspace) {
    compaction::partition_in_one(device.launcher(), items, predicate, out, n, count, workspace);
  }

  template <class Source, class Sink>
  static size_t partition_in_one_reversed_bytes(uint64_t capacity) {
    return compaction::partition_in_one_reversed_bytes<Source, Sink>(capacity);
  }
  template <class Source, class Sink>
  static void partition_in_one_reversed(Device& device, const Source& source, const Sink& sink,
                                        ItemCount n, const SelectedCount& result,
                                        Span<std::byte> workspace) {
    compaction::partition_in_one_reversed(device.launcher(), source, sink, n, result, workspace);
  }

  template <class T, class Op>
  static size_t scan_bytes(uint64_t capacity) {
    return compaction::scan_bytes<T, Op>(capacity);
  }
  template <ScanKind kKind, class T, class Op>
  static void scan(Device& device, const T* in, ItemCount n, T* out, Op op, T init, T* total,
                   Span<std::byte> workspace) {
    if constexpr (kKind == ScanKind::kInclusive)
      compaction::inclusive_scan(device.launcher(), in, n, out, op, init, total, workspace);
    else
      compaction::exclusive_scan(device.launcher(), in, n, out, op, init, total, workspace);
  }

  template <class T, class Op>
  static void reduce(Device& device, const T* in, ItemCount n, T* result, Op op,
                     Span<std::byte> workspace) {
    compaction::reduce(device.launcher(), in, n, result, op, workspace);
  }
};

/// Maximum shared memory of a block that has room for small tiles, but not for large ones. Bytes.
inline constexpr size_t kLittleShared = size_t(64) << 10;

}  // namespace fast
