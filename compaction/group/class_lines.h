// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/group/warp.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Up to 32 runs of items, one for each class, that are consecutive in shared memory and begin
/// anywhere in the output. They are cut into lines of 32 items at the lines of the output, so that
/// one store of a warp writes into one line. It is in shared memory.
///
/// Lane c holds the index of the first line of class c, so one ballot finds the class of a line.
struct ClassLines {
  /// The item that a lane writes of a line.
  struct Output {
    uint64_t to;     ///< index in the output
    uint32_t place;  ///< place in shared memory
    bool written;    ///< whether the line has an item for this lane
  };

  struct alignas(16) Run {
    uint64_t offset;  ///< index in the output minus place; may wrap
    uint32_t start;   ///< place of lane 0 in line 0; may wrap
    uint16_t begin;   ///< place of the first item
    uint16_t items;
  };

  Run runs[simt::kWarpSize];              ///< [class]
  uint32_t first_lines[simt::kWarpSize];  ///< [class]
  uint32_t count;                         ///< number of lines

  /// Cuts the runs into lines. All lanes of one warp make the call together, lane c for class c.
  /// Lanes without a class pass no items.
  ///
  /// @param begin  place of the first item, less than 2^16
  /// @param items  number of items of the run, less than 2^16
  /// @param to     where the run begins in the output
  /// @param skip   places between the start of a line of the output and `to`
  SIMT_KERNEL void place(simt::Warp auto warp, uint32_t begin, uint32_t items, uint64_t to,
                         uint32_t skip) {
    const unsigned lane = warp.thread_rank();
    skip %= simt::kWarpSize;
    const uint32_t lines = items > 0 ? simt::ceil_div(skip + items, simt::kWarpSize) : 0;
    const uint32_t first = warp_exclusive_scan(warp, lines);
    first_lines[lane] = first;
    runs[lane] = {.offset = to - begin,
                  .start = begin - skip - first * simt::kWarpSize,
                  .begin = uint16_t(begin),
                  .items = uint16_t(items)};
    if (lane == simt::kWarpSize - 1) count = first + lines;
  }

  /// Returns the value of each lane that output() needs. Called after a barrier.
  SIMT_KERNEL uint32_t first_of_lane(simt::Warp auto warp) const {
    return first_lines[warp.thread_rank()];
  }

  /// Returns what this lane writes of a line; nothing if the line is past the last one. All lanes
  /// of a warp make the call together.
  ///
  /// @param begun     whether first_of_lane() is at most the line
  /// @param position  32 times the line, plus the lane
  SIMT_KERNEL Output output(simt::Warp auto warp, bool begun, uint32_t position) const {
    // If several classes begin at the same line, all but the last are empty.
    const Run run = runs[simt::popcount(warp.ballot(begun)) - 1];
    const uint32_t place = run.start + position;
    return {.to = run.offset + place, .place = place, .written = place - run.begin < run.items};
  }
};

}  // namespace compaction
