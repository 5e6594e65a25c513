#pragma once

#include <cstdint>

#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"
#include "compaction/simt/span.h"

namespace compaction {

using simt::Span;

/// Calls of one workspace are told apart by their epoch, [0, kEpochs). It has 30 bits so that it
/// fits beside a status and 32 bits of value in a word, see TileState.
inline constexpr unsigned kEpochBits = 30;
inline constexpr uint32_t kEpochs = 1u << kEpochBits;

/// What a block draws from a TileQueue.
struct Ticket {
  uint32_t tile;
  uint32_t epoch;  ///< of this call
};

/// Hands out the tiles 0, 1, 2, ... to blocks that run already, so that each waits only for blocks
/// that run too, whatever the order in which the device starts them, and however many it runs at
/// once. The queue is zero before the first call, and each call leaves it ready for the next one
/// without a kernel or a memset in between.
struct TileQueue {
  /// In the workspace. `next` is one word, epoch above and ticket below, so that the epoch comes
  /// with the ticket, and whoever draws the last ticket of a call can begin the next epoch: by then
  /// every block has its own.
  struct State {
    uint64_t next;
    uint32_t ended_blocks;  ///< in the last epoch only, see end_block()
  };

  static constexpr unsigned kEpochShift = 32;
  static constexpr uint32_t kLastEpoch = kEpochs - 1;

  Span<State> state;  ///< [1]

  /// Draws a ticket. One thread of a block calls it. Relaxed: the numbers alone matter.
  SIMT_KERNEL Ticket draw() const {
    uint64_t word = simt::fetch_add_relaxed(state[0].next, uint64_t(1));
    return {.tile = uint32_t(word), .epoch = uint32_t(word >> kEpochShift)};
  }

  /// Must follow each draw(). `draws` is how often all blocks together draw in this call; a ticket
  /// beyond that is reported. (Two calls at once may also go unnoticed.) The next
  /// kernel of the stream sees the new epoch because kernels of one stream run one after the other.
  SIMT_KERNEL void after_draw(Ticket ticket, uint32_t draws) const {
    if (ticket.tile >= draws)
      simt::fail("the workspace was not zeroed, or two calls use it at once");
    if (ticket.tile == draws - 1 && ticket.epoch != kLastEpoch)
      simt::store_relaxed(state[0].next, uint64_t(ticket.epoch + 1) << kEpochShift);
  }

  /// Called by one thread of each block, after a barrier behind the block's last access to the tile
  /// states `words`.
  ///
  /// Does nothing but in the last epoch. Then epochs begin anew, and words that no recent call has
  /// rewritten must not come back to life: the last block clears all. Each addition releases what
  /// its block has done before, and the last one acquires it, so no block sees the cleared words.
  SIMT_KERNEL void end_block(uint32_t epoch, uint32_t blocks, Span<uint64_t> words) const {
    if (epoch != kLastEpoch) return;
    if (simt::fetch_add_acq_rel(state[0].ended_blocks, 1) + 1 < blocks) return;
    for (uint64_t& word : words) word = 0;
    state[0] = {};
  }
};

}  // namespace compaction
