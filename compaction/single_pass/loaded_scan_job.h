// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/single_pass/loads.h"
#include "compaction/single_pass/scan_job.h"

// Scans of items that are computed (loads.h), into outputs that are a function of the result: a
// store is called as `store(i, result)` once for each item i.

namespace compaction {

/// A store to an array of any type to which the results convert.
template <class T>
struct StoreItems {
  T* out;  ///< [n]
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t i, const Result& result) const {
    out[i] = T(result);
  }
};

/// For the total alone.
struct StoreNothing {
  template <class Result>
  SIMT_HOST_DEVICE void operator()(uint64_t, const Result&) const {}
};

/// Items of a load as T, in which they are combined: sums of bytes in 64 bits.
template <class T, class Load>
struct Widened {
  Load load;
  SIMT_HOST_DEVICE T operator()(uint64_t i) const { return T(load(i)); }
  SIMT_HOST_DEVICE void prefetch(uint64_t i) const { prefetch_item(load, i); }
};

/// Inclusive or exclusive scan of a load, as the job of a TilePipeline or TileWave.
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

}  // namespace compaction
