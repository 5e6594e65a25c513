// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/runs.h"
#include "compaction/single_pass/segmented_scan_job.h"

// Scans and reductions of computed items (loads.h), and segmented scans. The items are combined in
// the type that the load returns: Widened<uint64_t, Items<uint8_t>> sums bytes in 64 bits. A store
// is called as `store(i, result)` once for each item i.

namespace compaction {

/// Stores the results in an array of any type to which they convert.
template <class T>
struct StoreItems {
  T* out;  ///< [n]
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    out[i] = T(result);
  }
};

/// Stores nothing, if only the total is needed.
struct StoreNothing {
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t, const Result&) const {}
};

/// Items of a load, converted to the type T in which they are combined.
template <class T, class Load>
struct Widened {
  Load load;
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return T(load(i)); }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const { prefetch_item(load, i); }
};

/// Job of a TilePipeline or TileWave: inclusive or exclusive scan of a load.
template <class Load, class Store, class Op, ScanKind kKind>
struct LoadedScanJob : ScanJob<Loaded<Load>, Op, kKind> {
  using Base = ScanJob<Loaded<Load>, Op, kKind>;
  using T = Loaded<Load>;
  using Chunk = typename Base::Chunk;
  static constexpr bool kAsync = false;

  Load load_item;
  Store store_item;

  SIMT_KERNEL static uint32_t head() { return 0; }
  SIMT_KERNEL Chunk load(uint64_t slot, const TileRange& range) const {
    Chunk chunk;
    for (unsigned i = 0; i < Base::kChunkItems; ++i)
      chunk.items[i] = range.holds_item(slot + i) ? load_item(slot + i) : this->identity();
    return chunk;
  }

  SIMT_KERNEL void prefetch(uint64_t slot, const TileRange& range) const {
    if (range.holds_item(slot)) prefetch_item(load_item, slot);
  }

  template <unsigned kThreads, unsigned kChunks>
  SIMT_KERNEL void write(unsigned, const ThreadView& view, const T& prefix, const T&,
                         std::byte* bytes) const {
    const Chunk* staged = reinterpret_cast<const Chunk*>(bytes);
    for (unsigned c = 0; c < kChunks; ++c) store_chunk(view, c, staged[view.chunk(c)], prefix);
  }
  template <unsigned kChunks>
  SIMT_KERNEL void write_registers(const typename Base::template Registers<kChunks>& registers,
                                   const ThreadView& view, const T& before, const T& prefix) const {
    const T all_before = this->op(prefix, before);
    for (unsigned c = 0; c < kChunks; ++c) store_chunk(view, c, registers.chunks[c], all_before);
  }

 private:
  SIMT_KERNEL void store_chunk(const ThreadView& view, unsigned c, const Chunk& chunk,
                               const T& before) const {
    const uint64_t slot = view.range.first_slot(view.tile) + view.chunk(c) * Base::kChunkItems;
    for (unsigned i = 0; i < Base::kChunkItems; ++i)
      if (view.range.holds_item(slot + i)) store_item(slot + i, this->op(before, chunk.items[i]));
  }
};

/// Returns the bytes of workspace that the functions of this file need for up to `capacity` items
/// of a load. Grows with `capacity`.
template <class Load, class Store, class Op>
size_t scan_loaded_bytes(uint64_t capacity) {
  return run_tiles_bytes<LoadedScanJob<Load, Store, Op, ScanKind::kInclusive>>(capacity);
}

/// Scan of a load in a single pass: `store(i, r)` is called once for each i, where r is `init` and
/// the items 0 to i, or i - 1, combined in order.
///
/// @param load       called once for each i in [0, n); may read an array that the stores write only
///                   if store(i) overwrites item i alone
/// @param total      [1] or null, receives `init` and all items combined
/// @param workspace  [>= scan_loaded_bytes<Load, Store, Op>(capacity)], see run_pipeline()
/// 1 kernel. Otherwise like inclusive_scan() in scan.h.
template <ScanKind kKind, class Launcher, class Load, class Store, class Op>
void scan_loaded(Launcher& launcher, Load load, Store store, ItemCount n, Op op, Loaded<Load> init,
                 Loaded<Load>* total, Span<std::byte> workspace) {
  const LoadedScanJob<Load, Store, Op, kKind> job{{nullptr, nullptr, op, init, total}, load, store};
  run_tiles(launcher, job, n, workspace);
}

/// Reduction of a load: `*result` receives all items combined in order, the identity if there are
/// none. Workspace of scan_loaded_bytes<Load, StoreNothing, Op>(capacity). 1 kernel. Unlike
/// reduce(), it combines tiles in groups that depend on timing.
template <class Launcher, class Load, class Op>
void reduce_loaded(Launcher& launcher, Load load, ItemCount n, Loaded<Load>* result, Op op,
                   Span<std::byte> workspace) {
  scan_loaded<ScanKind::kInclusive>(launcher, load, StoreNothing(), n, op,
                                    Loaded<Load>(op.identity()), result, workspace);
}

/// Returns the bytes of workspace of a segmented scan for up to `capacity` items. Grows with
/// `capacity`.
template <class Load, class Begins, class Op>
size_t segmented_scan_bytes(uint64_t capacity) {
  return run_tiles_bytes<SegmentedScanJob<Load, Begins, Op, ScanKind::kInclusive>>(capacity);
}

/// Scan that restarts where a segment begins, in a single pass.
///
/// @param values     the value of item i is `values(i)`, called once
/// @param begins     whether a segment begins at item i, called once: BeginsRun (keys) or
///                   BeginsAtFlag
/// @param out        [n]; must not overlap what `values` and `begins` read
/// @param init       written by an exclusive scan where a segment begins; ignored by an inclusive
///                   scan
/// @param workspace  [>= segmented_scan_bytes<Load, Begins, Op>(capacity)], see run_pipeline()
/// 1 kernel. Otherwise like inclusive_scan() in scan.h.
template <ScanKind kKind, class Launcher, class Load, class Begins, class Op>
void segmented_scan(Launcher& launcher, Load values, Begins begins, Loaded<Load>* out, ItemCount n,
                    Op op, Loaded<Load> init, Span<std::byte> workspace) {
  const CombineSegments<Loaded<Load>, Op> combine{op};
  const SegmentedScanJob<Load, Begins, Op, kKind> job{
      {nullptr, nullptr, combine, combine.identity(), nullptr}, values, begins, out, init};
  run_tiles(launcher, job, n, workspace);
}

}  // namespace compaction
