// SPDX-License-Identifier: MIT
#pragma once

#include "tests/compaction/support/backends.h"
#include "tests/compaction/support/calls.h"
#include "tests/compaction/support/host_device.h"

// Calls of the library's functions on the host executor.

namespace fast {

/// Tiles of 128 items of 4 bytes, so that a few thousand items make many tiles.
inline constexpr TileShape kTinyTiles{
    .compute_threads = 32, .chunks = 1, .ahead = 2, .pending = 4, .blocks_per_sm = 1, .reads = 1};

/// Tiles and schedule of a host backend.
struct HostPlace {
  Tiles tiles;
  simt::host::Schedule schedule;
  unsigned multiprocessors = schedule.resident_blocks;
};

/// The library's functions in tiles of one shape. Reductions, which have no tiles, and partitions
/// into one output are unchanged.
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

  template <class Source, class Sink>
  using ReversedJob = compaction::SelectJob<Source, Sink, compaction::RejectedReversed<Sink>>;

  template <class Source, class Sink>
  static size_t partition_in_one_reversed_bytes(uint64_t capacity) {
    return bytes<ReversedJob<Source, Sink>>(capacity);
  }
  template <class Source, class Sink>
  static void partition_in_one_reversed(Device& device, const Source& source, const Sink& sink,
                                        ItemCount n, const SelectedCount& result,
                                        Span<std::byte> workspace) {
    run(device, ReversedJob<Source, Sink>{source, sink, {sink}, result}, n, workspace);
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

/// The host executor with a number of multiprocessors of its own. For Tiles::kSmall, it reports too
/// little shared memory for waves and large tiles.
struct LibraryTilesLauncher : simt::host::Executor {
  LibraryTilesLauncher(const HostPlace& place)
      : Executor(place.schedule), tiles(place.tiles), processors(place.multiprocessors) {}

  unsigned multiprocessors() const { return processors; }
  size_t shared_bytes_per_multiprocessor() const {
    return tiles == Tiles::kSmall ? 0 : Executor::shared_bytes_per_multiprocessor();
  }
  size_t max_shared_bytes() const {
    return tiles == Tiles::kSmall ? kLittleShared : Executor::max_shared_bytes();
  }

  Tiles tiles;
  unsigned processors;
};
using LibraryTilesCalls = LibraryCalls<HostDeviceOf<LibraryTilesLauncher>>;

}  // namespace fast
