// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/grid/tile_queue.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"

namespace compaction {

/// Ends the launch with an error after kSpinLimit reads of a state that stays invalid. That takes
/// seconds on a GPU, where a resident predecessor publishes within microseconds. On the host, every
/// ready thread runs between two reads, so fewer reads suffice.
SIMT_KERNEL inline void check_progress(uint32_t spin) {
#if defined(__CUDACC__)
  constexpr uint32_t kSpinLimit = 1u << 24;
#else
  constexpr uint32_t kSpinLimit = 1u << 18;
#endif
  if (spin == kSpinLimit) simt::fail("a tile waits for a predecessor that publishes nothing");
}

enum class TileStatus : uint32_t {
  kInvalid,          ///< nothing yet; the status of a zeroed word
  kAggregate,        ///< the combined items of this tile
  kInclusivePrefix,  ///< the combined items of this tile and all earlier ones
};

/// The states of all tiles: a status and a value of T each, in one 64-bit word for every four bytes
/// of T. After Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
/// 2016.
///
///     63..62  status
///     61..32  epoch of the call that wrote the word; in any other call it counts as invalid
///     31..0   four bytes of the value
///
/// A state is valid once all its words have the same status and epoch. So each word must be written
/// atomically, but in any order: no fence is needed, whatever the size of T.
template <class T>
struct TileStates {
  static_assert(std::is_trivially_copyable_v<T>);

  static constexpr unsigned kPieceBytes = 4;
  static constexpr unsigned kWords = (sizeof(T) + kPieceBytes - 1) / kPieceBytes;
  static constexpr unsigned kStatusShift = 62, kEpochShift = 32;
  static_assert(kEpochShift + kEpochBits == kStatusShift);

  struct State {
    TileStatus status;
    T value;
  };

  Span<uint64_t> words;  ///< [tile][kWords]

  SIMT_HOST_DEVICE static constexpr uint64_t tag(TileStatus status, uint32_t epoch) {
    return uint64_t(status) << kStatusShift | uint64_t(epoch) << kEpochShift;
  }

  /// Returns whether a word that was read has a tag.
  SIMT_HOST_DEVICE static constexpr bool has_tag(uint64_t word, uint64_t tag) {
    return (word ^ tag) >> kEpochShift == 0;
  }

  /// Publishes the state of a tile. A second call may publish a later status.
  SIMT_KERNEL void publish(uint32_t tile, uint32_t epoch, TileStatus status, const T& value) const {
    uint32_t pieces[kWords] = {};
    std::memcpy(pieces, &value, sizeof(T));
    for (unsigned i = 0; i < kWords; ++i)
      simt::store_relaxed(words[size_t(tile) * kWords + i], tag(status, epoch) | pieces[i]);
  }

  SIMT_KERNEL const uint64_t* first_word(uint32_t tile) const {
    return &words[size_t(tile) * kWords];
  }

  /// Returns the state in words that were read. `value` is set unless the status is invalid.
  SIMT_KERNEL static State state_of(const uint64_t (&read)[kWords], uint32_t epoch) {
    State state{TileStatus::kInvalid, {}};
    uint32_t high = uint32_t(read[0] >> kEpochShift), pieces[kWords];
    for (unsigned i = 0; i < kWords; ++i) {
      if (uint32_t(read[i] >> kEpochShift) != high) return state;
      pieces[i] = uint32_t(read[i]);
    }
    if (high % kEpochs != epoch) return state;
    state.status = TileStatus(high >> kEpochBits);
    std::memcpy(&state.value, pieces, sizeof(T));
    return state;
  }

  /// Returns the current state.
  SIMT_KERNEL State read(uint32_t tile, uint32_t epoch) const {
    uint64_t read[kWords];
    simt::load_relaxed(first_word(tile), read);
    return state_of(read, epoch);
  }

  /// Waits until the state is valid, and returns it.
  SIMT_KERNEL State wait(uint32_t tile, uint32_t epoch) const {
    for (uint32_t spin = 0;; ++spin) {
      State state = read(tile, epoch);
      if (state.status != TileStatus::kInvalid) return state;
      check_progress(spin);
      simt::backoff();
    }
  }
};

}  // namespace compaction
