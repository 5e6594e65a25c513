#pragma once

#include <cstdint>
#include <cstring>

#include "compaction/grid/tile_states.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Combines what all tiles before a block's next one have published, in order. One warp; all lanes
/// make each call together.
///
/// Every block reads the aggregates of all tiles between two of its own, so no tile waits for
/// another one's prefix, and the loads of a whole window are under way together: the latency is
/// that of one load, where looking back goes from window to window. They stay under way while the
/// block does other things: read() sends for a window, and a later call takes it. It costs one read
/// from L2 per tile and block.
///
/// `Fold` says how: `Total` is what a tile publishes, `Prefix` what comes before it, and
/// `fold(warp, prefix, totals, kReads)` extends a prefix by the totals of a window, ordered by
/// window row, then lane.
///
/// The forward walk over aggregates is that of the single-pass scans in NVIDIA CCCL 3.6, 2026.
template <class Fold, unsigned kReads>
class LookAhead {
 public:
  using Total = typename Fold::Total;
  using Prefix = typename Fold::Prefix;
  using States = TileStates<Total>;

  static constexpr uint32_t kWindow = kReads * simt::kWarpSize;

  SIMT_KERNEL LookAhead(const Fold& fold, const States& states, uint32_t epoch)
      : fold_(fold), states_(states), valid_(States::tag(TileStatus::kAggregate, epoch)) {
    prefix_ = fold.before_all();
  }

  /// Sends for the tiles that come next, up to `last` or a whole window.
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

  /// Whether every tile of the window had published its aggregate when it was read.
  SIMT_KERNEL bool complete(simt::Warp auto warp) const {
    bool all = true;
    for (unsigned row = 0; row < kReads; ++row)
      for (unsigned i = 0; i < States::kWords; ++i)
        all &= (words_[row][i] ^ valid_) >> States::kEpochShift == 0;
    return warp.all(all);
  }

  /// The first tile behind the window.
  SIMT_KERNEL uint32_t end() const { return end_; }

  /// What comes before `tile`, which lies in the window or at its end. The window must be complete.
  SIMT_KERNEL Prefix before(simt::Warp auto warp, uint32_t tile) const {
    Total totals[kReads];
    for (unsigned row = 0; row < kReads; ++row) {
      totals[row] = Total(fold_.identity());
      if (next_ + row * simt::kWarpSize + warp.thread_rank() < tile) {
        uint32_t pieces[States::kWords];
        for (unsigned i = 0; i < States::kWords; ++i) pieces[i] = uint32_t(words_[row][i]);
        std::memcpy(&totals[row], pieces, sizeof(Total));
      }
    }
    return fold_.fold(warp, prefix_, totals);
  }

  /// Moves behind the window, and returns what comes before its end.
  SIMT_KERNEL Prefix move_to_end(simt::Warp auto warp) {
    prefix_ = before(warp, end_);
    next_ = end_;
    return prefix_;
  }

 private:
  const Fold& fold_;
  const States& states_;
  uint64_t valid_;  // the upper half of every word that may be used
  Prefix prefix_;   // of next_
  uint32_t next_ = 0, end_ = 0;
  uint64_t words_[kReads][States::kWords];
};

}  // namespace compaction
