#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compaction/grid/tile_queue.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"

namespace compaction {

/// How often a tile looks for what another one has to say before that is a mistake: for seconds. A
/// block that runs needs microseconds.
inline constexpr uint32_t kSpinLimit = 1u << 24;

/// What is known of a tile.
enum class TileStatus : uint32_t {
  kInvalid,          ///< nothing yet; the status of a zeroed word
  kAggregate,        ///< the combined items of this tile
  kInclusivePrefix,  ///< the combined items of this tile and all before it
};

/// What tiles tell each other: a status and a value of T each, in one 64-bit word for every four
/// bytes of T.
///
///     63..62  status
///     61..32  epoch of the call that wrote the word; to any other call it is invalid
///     31..0   four bytes of the value
///
/// A tile is read once all its words say the same status. So each word needs only to be indivisible
/// itself, and nothing has to be ordered: no fence, whatever the size of T.
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

  /// Called once or, with a later status, twice for each tile.
  SIMT_KERNEL void publish(uint32_t tile, uint32_t epoch, TileStatus status, const T& value) const {
    uint32_t pieces[kWords] = {};
    std::memcpy(pieces, &value, sizeof(T));
    for (unsigned i = 0; i < kWords; ++i)
      simt::store_relaxed(words[size_t(tile) * kWords + i], tag(status, epoch) | pieces[i]);
  }

  /// Where the words of a tile begin.
  SIMT_KERNEL const uint64_t* first_word(uint32_t tile) const {
    return &words[size_t(tile) * kWords];
  }

  /// What is known now. `value` is set unless the status is invalid.
  SIMT_KERNEL State read(uint32_t tile, uint32_t epoch) const {
    uint64_t read[kWords];
    simt::load_relaxed(first_word(tile), read);
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

  /// What is known as soon as it is not nothing.
  SIMT_KERNEL State wait(uint32_t tile, uint32_t epoch) const {
    for (uint32_t spin = 0; spin < kSpinLimit; ++spin) {
      State state = read(tile, epoch);
      if (state.status != TileStatus::kInvalid) return state;
      simt::backoff();
    }
    simt::fail("a tile waits for one that does not come");
    return {TileStatus::kInvalid, {}};
  }
};

}  // namespace compaction
