// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "compaction/grid/workspace.h"
#include "compaction/ladder/look_back.h"
#include "compaction/ladder/single_pass_scan.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

// A kernel of one warp per tile that only exchanges tile states.

namespace {

using compaction::Ticket;
using compaction::TileStates;
using compaction::TileStatus;

/// A workspace, and calls that use it.
template <class T, class Op>
struct PrefixFinder : Memory {
  explicit PrefixFinder(uint32_t max_tiles, uint32_t epoch = 0)
      : Memory(compaction::TileWorkspace<T>::bytes(max_tiles)) {
    begin_epoch(epoch);
  }

  compaction::TileWorkspace<T> workspace() { return compaction::TileWorkspace<T>(span()); }

  /// Whether every lane of every tile receives the values of all earlier tiles combined. `States`
  /// is TileStates<T> or derived from it; its seen_by(tile), if any, returns the states that `tile`
  /// reads.
  template <class FindPrefix = compaction::LookBack, class States = TileStates<T>>
  bool finds(Executor& executor, const std::vector<T>& aggregates, States states = {}) {
    struct Shared {
      Ticket ticket;
    };
    const uint32_t tiles = uint32_t(aggregates.size());
    const TileQueue queue = workspace().queue;
    const Op op;
    states.words = workspace().states.words;
    const std::vector<T> expected =
        reference_scan<T, Op>(compaction::ScanKind::kExclusive, aggregates).out;
    uint32_t wrong = 0;
    executor.launch(tiles, kernel_of<simt::kWarpSize, Shared>([&](auto& block, auto& shared) {
                      if (block.thread_rank() == 0) {
                        shared.ticket = queue.draw();
                        queue.after_draw(shared.ticket, block.num_groups());
                      }
                      block.sync();

                      auto [tile, epoch] = shared.ticket;
                      wrong += FindPrefix()(block.warp(), states_of(states, tile), epoch, tile,
                                            aggregates.at(tile), op) != expected[tile];

                      block.sync();
                      if (block.thread_rank() == 0)
                        queue.end_block(epoch, block.num_groups(), states.words);
                    }));
    return wrong == 0;
  }

 private:
  template <class States>
  static States states_of(const States& states, uint32_t tile) {
    if constexpr (requires { states.seen_by(tile); }) return states.seen_by(tile);
    return states;
  }
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

/// The second of two bytes unless it is 0, else the first. Not commutative.
struct KeepLastByte {
  SIMT_HOST_DEVICE static uint8_t identity() { return 0; }
  SIMT_HOST_DEVICE uint8_t operator()(uint8_t a, uint8_t b) const { return b != 0 ? b : a; }
};

/// Aggregates of `n` tiles.
template <class T>
std::vector<T> tile_values(size_t n) {
  if constexpr (std::is_same_v<T, uint32_t>) {
    return random_numbers(n, 11);
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
