// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"

namespace compaction {

using simt::Span;

/// Epochs, [0, kEpochs), distinguish the calls that use one workspace. An epoch has 30 bits, so
/// that it fits in a word with a status and 32 bits of value, see TileStates.
inline constexpr unsigned kEpochBits = 30;
inline constexpr uint32_t kEpochs = 1u << kEpochBits;

struct Ticket {
  uint32_t tile;
  uint32_t epoch;  ///< epoch of this call
};

/// Assigns the tiles 0, 1, 2, ... to blocks in the order in which they start. So each block waits
/// only for blocks that have started, in whatever order the device starts them and however many it
/// holds. The queue is zeroed before the first call; each call leaves it ready for the next call,
/// without a kernel or a memset in between.
struct TileQueue {
  /// State in the workspace. `next` holds the epoch in its upper half and the ticket in its lower
  /// half, so that one draw returns both. The block that draws the last ticket of a call begins the
  /// next epoch: by then, every block has drawn its tickets.
  struct State {
    uint64_t next;
    uint32_t ended_blocks;  ///< used in the last epoch only, see end_block()
  };

  static constexpr unsigned kEpochShift = 32;
  static constexpr uint32_t kLastEpoch = kEpochs - 1;

  Span<State> state;  ///< [1]

  /// Draws a ticket. One thread of a block calls it. Relaxed: it orders no other memory access.
  SIMT_KERNEL Ticket draw() const {
    uint64_t word = simt::fetch_add_relaxed(state[0].next, uint64_t(1));
    return {.tile = uint32_t(word), .epoch = uint32_t(word >> kEpochShift)};
  }

  /// Begins the next epoch after the last draw. Must follow each draw(). `draws` is the number of
  /// draws of all blocks in this call; a ticket beyond it is an error. (Not all concurrent calls
  /// are detected.) The next kernel of the stream sees the new epoch because kernels of one stream
  /// run one after the other.
  SIMT_KERNEL void after_draw(Ticket ticket, uint32_t draws) const {
    if (ticket.tile >= draws)
      simt::fail("the workspace was not zeroed, or two calls use it at once");
    if (ticket.tile == draws - 1 && ticket.epoch != kLastEpoch)
      simt::store_relaxed(state[0].next, uint64_t(ticket.epoch + 1) << kEpochShift);
  }

  /// Called by one thread of each block, after a barrier that follows the block's last access to
  /// the tile states `words`.
  ///
  /// Has an effect in the last epoch only. After it, epochs restart at 0, and words of earlier
  /// calls must not become valid again, so the last block clears all of them. Each addition
  /// releases the accesses of its block, and the last one acquires them, so no block reads cleared
  /// words. No run can show that a relaxed addition is wrong: each block has branched on all values
  /// that it read before it adds, and no hardware lets a later write of another thread reach such a
  /// read. The memory model does not guarantee this.
  SIMT_KERNEL void end_block(uint32_t epoch, uint32_t blocks, Span<uint64_t> words) const {
    if (epoch != kLastEpoch) return;
    if (simt::fetch_add_acq_rel(state[0].ended_blocks, 1) + 1 < blocks) return;
    for (uint64_t& word : words) word = 0;
    state[0] = {};
  }
};

}  // namespace compaction
