// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "compaction/grid/tile_states.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Finds the prefix of a tile by combining the aggregates of all earlier tiles in order. One warp
/// uses it; all lanes make each call together.
///
/// A block reads the aggregates of all tiles between two tiles of its own, so no tile waits for the
/// prefix of another tile. The loads of a window are in flight together: one latency in all, where
/// a look-back takes one per window. They stay in flight while the block does other work: read()
/// starts the loads of a window, and a later call uses the results. Cost: one read from L2 per tile
/// and block.
///
/// `Job` defines how to combine: `Total` is the value that a tile publishes, `Prefix` is the
/// combination of all items before a tile, and `fold(warp, prefix, totals)` extends a prefix by the
/// totals of a window, ordered by row, then lane.
///
/// The single-pass scans of NVIDIA CCCL 3.6 (2026) walk forward over aggregates in the same way.
template <class Job, unsigned kReads>
class LookAhead {
 public:
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;
  using States = TileStates<Total>;

  static constexpr uint32_t kWindow = kReads * simt::kWarpSize;  // tiles

  /// Starts at tile `first`, whose prefix is `prefix`.
  SIMT_KERNEL LookAhead(const Job& job, const States& states, uint32_t epoch, uint32_t first,
                        const Prefix& prefix)
      : job_(job),
        states_(states),
        valid_(States::tag(TileStatus::kAggregate, epoch)),
        prefix_(prefix),
        next_(first) {}

  /// Starts to load the states of the next window of tiles before `last`.
  SIMT_KERNEL void read(simt::Warp auto warp, uint32_t last) {
    end_ = last - next_ < kWindow ? last : next_ + kWindow;
    uint32_t tile = next_ + warp.thread_rank();
    for (unsigned row = 0; row < kReads; ++row, tile += simt::kWarpSize) {
      if (tile < end_)
        simt::load_relaxed(states_.first_word(tile), words_[row]);
      else
        for (uint64_t& word : words_[row]) word = valid_;
    }
  }

  /// Returns whether every tile of the window had published its aggregate when its state was read.
  SIMT_KERNEL bool complete(simt::Warp auto warp) const {
    bool all = true;
    for (unsigned row = 0; row < kReads; ++row)
      for (unsigned i = 0; i < States::kWords; ++i)
        all &= (words_[row][i] ^ valid_) >> States::kEpochShift == 0;
    return warp.all(all);
  }

  /// Returns one past the last tile of the window.
  SIMT_KERNEL uint32_t end() const { return end_; }

  /// Returns the prefix of `tile`, which is in the window or at its end. The window must be
  /// complete.
  SIMT_KERNEL Prefix before(simt::Warp auto warp, uint32_t tile) const {
    Total totals[kReads];
    for (unsigned row = 0; row < kReads; ++row) {
      totals[row] = Total(job_.identity());
      if (next_ + row * simt::kWarpSize + warp.thread_rank() < tile) {
        uint32_t pieces[States::kWords];
        for (unsigned i = 0; i < States::kWords; ++i) pieces[i] = uint32_t(words_[row][i]);
        std::memcpy(&totals[row], pieces, sizeof(Total));
      }
    }
    return job_.fold(warp, prefix_, totals);
  }

  /// Moves to the end of the window, which must be complete, and returns the prefix there.
  SIMT_KERNEL Prefix move_to_end(simt::Warp auto warp) {
    prefix_ = before(warp, end_);
    next_ = end_;
    return prefix_;
  }

  /// Waits for the tiles before `last`, window by window.
  ///
  /// Calls `use_window()` for each complete window. `use_window()` must call move_to_end() and
  /// return whether more tiles are needed. advance() returns when no more tiles are needed, or when
  /// `enough()` holds after a read; that read stays in flight for the next call. Ends the launch
  /// with an error if a tile publishes nothing for seconds.
  template <class UseWindow, class Enough>
  SIMT_KERNEL void advance(simt::Warp auto warp, uint32_t last, UseWindow use_window,
                           Enough enough) {
    for (uint32_t spin = 0;; ++spin) {
      if (in_flight_ && complete(warp)) {
        in_flight_ = false;
        if (!use_window()) return;
      }
      read(warp, last);
      in_flight_ = true;
      if (enough()) return;
      check_progress(spin);
      if (spin > 0) simt::backoff();
    }
  }

 private:
  const Job& job_;
  const States& states_;
  uint64_t valid_;           // tag in the upper half of each word of a published aggregate
  Prefix prefix_;            // prefix of tile next_
  uint32_t next_, end_ = 0;  // the window
  bool in_flight_ = false;
  uint64_t words_[kReads][States::kWords];
};

}  // namespace compaction
