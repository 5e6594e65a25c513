// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "compaction/grid/tile_workspace.h"
#include "compaction/ladder/look_back.h"
#include "compaction/ladder/single_pass_scan.h"
#include "compaction/simt/host/executor.h"
#include "tests/compaction/support/ordered_items.h"

// The exchange of tile states alone: a kernel of one warp per tile.

namespace {

using compaction::Span;
using compaction::Ticket;
using compaction::TileQueue;
using compaction::TileStates;
using compaction::TileStatus;
using simt::host::Executor;
using simt::host::KernelError;
using simt::host::Order;
using simt::host::Schedule;

/// Combines the values of all earlier tiles. `States` is TileStates<T> or derived from it; its
/// seen_by(tile), if any, returns the states that `tile` reads.
template <class T, class Op, class States = TileStates<T>, class FindPrefix = compaction::LookBack>
struct FindPrefixes {
  static constexpr unsigned kBlockSize = simt::kWarpSize;
  struct Shared {
    Ticket ticket;
  };

  Span<const T> aggregates;  ///< [tile]
  Span<T> prefixes;          ///< [tile][lane], exclusive
  TileQueue queue;
  States states;
  Op op = {};

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared& shared) const {
    if (block.thread_rank() == 0) {
      shared.ticket = queue.draw();
      queue.after_draw(shared.ticket, block.num_groups());
    }
    block.sync();

    auto [tile, epoch] = shared.ticket;
    prefixes[tile * simt::kWarpSize + block.thread_rank()] =
        FindPrefix()(block.warp(), states_of(tile), epoch, tile, aggregates[tile], op);

    block.sync();
    if (block.thread_rank() == 0) queue.end_block(epoch, block.num_groups(), states.words);
  }

  SIMT_KERNEL States states_of(uint32_t tile) const {
    if constexpr (requires { states.seen_by(tile); }) return states.seen_by(tile);
    return states;
  }
};

/// A workspace, and calls that use it.
template <class T, class Op>
struct PrefixFinder {
  explicit PrefixFinder(uint32_t max_tiles, uint32_t epoch = 0)
      : memory(compaction::TileWorkspace<T>::bytes(max_tiles)) {
    workspace().queue.state[0].next = uint64_t(epoch) << TileQueue::kEpochShift;
  }

  compaction::TileWorkspace<T> workspace() {
    return compaction::TileWorkspace<T>(Span<std::byte>{memory.data(), memory.size()});
  }
  uint32_t epoch() { return uint32_t(workspace().queue.state[0].next >> TileQueue::kEpochShift); }

  /// Whether every lane of every tile receives the right prefix.
  template <class FindPrefix = compaction::LookBack, class States = TileStates<T>>
  bool finds(Executor& executor, const std::vector<T>& aggregates, States states = {}) {
    uint32_t tiles = uint32_t(aggregates.size());
    states.words = workspace().states.words;
    prefixes.assign(size_t(tiles) * simt::kWarpSize, T());
    executor.launch(tiles, FindPrefixes<T, Op, States, FindPrefix>{
                               .aggregates = {aggregates.data(), aggregates.size()},
                               .prefixes = {prefixes.data(), prefixes.size()},
                               .queue = workspace().queue,
                               .states = states});
    T expected = Op().identity();
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      for (unsigned lane = 0; lane < simt::kWarpSize; ++lane)
        if (prefixes[tile * simt::kWarpSize + lane] != expected) return false;
      expected = Op()(expected, aggregates[tile]);
    }
    return true;
  }

  std::vector<std::byte> memory;
  std::vector<T> prefixes;
};

/// The map x -> scale * x + shift, modulo 2^16; 4 bytes.
struct NarrowAffine {
  uint16_t scale = 1, shift = 0;
  bool operator==(const NarrowAffine&) const = default;
};

struct NarrowCompose {
  SIMT_HOST_DEVICE static NarrowAffine identity() { return {}; }
  SIMT_HOST_DEVICE NarrowAffine operator()(const NarrowAffine& a, const NarrowAffine& b) const {
    uint32_t scale = b.scale;  // 16 bits would be multiplied as int
    return {uint16_t(a.scale * scale), uint16_t(a.shift * scale + b.shift)};
  }
};

inline void fill(NarrowAffine& item, uint32_t, std::mt19937& random) {
  item = {uint16_t(random() | 1), uint16_t(random())};
}

/// The later of two bytes, unless that is 0. Not commutative.
struct KeepLastByte {
  SIMT_HOST_DEVICE static uint8_t identity() { return 0; }
  SIMT_HOST_DEVICE uint8_t operator()(uint8_t a, uint8_t b) const { return b != 0 ? b : a; }
};

/// Aggregates of `n` tiles.
template <class T>
std::vector<T> tile_values(size_t n) {
  if constexpr (std::is_same_v<T, uint32_t>) {
    std::mt19937 random(11);
    std::vector<uint32_t> values(n);
    for (uint32_t& value : values) value = random();
    return values;
  } else {
    return ordered_items<T>(n);
  }
}

/// Publishes word by word and runs other threads in between.
template <class T>
struct TornStates : TileStates<T> {
  SIMT_KERNEL void publish(uint32_t tile, uint32_t epoch, TileStatus status, const T& value) const {
    constexpr unsigned kWords = TileStates<T>::kWords;
    uint64_t words[kWords];
    TileStates<T>{{words, kWords}}.publish(0, epoch, status, value);
    for (unsigned i = 0; i < kWords; ++i) {
      simt::store_relaxed(this->words[size_t(tile) * kWords + i], words[i]);
      simt::backoff();
    }
  }
};

}  // namespace
