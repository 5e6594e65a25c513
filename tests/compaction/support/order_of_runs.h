// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compaction/single_pass/runs.h"
#include "tests/compaction/support/order_of_combination.h"

// The order in which reductions of runs combine items, as compaction/README.md states it, in plain
// loops ("Order of combination").

namespace ordered {

/// The keys of runs, and their values combined.
template <class Key, class T>
struct Runs {
  std::vector<Key> keys;
  std::vector<T> values;
};

/// The order of reduce_by_key(): the items of a lane one after another, those of a warp by a scan
/// that restarts where a run begins, and warps as the segments of a scan.
template <class Key, class T, class Op>
Runs<Key, T> reduce_by_key(const std::vector<Key>& keys, const std::vector<T>& values,
                           const Op& op) {
  constexpr size_t kBytes = sizeof(Key) + sizeof(T);
  constexpr size_t kFit = std::min<size_t>(compaction::kRunBytes<Key, Op, T> / kBytes, 32);
  constexpr size_t kChunk = kFit > 4 ? kFit / 2 * 2 : std::max<size_t>(kFit, 1);
  constexpr size_t kSegment = kLanes * kChunk;
  constexpr size_t kTileSegments =
      compaction::ReduceRunsJob<Key, compaction::Items<T>, Op, compaction::Equals>::kTileThreads /
      kLanes;
  using Total = compaction::RunsTotal<T>;
  const compaction::CombineRuns<T, Op> combine{op};
  const size_t n = keys.size(), segments = (n + kSegment - 1) / kSegment;
  auto begins = [&](size_t i) { return i < n && (i == 0 || keys[i] != keys[i - 1]); };
  auto value = [&](size_t i) { return i < n ? values[i] : T(op.identity()); };

  // The value, in its segment, of the run that ends before an item where a run begins.
  std::vector<T> local(n);
  std::vector<bool> begun(n);  // whether that run begins in the segment
  std::vector<Total> totals;
  for (size_t first = 0; first < n; first += kSegment) {
    std::vector<Total> lanes;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const size_t item = first + lane * kChunk;
      Total sum{value(item), begins(item)};
      for (size_t i = item + 1; i < item + kChunk; ++i) sum = combine(sum, {value(i), begins(i)});
      lanes.push_back(sum);
    }
    scan_lanes(lanes, combine);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      Total before = lane > 0 ? lanes[lane - 1] : combine.identity();
      for (size_t i = first + lane * kChunk; i < std::min(n, first + (lane + 1) * kChunk); ++i) {
        local[i] = before.value;
        begun[i] = before.runs > 0;
        before = combine(before, {values[i], begins(i)});
      }
    }
    totals.push_back(lanes[kLanes - 1]);
  }

  constexpr size_t kRow = kRowTiles * kTileSegments;
  std::vector<Total> prefixes(segments, combine.identity());
  Total prefix = combine.identity();
  for (size_t row = 0; row < segments; row += kRow) {
    sweep_down(totals, row, kRow, prefix, combine, prefixes);
    if (row + kRow < segments) prefix = combine(prefix, tree(totals, row, kRow, combine));
  }
  Runs<Key, T> runs;
  for (size_t i = 0; i < n; ++i) {
    if (!begins(i)) continue;
    if (i > 0)
      runs.values.push_back(begun[i] ? local[i] : T(op(prefixes[i / kSegment].value, local[i])));
    runs.keys.push_back(keys[i]);
  }
  if (n > 0) runs.values.push_back(combine(prefixes.back(), totals.back()).value);
  return runs;
}

}  // namespace ordered
