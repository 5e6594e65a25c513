// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "compaction/grid/tile_states.h"
#include "compaction/group/warp.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// The totals of a row of consecutive tiles, kStates in each lane of a warp, as a tree. The prefix
/// of a tile in the row follows from that of the row. All lanes make each call together.
template <class Job, unsigned kStates>
class TileRow {
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;

 public:
  /// `totals` are those of tiles kStates * lane, ... of the row. A tile that is not needed may have
  /// any total.
  SIMT_KERNEL TileRow(simt::Warp auto warp, const Job& job, const Total (&totals)[kStates])
      : job_(job), tree_(warp, sum<kStates>(totals), job.combine()) {
    for (unsigned i = 0; i < kStates; ++i) totals_[i] = totals[i];
  }

  /// Returns the totals of all tiles combined, in lane 0.
  SIMT_KERNEL const Total& total() const { return tree_.total(); }

  /// Calls `visit(total, is_part)` for parts of the row, of which those with is_part make up the
  /// tiles before `tile`, which is the same for all lanes, in order.
  template <class Visit>
  SIMT_KERNEL void visit_parts(simt::Warp auto warp, uint32_t tile, Visit visit) const {
    tree_.visit_parts(warp, tile / kStates, visit);
    visit_parts_of_lane<kStates>(warp, totals_, tile, visit);
  }

  /// Returns the prefix of a tile, where `prefix` is that of the row.
  SIMT_KERNEL Prefix extend_to(simt::Warp auto warp, Prefix prefix, uint32_t tile) const {
    visit_parts(warp, tile, [&](const Total& total, bool is_part) {
      if (is_part) prefix = job_.extend(prefix, total);
    });
    return prefix;
  }

 private:
  template <unsigned kCount>
  SIMT_KERNEL Total sum(const Total* totals) const {
    if constexpr (kCount == 1)
      return totals[0];
    else
      return job_.combine()(sum<kCount / 2>(totals), sum<kCount / 2>(totals + kCount / 2));
  }

  template <unsigned kCount, class Visit>
  SIMT_KERNEL void visit_parts_of_lane(simt::Warp auto warp, const Total (&totals)[kCount],
                                       uint32_t tile, Visit visit) const {
    if constexpr (kCount > 1) {
      constexpr unsigned kHalf = kCount / 2;
      const bool upper = tile / kHalf % 2 == 1;
      visit(shuffle_item(warp, sum<kHalf>(totals), tile / kStates % simt::kWarpSize), upper);
      Total half[kHalf];
      for (unsigned i = 0; i < kHalf; ++i) half[i] = totals[upper ? kHalf + i : i];
      visit_parts_of_lane<kHalf>(warp, half, tile, visit);
    }
  }

  const Job& job_;
  Total totals_[kStates];
  WarpTree<Total> tree_;
};

/// A row to which tiles are added one after another, of the tiles of one block.
template <class Job, unsigned kStates>
class GrowingRow {
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;
  using Row = TileRow<Job, kStates>;
  static constexpr uint32_t kTiles = kStates * simt::kWarpSize;

 public:
  SIMT_KERNEL explicit GrowingRow(const Job& job) : job_(job) {
    for (Total& total : totals_) total = Total(job.identity());
  }

  /// Adds the tile that follows, with the total of lane 0, and returns its prefix. `prefix` is that
  /// of the row, and becomes that of the next row.
  SIMT_KERNEL Prefix add(simt::Warp auto warp, Prefix& prefix, uint32_t tile, const Total& total) {
    const uint32_t place = tile % kTiles;
    const Prefix before = Row(warp, job_, totals_).extend_to(warp, prefix, place);
    const Total added = shuffle_item(warp, total, 0);
    for (unsigned i = 0; i < kStates; ++i)
      if (warp.thread_rank() * kStates + i == place) totals_[i] = added;
    if (place == kTiles - 1)
      prefix = job_.extend(prefix, shuffle_item(warp, Row(warp, job_, totals_).total(), 0));
    return before;
  }

 private:
  const Job& job_;
  Total totals_[kStates];  // of this lane
};

/// The totals of the segments of a tile (tile.h), as a tree, for one warp of a block. All lanes
/// make each call together.
template <class Job, class Warp, unsigned kSegments, unsigned kOwnSegments>
class TileSegments {
  using Total = typename Job::Total;
  static_assert(kSegments <= simt::kWarpSize, "a lane for each segment");

 public:
  /// The prefixes of the segments of this warp.
  template <class Prefix>
  struct Own {
    static constexpr unsigned kCount = kOwnSegments;
    Prefix prefixes[kCount];
  };

  SIMT_KERNEL TileSegments(Warp warp, const Job& job, unsigned warp_rank, const Total* totals)
      : job_(job),
        warp_(warp),
        first_(warp_rank * kOwnSegments),
        tree_(warp,
              warp.thread_rank() < kSegments ? totals[warp.thread_rank()] : Total(job.identity()),
              job.combine()) {}

  /// Returns the total of the tile, in lane 0.
  SIMT_KERNEL const Total& total() const { return tree_.total(); }

  /// Returns the prefix of a segment, where `prefix` is that of the tile. `segment` is the same for
  /// all lanes.
  template <class Prefix>
  SIMT_KERNEL Prefix prefix_of(unsigned segment, Prefix prefix) const {
    tree_.visit_parts(warp_, segment, [&](const Total& total, bool is_part) {
      if (is_part) prefix = job_.extend(prefix, total);
    });
    return prefix;
  }
  template <class Prefix>
  SIMT_KERNEL Own<Prefix> own_prefixes(const Prefix& prefix) const {
    Own<Prefix> own;
    for (unsigned s = 0; s < kOwnSegments; ++s) own.prefixes[s] = prefix_of(first_ + s, prefix);
    return own;
  }

 private:
  const Job& job_;
  Warp warp_;
  unsigned first_;
  WarpTree<Total, 1u << simt::log2_of(kSegments)> tree_;
};

/// Finds the prefix of a tile by combining the totals of all earlier tiles in order. One warp uses
/// it; all lanes make each call together.
///
/// A block reads the totals of all tiles between two tiles of its own, so no tile waits for the
/// prefix of another tile. The loads of a window are in flight together: one latency in all, where
/// a look-back takes one per window. They stay in flight while the block does other work: read()
/// starts the loads of a window, and a later call uses the results. Cost: one read from L2 per tile
/// and block.
///
/// `Job` defines how to combine: `Total` is the value that a tile publishes, `Prefix` is the
/// combination of all items before a tile. If the job has a fixed order (kFixedOrder), a window
/// begins at a multiple of kRowTiles, rows are combined one after another and each row as a
/// TileRow, so the order depends on the tiles' indices alone; the part of a row before a tile of
/// the block is read again once the row is complete. Otherwise a window begins at any tile, and
/// `fold(warp, prefix, totals)` extends a prefix by the totals of a window, ordered by row, then
/// lane.
///
/// The single-pass scans of NVIDIA CCCL 3.6 (2026) walk forward over aggregates in the same way.
template <class Job, unsigned kReads, unsigned kStates = 1>
class LookAhead {
 public:
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;
  using States = TileStates<Total>;
  using Row = TileRow<Job, kStates>;

  static constexpr unsigned kLaneStates = kStates;
  static constexpr uint32_t kRowTiles = kStates * simt::kWarpSize;
  static constexpr uint32_t kWindow = kReads * kRowTiles;  // tiles

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
    if constexpr (kFixedOrder<Job>) begin_ = next_;
    end_ = last - next_ < kWindow ? last : next_ + kWindow;
    uint32_t tile = next_ + warp.thread_rank() * kStates;
    for (unsigned row = 0; row < kReads; ++row, tile += kRowTiles)
      for (unsigned i = 0; i < kStates; ++i) {
        if (tile + i < end_)
          simt::load_relaxed(states_.first_word(tile + i), words_[row][i]);
        else
          for (uint64_t& word : words_[row][i]) word = valid_;
      }
  }

  /// Returns whether every tile of the window had published its total when its state was read.
  SIMT_KERNEL bool complete(simt::Warp auto warp) const {
    bool all = true;
    for (unsigned row = 0; row < kReads; ++row)
      for (unsigned i = 0; i < kStates; ++i)
        for (unsigned w = 0; w < States::kWords; ++w)
          all &= (words_[row][i][w] ^ valid_) >> States::kEpochShift == 0;
    return warp.all(all);
  }

  /// Returns one past the last tile of the window.
  SIMT_KERNEL uint32_t end() const { return end_; }

  /// Returns the prefix of `tile`, which is in the window or at its end. The window must be
  /// complete. In a fixed order, moves to the row of the tile.
  SIMT_KERNEL Prefix before(simt::Warp auto warp, uint32_t tile) {
    if constexpr (kFixedOrder<Job>) {
      for (unsigned r = 0; r < kReads; ++r) {
        const uint32_t first = begin_ + r * kRowTiles;
        if (first < next_) continue;
        if (first >= end_) break;
        const auto row = row_of(warp, r);
        if (tile - first < kRowTiles) return row.extend_to(warp, prefix_, tile - first);
        prefix_ = job_.extend(prefix_, shuffle_item(warp, row.total(), 0));
        next_ = first + kRowTiles;
      }
      return prefix_;
    } else {
      Total totals[kReads];
      for (unsigned row = 0; row < kReads; ++row) totals[row] = total_of(warp, row, 0, tile);
      return job_.fold(warp, prefix_, totals);
    }
  }

  /// Moves to the end of the window, which must be complete, and returns the prefix there.
  SIMT_KERNEL Prefix move_to_end(simt::Warp auto warp) {
    if constexpr (kFixedOrder<Job>) {
      return before(warp, end_);
    } else {
      prefix_ = before(warp, end_);
      next_ = end_;
      return prefix_;
    }
  }

  /// Calls `use(r, row)` for each row of the window, which must be complete, and moves to its end.
  template <class Use>
  SIMT_KERNEL void use_rows(simt::Warp auto warp, Use use) {
    for (unsigned r = 0; r < kReads; ++r)
      if (const uint32_t first = begin_ + r * kRowTiles; first < end_)
        use(first / kRowTiles, row_of(warp, r));
    next_ = end_;
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
  /// Returns the first tile of the window.
  SIMT_KERNEL uint32_t begin() const { return kFixedOrder<Job> ? begin_ : next_; }

  /// Returns the tile whose state is number `i` of this lane in a row of the window.
  SIMT_KERNEL uint32_t tile_of(simt::Warp auto warp, unsigned row, unsigned i) const {
    return begin() + row * kRowTiles + warp.thread_rank() * kStates + i;
  }

  SIMT_KERNEL auto row_of(simt::Warp auto warp, unsigned row) const {
    Total totals[kStates];
    for (unsigned i = 0; i < kStates; ++i) totals[i] = total_of(warp, row, i, end_);
    return Row(warp, job_, totals);
  }

  /// Returns the total that was read, or the identity if its tile is not before `end`.
  SIMT_KERNEL Total total_of(simt::Warp auto warp, unsigned row, unsigned i, uint32_t end) const {
    Total total = Total(job_.identity());
    if (tile_of(warp, row, i) < end) {
      uint32_t pieces[States::kWords];
      for (unsigned p = 0; p < States::kWords; ++p) pieces[p] = uint32_t(words_[row][i][p]);
      std::memcpy(&total, pieces, sizeof(Total));
    }
    return total;
  }

  const Job& job_;
  const States& states_;
  uint64_t valid_;           // tag in the upper half of each word of a published aggregate
  Prefix prefix_;            // prefix of tile next_
  uint32_t next_, end_ = 0;  // the window; in a fixed order, from begin_ on
  uint32_t begin_ = 0;
  bool in_flight_ = false;
  uint64_t words_[kReads][kStates][States::kWords];
};

}  // namespace compaction
