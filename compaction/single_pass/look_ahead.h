// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <cstring>

#include "compaction/grid/tile_states.h"
#include "compaction/group/warp.h"
#include "compaction/simt/simt.h"
#include "compaction/single_pass/tile.h"

namespace compaction {

/// Combines kCount totals, a power of two, as a balanced tree.
template <unsigned kCount, class Job>
SIMT_KERNEL typename Job::Total sum_of_lane(const Job& job, const typename Job::Total* totals) {
  if constexpr (kCount == 1)
    return totals[0];
  else
    return job.combine()(sum_of_lane<kCount / 2>(job, totals),
                         sum_of_lane<kCount / 2>(job, totals + kCount / 2));
}

/// Calls `visit` for the parts of that tree that make up the first `index` % kCount totals.
template <unsigned kCount, class Job, class Visit>
SIMT_KERNEL void visit_parts(const Job& job, const typename Job::Total* totals, uint32_t index,
                             Visit visit) {
  if constexpr (kCount > 1) {
    constexpr unsigned kHalf = kCount / 2;
    if (index / kHalf % 2 == 1) {
      visit(sum_of_lane<kHalf>(job, totals));
      visit_parts<kHalf>(job, totals + kHalf, index, visit);
    } else {
      visit_parts<kHalf>(job, totals, index, visit);
    }
  }
}

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
      : job_(job), tree_(warp, sum_of_lane<kStates>(job, totals), job.combine()) {
    for (unsigned i = 0; i < kStates; ++i) totals_[i] = totals[i];
  }

  /// Returns the totals of all tiles combined, in lane 0.
  SIMT_KERNEL const Total& total() const { return tree_.total(); }

  /// Stores the parts that make up the tiles before `tile`, which is the same for all lanes.
  SIMT_KERNEL void store_parts(simt::Warp auto warp, uint32_t tile, Total* parts) const {
    const unsigned lane = tile / kStates;
    tree_.store_parts(warp, lane, parts);
    parts += simt::popcount(lane);
    if (warp.thread_rank() == lane)
      visit_parts<kStates>(job_, totals_, tile, [&](const Total& total) { *parts++ = total; });
  }

  /// Returns the prefix of a tile, which is the same for all lanes, where `prefix` is that of the
  /// row.
  SIMT_KERNEL Prefix extend_to(simt::Warp auto warp, Prefix prefix, uint32_t tile) const {
    // All shuffles come first, so that they overlap.
    constexpr unsigned kLevels = simt::log2_of(simt::kWarpSize);
    const unsigned lane = tile / kStates;
    Total parts[kLevels], totals[kStates];
    unsigned count = 0;
    tree_.visit_parts(warp, lane, [&](const Total& total, bool) { parts[count++] = total; });
    for (unsigned i = 0; i < kStates; ++i)
      if (kStates > 1) totals[i] = shuffle_item(warp, totals_[i], lane % simt::kWarpSize);
    for (unsigned i = 0; i < kLevels; ++i)
      if (lane >> (kLevels - 1 - i) & 1) prefix = job_.extend(prefix, parts[i]);
    visit_parts<kStates>(job_, totals, tile,
                         [&](const Total& total) { prefix = job_.extend(prefix, total); });
    return prefix;
  }

 private:
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
  Total totals_[kStates];  // totals of this lane's tiles
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

  SIMT_KERNEL Warp warp() const { return warp_; }

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
/// combination of all items before a tile, and `fold(warp, prefix, totals, count)` extends a prefix
/// by the totals of `count` tiles, ordered by row, then lane. Rows beyond them are identities.
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

  /// Ends the window at the first tile that had not published its aggregate when its state was
  /// read. Returns whether that leaves a tile, or there is no such tile.
  SIMT_KERNEL bool end_at_published(simt::Warp auto warp) {
    for (unsigned row = 0; row < kReads && next_ + row * simt::kWarpSize < end_; ++row) {
      bool published = true;
      for (unsigned i = 0; i < States::kWords; ++i)
        published &= States::has_tag(words_[row][i], valid_);
      const uint32_t lanes = warp.ballot(!published);
      if (lanes == 0) continue;
      end_ = next_ + row * simt::kWarpSize + simt::first_set(lanes);
      return end_ > next_;
    }
    return true;
  }

  /// Returns whether every tile of the window had published its aggregate when its state was read.
  SIMT_KERNEL bool complete(simt::Warp auto warp) const {
    bool all = true;
    for (unsigned row = 0; row < kReads; ++row)
      for (unsigned i = 0; i < States::kWords; ++i) all &= States::has_tag(words_[row][i], valid_);
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
    return job_.fold(warp, prefix_, totals, tile - next_);
  }

  /// Moves to the end of the window, which must be complete, and returns the prefix there.
  SIMT_KERNEL Prefix move_to_end(simt::Warp auto warp) {
    prefix_ = before(warp, end_);
    next_ = end_;
    return prefix_;
  }

  /// Waits for the tiles before `last`, window by window.
  ///
  /// Calls `use_window()` for each complete window or, for jobs of short tiles (kCopiesItself), for
  /// the part of a window before the first tile that has not published. `use_window()` must call
  /// move_to_end() and return whether more tiles are needed. advance() returns when no more tiles
  /// are needed, or when `enough()` holds after a read; that read stays in flight for the next
  /// call. Ends the launch with an error if a tile publishes nothing for seconds.
  template <class UseWindow, class Enough>
  SIMT_KERNEL void advance(simt::Warp auto warp, uint32_t last, UseWindow use_window,
                           Enough enough) {
    for (uint32_t spin = 0;; ++spin) {
      if (in_flight_ && (kCopiesItself<Job> ? end_at_published(warp) : complete(warp))) {
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

/// Finds the prefix of a tile as LookAhead does, in a fixed order (kFixedOrder): rows of tiles are
/// combined one after another, each as a TileRow, so the order depends on the indices of the tiles
/// alone. A window consists of complete rows and, if it reaches the tile, of the tiles before it in
/// its own row, which are read again once that row is complete.
template <class Job, unsigned kReads, unsigned kStates>
class OrderedLookAhead {
 public:
  using Total = typename Job::Total;
  using Prefix = typename Job::Prefix;
  using States = TileStates<Total>;
  using Row = TileRow<Job, kStates>;

  static constexpr unsigned kLaneStates = kStates;
  static constexpr uint32_t kRowTiles = kStates * simt::kWarpSize;
  static constexpr uint32_t kWindow = kReads * kRowTiles;  // tiles in complete rows

  /// Starts at the first tile of row `first_row`, whose prefix is `prefix`.
  SIMT_KERNEL OrderedLookAhead(const Job& job, const States& states, uint32_t epoch,
                               uint32_t first_row, const Prefix& prefix)
      : job_(job),
        states_(states),
        valid_(States::tag(TileStatus::kAggregate, epoch)),
        prefix_(prefix),
        next_(first_row * kRowTiles) {}

  /// Starts to load the states of the next window of tiles before `last`.
  SIMT_KERNEL void read(simt::Warp auto warp, uint32_t last) {
    const uint32_t own = last - last % kRowTiles;
    reaches_ = own - next_ <= kWindow;
    end_ = reaches_ ? own : next_ + kWindow;
    last_ = last;
    for (unsigned row = 0; row < kReads; ++row)
      read_row(warp, next_ + row * kRowTiles, end_, rows_[row]);
    read_row(warp, own, reaches_ ? last : own, own_);
  }

  /// Returns whether every tile of the window had published its total when its state was read.
  SIMT_KERNEL bool complete(simt::Warp auto warp) const {
    bool all = true;
    for (unsigned i = 0; i < kStates; ++i)
      for (unsigned w = 0; w < States::kWords; ++w) {
        for (unsigned row = 0; row < kReads; ++row)
          all &= States::has_tag(rows_[row][i][w], valid_);
        all &= States::has_tag(own_[i][w], valid_);
      }
    return warp.all(all);
  }

  /// Returns whether the window reaches tile `last` of read().
  SIMT_KERNEL bool reaches_last() const { return reaches_; }

  /// Moves to the end of the complete rows of the window, which must be complete. Returns the
  /// prefix of tile `last` if the window reaches it.
  SIMT_KERNEL Prefix move(simt::Warp auto warp) {
    const Row own = own_row(warp);  // its shuffles overlap with those of the other rows
    const Totals totals = totals_of_rows(warp);
    for (unsigned row = 0; row < kReads; ++row) {
      const Total total = shuffle_item(warp, totals.of[row], 0);
      if (next_ + row * kRowTiles < end_) prefix_ = job_.extend(prefix_, total);
    }
    next_ = end_;
    return own.extend_to(warp, prefix_, last_ - end_);
  }

  /// Stores the parts that make up the tiles of the window, which must be complete: the totals of
  /// the complete rows, each at the index of its row, then parts of the last one. Moves to the end
  /// of the complete rows.
  SIMT_KERNEL void store_parts(simt::Warp auto warp, Total* parts) {
    const Totals totals = totals_of_rows(warp);
    for (unsigned row = 0; row < kReads; ++row)
      if (const uint32_t first = next_ + row * kRowTiles; first < end_ && warp.thread_rank() == 0)
        parts[first / kRowTiles] = totals.of[row];
    if (reaches_) own_row(warp).store_parts(warp, last_ - end_, parts + end_ / kRowTiles);
    next_ = end_;
  }

  /// Waits for the tiles before `last()`, window by window. Otherwise like LookAhead::advance();
  /// `use_window()` must call move() or store_parts().
  template <class Last, class UseWindow, class Enough>
  SIMT_KERNEL void advance(simt::Warp auto warp, Last last, UseWindow use_window, Enough enough) {
    for (uint32_t spin = 0;; ++spin) {
      if (in_flight_ && complete(warp)) {
        in_flight_ = false;
        if (!use_window()) return;
      }
      read(warp, last());
      in_flight_ = true;
      if (enough()) return;
      check_progress(spin);
      if (spin > 0) simt::backoff();
    }
  }

 private:
  using Words = uint64_t[kStates][States::kWords];

  struct Totals {
    Total of[kReads];
  };

  /// Reads the states of tiles [first, end) of a row; the others get no status.
  SIMT_KERNEL void read_row(simt::Warp auto warp, uint32_t first, uint32_t end, Words& words) {
    const uint32_t tile = first + warp.thread_rank() * kStates;
    for (unsigned i = 0; i < kStates; ++i) {
      for (uint64_t& word : words[i]) word = valid_;
      if (tile + i < end) simt::load_relaxed(states_.first_word(tile + i), words[i]);
    }
  }

  /// Returns the totals of this lane in a row of which tiles [first, end) were read.
  SIMT_KERNEL void totals_of_lane(simt::Warp auto warp, const Words& words, uint32_t first,
                                  uint32_t end, Total (&totals)[kStates]) const {
    const uint32_t tile = first + warp.thread_rank() * kStates;
    for (unsigned i = 0; i < kStates; ++i) {
      totals[i] = Total(job_.identity());
      uint32_t pieces[States::kWords];
      for (unsigned w = 0; w < States::kWords; ++w) pieces[w] = uint32_t(words[i][w]);
      if (tile + i < end) std::memcpy(&totals[i], pieces, sizeof(Total));
    }
  }

  /// Returns the totals of the complete rows, in lane 0.
  SIMT_KERNEL Totals totals_of_rows(simt::Warp auto warp) const {
    Totals rows;
    for (unsigned row = 0; row < kReads; ++row) {
      Total totals[kStates];
      totals_of_lane(warp, rows_[row], next_ + row * kRowTiles, end_, totals);
      rows.of[row] = sum_of_lane<kStates>(job_, totals);
    }
    warp_reduce_each(warp, rows.of, job_.combine());
    return rows;
  }

  SIMT_KERNEL Row own_row(simt::Warp auto warp) const {
    Total totals[kStates];
    totals_of_lane(warp, own_, end_, reaches_ ? last_ : end_, totals);
    return Row(warp, job_, totals);
  }

  const Job& job_;
  const States& states_;
  uint64_t valid_;               // tag in the upper half of each word of a published total
  Prefix prefix_;                // prefix of tile next_
  uint32_t next_;                // the next window begins here, at a row
  uint32_t end_ = 0, last_ = 0;  // end of the complete rows of the window; its tile
  bool reaches_ = false, in_flight_ = false;
  uint64_t rows_[kReads][kStates][States::kWords];
  uint64_t own_[kStates][States::kWords];  // this lane's states in the row of tile last_
};

}  // namespace compaction
