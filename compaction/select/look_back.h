#pragma once

#include <cstdint>

#include "compaction/grid/workspace_cutter.h"
#include "compaction/group/warp_sum.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"

namespace compaction {

using simt::Span;

/// What a tile tells the tiles after it, in one word, so that status and value are never seen
/// apart.
///
///     63..62  status
///     61..32  epoch of the call that wrote the word; to any other call the tile is invalid
///     31..0   value
struct TileState {
  enum Status : uint32_t {
    kInvalid,          ///< nothing is known yet; the status of a zeroed word
    kAggregate,        ///< value: sum of this tile
    kInclusivePrefix,  ///< value: sum of this tile and all before it
  };

  static constexpr unsigned kStatusShift = 62, kEpochShift = 32;
  static constexpr uint32_t kEpochs = 1u << (kStatusShift - kEpochShift);

  Status status;
  uint32_t value;

  SIMT_HOST_DEVICE uint64_t pack(uint32_t epoch) const {
    return uint64_t(status) << kStatusShift | uint64_t(epoch) << kEpochShift | value;
  }
  SIMT_HOST_DEVICE static TileState unpack(uint64_t word, uint32_t epoch) {
    if (uint32_t(word >> kEpochShift) % kEpochs != epoch) return {kInvalid, 0};
    return {Status(word >> kStatusShift), uint32_t(word)};
  }
};

/// The start of a look-back workspace: zero before the first call, left ready for the next by each.
struct LookBackHeader {
  uint32_t next_tile;  ///< a ticket: a block takes its tile when it starts to run
  uint32_t ended_blocks;
  uint32_t epoch;  ///< of the call that runs or comes next, [0, TileState::kEpochs)
};

/// The tile states of a single-pass algorithm, and what makes them ready for the next call, so that
/// none needs a kernel or a memset in front.
struct LookBackState {
  Span<LookBackHeader> header;  ///< [1]
  Span<uint64_t> tiles;         ///< [tile], all that the workspace has room for

  static size_t bytes(uint32_t tile_count) {
    return workspace_part(sizeof(LookBackHeader)) + workspace_part(tile_count * sizeof(uint64_t));
  }

  explicit LookBackState(Span<std::byte> workspace) {
    WorkspaceCutter cutter(workspace);
    header = cutter.take<LookBackHeader>(1);
    tiles = {reinterpret_cast<uint64_t*>(cutter.rest().data),
             cutter.rest().size / sizeof(uint64_t)};
  }

  /// Tile of the calling block. Tiles are given out in order to blocks that run already, so each
  /// waits only for blocks that run too, whatever the order in which the device starts them.
  /// Relaxed: the number alone matters.
  SIMT_KERNEL uint32_t take_tile(uint32_t blocks) const {
    uint32_t tile = simt::fetch_add_relaxed(header[0].next_tile, 1);
    if (tile >= blocks) simt::fail("the workspace was not zeroed, or two calls use it at once");
    return tile;
  }

  /// Relaxed: it changes only after every block of the call has read it, see end_block().
  SIMT_KERNEL uint32_t epoch() const { return simt::load_relaxed(header[0].epoch); }

  /// Called by one thread of each block, after a barrier behind the block's last access to the
  /// states.
  ///
  /// The last block resets the workspace. Each addition releases what its block has read before,
  /// and the last one acquires it, so no block reads anything later than the reset. The next kernel
  /// of the stream sees the reset because kernels of one stream run one after the other.
  SIMT_KERNEL void end_block(uint32_t blocks) const {
    if (simt::fetch_add_acq_rel(header[0].ended_blocks, 1) + 1 < blocks) return;
    uint32_t next_epoch = (header[0].epoch + 1) % TileState::kEpochs;
    // Epochs begin anew: words that no recent call has rewritten must not come back to life.
    if (next_epoch == 0)
      for (uint64_t& tile : tiles) tile = 0;
    header[0] = {.next_tile = 0, .ended_blocks = 0, .epoch = next_epoch};
  }
};

/// Waits until `tile_state` is valid. Relaxed: the word is all that is passed on.
SIMT_KERNEL inline TileState wait_for_tile(const uint64_t& tile_state, uint32_t epoch) {
  constexpr uint32_t kSpinLimit = 1u << 26;  // seconds; a running block needs microseconds
  for (uint32_t spin = 0; spin < kSpinLimit; ++spin) {
    TileState state = TileState::unpack(simt::load_relaxed(tile_state), epoch);
    if (state.status != TileState::kInvalid) return state;
    simt::backoff();
  }
  simt::fail("a tile waits for one that does not come");
  return {TileState::kInvalid, 0};
}

/// Publishes the sum of `tile` and returns the sum of all tiles before it. One warp, in which all
/// lanes pass and receive the same; 32 tiles per step.
///
/// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
SIMT_KERNEL inline uint32_t look_back(simt::Warp auto warp, Span<uint64_t> tile_states,
                                      uint32_t epoch, uint32_t tile, uint32_t sum) {
  unsigned lane = warp.thread_rank();
  if (lane == 0 && tile > 0)
    simt::store_relaxed(tile_states[tile], TileState{TileState::kAggregate, sum}.pack(epoch));

  uint32_t prefix = 0;
  for (int64_t nearest = int64_t(tile) - 1;; nearest -= simt::kWarpSize) {
    int64_t predecessor = nearest - lane;
    TileState state{TileState::kInclusivePrefix, 0};  // before tile 0 there is nothing
    if (predecessor >= 0) state = wait_for_tile(tile_states[predecessor], epoch);

    uint32_t prefixes = warp.ballot(state.status == TileState::kInclusivePrefix);
    bool counts = lane <= simt::first_set(prefixes);  // that prefix holds the rest
    prefix += warp_sum(warp, counts ? state.value : 0u);
    if (prefixes != 0) break;
  }

  if (lane == 0)
    simt::store_relaxed(tile_states[tile],
                        TileState{TileState::kInclusivePrefix, prefix + sum}.pack(epoch));
  return prefix;
}

}  // namespace compaction
