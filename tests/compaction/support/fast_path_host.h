#pragma once

#include "compaction/partition.h"
#include "compaction/partition_in_one.h"
#include "compaction/reduce.h"
#include "compaction/scan.h"
#include "compaction/select.h"
#include "tests/compaction/support/fast_path.h"
#include "tests/compaction/support/host_device.h"
#include "tests/compaction/support/without_waves.h"

// How the tests of the fast path call it on the host executor.

namespace fast {

using compaction::ItemCount;
using compaction::ScanKind;
using compaction::SelectedCount;
using compaction::TileShape;
using simt::Span;

/// Tiles so small that a few thousand items make many: 128 items of 4 bytes.
inline constexpr TileShape kTinyTiles{
    .workers = 32, .chunks = 1, .ahead = 2, .pending = 4, .blocks_per_sm = 1, .reads = 1};

/// Where a host backend runs.
struct HostPlace {
  Tiles tiles;
  simt::host::Schedule schedule;
};

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
  static void partition_in_one(Device& device, const compaction::ItemsIf<T, Predicate>& source,
                               T* out, ItemCount n, uint64_t* count, compaction::ChunkMarks* marks,
                               Span<std::byte> workspace) {
    compaction::partition_in_one(device.launcher(), source, out, n, count, marks, workspace);
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

/// The same jobs in tiles of one shape; what has no tiles, or two kinds of them, as it is.
template <TileShape kOneShape>
struct CallsInTiles : LibraryCalls<HostDevice> {
  template <class Job>
  static constexpr TileShape kShape = kOneShape;

  template <class Job>
  static size_t bytes(uint64_t capacity) {
    using Pipeline = compaction::TilePipeline<Job, kOneShape>;
    using States = compaction::TileStates<typename Job::Total>;
    size_t tiles = size_t(capacity / Pipeline::kTileSize + 2);
    return compaction::workspace_part(sizeof(compaction::TileQueue::State)) +
           compaction::workspace_part(tiles * States::kWords * sizeof(uint64_t));
  }
  template <class Job>
  static void run(Device& device, const Job& job, ItemCount n, Span<std::byte> workspace) {
    using Pipeline = compaction::TilePipeline<Job, kOneShape>;
    compaction::run_pipeline<Pipeline>(device.launcher(), job, n, workspace);
  }

  template <class Source, class Sink>
  static size_t select_bytes(uint64_t capacity) {
    return bytes<compaction::SelectJob<Source, Sink>>(capacity);
  }
  template <class Source, class Sink>
  static void select(Device& device, const Source& source, const Sink& sink, ItemCount n,
                     const SelectedCount& result, Span<std::byte> workspace) {
    run(device, compaction::SelectJob<Source, Sink>{source, sink, {}, result}, n, workspace);
  }

  template <class Source, class Sink>
  using PartitionJob = compaction::SelectJob<Source, Sink, compaction::RejectedTo<Sink>>;

  template <class T, class Source, class Sink>
  static size_t partition_bytes(uint64_t capacity) {
    return bytes<PartitionJob<Source, Sink>>(capacity);
  }
  template <class T, class Source, class Sink>
  static void partition(Device& device, const Source& source, const Sink& selected,
                        const Sink& rejected, ItemCount n, const SelectedCount& result,
                        Span<std::byte> workspace) {
    run(device, PartitionJob<Source, Sink>{source, selected, {rejected, {}}, result}, n, workspace);
  }

  template <class T, class Op>
  static size_t scan_bytes(uint64_t capacity) {
    return bytes<compaction::ScanJob<T, Op, ScanKind::kInclusive>>(capacity);
  }
  template <ScanKind kKind, class T, class Op>
  static void scan(Device& device, const T* in, ItemCount n, T* out, Op op, T init, T* total,
                   Span<std::byte> workspace) {
    run(device, compaction::ScanJob<T, Op, kKind>{in, out, op, init, total}, n, workspace);
  }
};

using TinyCalls = CallsInTiles<kTinyTiles>;
using SmallDevice = HostDeviceOf<WithoutWaves<simt::host::Executor, kLittleShared>>;

}  // namespace fast
