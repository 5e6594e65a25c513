// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compaction/op/operators.h"
#include "compaction/simt/chunk.h"

// The order in which scans and reductions combine items, as compaction/README.md states it, in
// plain loops ("Order of combination").

namespace ordered {

constexpr size_t kLanes = 32, kRowTiles = 32;

/// The sizes on which the order depends, for items of T.
template <class T>
struct Sizes {
  static constexpr size_t kChunk = simt::kVectorItems<T>;  // consecutive items of a lane
  static constexpr size_t kChunkBytes = kChunk * sizeof(T);
  static constexpr size_t kRows = sizeof(T) == 1 ? 2 : std::max<size_t>(1, 64 / kChunkBytes);
  static constexpr size_t kTileSegments = sizeof(T) > 64 ? 8 : 16;
};

/// Combines values [begin, begin + count), `count` a power of two, as a balanced tree.
template <class T, class Op>
T tree(const std::vector<T>& values, size_t begin, size_t count, const Op& op) {
  if (count == 1) return begin < values.size() ? values[begin] : T(op.identity());
  return op(tree(values, begin, count / 2, op), tree(values, begin + count / 2, count / 2, op));
}

/// Sets the prefix of each of `count` values, where `prefix` is that of the first one.
template <class T, class Op>
void sweep_down(const std::vector<T>& totals, size_t begin, size_t count, T prefix, const Op& op,
                std::vector<T>& prefixes) {
  if (begin >= totals.size()) return;
  if (count == 1) {
    prefixes[begin] = prefix;
    return;
  }
  sweep_down(totals, begin, count / 2, prefix, op, prefixes);
  if (begin + count / 2 < totals.size())
    sweep_down(totals, begin + count / 2, count / 2, op(prefix, tree(totals, begin, count / 2, op)),
               op, prefixes);
}

/// Combines the values of 32 lanes, in place, so that lane i holds those of lanes 0 to i.
template <class T, class Op>
void scan_lanes(std::vector<T>& lanes, const Op& op) {
  for (size_t delta = 1; delta < kLanes; delta *= 2)
    for (size_t lane = kLanes; lane-- > delta;) lanes[lane] = op(lanes[lane - delta], lanes[lane]);
}

/// The results of a scan: of each item, and `init` and all items combined.
template <class T>
struct Scan {
  std::vector<T> out;
  T total;
};

template <class T, class Op>
Scan<T> scan(compaction::ScanKind kind, const std::vector<T>& in, T init, const Op& op) {
  constexpr size_t kChunk = Sizes<T>::kChunk, kRowItems = kLanes * kChunk;
  constexpr size_t kSegment = Sizes<T>::kRows * kRowItems;
  const T identity = T(op.identity());
  const size_t n = in.size(), segments = (n + kSegment - 1) / kSegment;
  if (n == 0) return {{}, init};
  auto item = [&](size_t i) { return i < n ? in[i] : identity; };

  std::vector<T> out(n), totals(segments, identity), prefixes(segments, init);
  for (size_t row = 0; row * kRowItems < n; ++row) {
    T& total = totals[row / Sizes<T>::kRows];  // of the earlier rows of the segment
    std::vector<T> lanes(kLanes);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const size_t first = row * kRowItems + lane * kChunk;
      lanes[lane] = item(first);
      for (size_t i = 1; i < kChunk; ++i) lanes[lane] = op(lanes[lane], item(first + i));
    }
    scan_lanes(lanes, op);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      T before = lane > 0 ? op(total, lanes[lane - 1]) : total;
      for (size_t i = row * kRowItems + lane * kChunk, end = i + kChunk; i < end && i < n; ++i) {
        const T after = op(before, in[i]);
        out[i] = kind == compaction::ScanKind::kInclusive ? after : before;
        before = after;
      }
    }
    total = op(total, lanes[kLanes - 1]);
  }

  constexpr size_t kRow = kRowTiles * Sizes<T>::kTileSegments;
  T prefix = init;
  for (size_t row = 0; row < segments; row += kRow) {
    sweep_down(totals, row, kRow, prefix, op, prefixes);
    if (row + kRow < segments) prefix = op(prefix, tree(totals, row, kRow, op));
  }
  for (size_t i = 0; i < n; ++i) out[i] = op(prefixes[i / kSegment], out[i]);
  return {out, op(prefixes.back(), totals.back())};
}

/// A reduction of items that are converted to T.
template <class T, class In, class Op>
T reduce(const std::vector<In>& in, const Op& op) {
  constexpr size_t kChunk = simt::kVectorItems<In>;
  constexpr size_t kChunks = std::max<size_t>(1, 64 / sizeof(simt::Chunk<In>));
  constexpr size_t kWarps = sizeof(T) > 8 ? 8 : 16, kMaxShares = 1056;
  constexpr size_t kStep = kLanes * kChunks * kChunk;  // items of a warp
  const T identity = T(op.identity());
  const size_t n = in.size(), steps = (n + kWarps * kStep - 1) / (kWarps * kStep);
  const size_t shares = steps <= 2 ? 1 : std::min(steps, kMaxShares);

  // Combines the chunks of a lane in a step, in order.
  auto of_lane = [&](size_t first, size_t pitch) {
    T sum = identity;
    for (size_t c = 0; c < kChunks; ++c) {
      const size_t begin = first + c * pitch * kChunk, end = std::min(begin + kChunk, n);
      if (begin >= n) continue;
      T chunk = T(in[begin]);
      for (size_t i = begin + 1; i < end; ++i) chunk = op(chunk, T(in[i]));
      sum = c == 0 ? chunk : op(sum, chunk);
    }
    return sum;
  };
  std::vector<T> results;
  for (size_t share = 0; share < shares; ++share) {
    // The first shares have one step more.
    const size_t each = steps / shares, more = steps % shares;
    const size_t begin = each * share + std::min(share, more), end = begin + each + (share < more);
    std::vector<T> warps(kWarps, identity);
    for (size_t warp = 0; warp < kWarps; ++warp) {
      std::vector<T> lanes(kLanes, identity);
      if constexpr (compaction::kCommutes<Op>) {
        for (size_t step = begin; step < end; ++step)
          for (size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] =
                op(lanes[lane], of_lane((step * kWarps + warp) * kStep + lane * kChunk, kLanes));
        warps[warp] = tree(lanes, 0, kLanes, op);
      } else {
        for (size_t step = 0; step < end - begin; ++step) {
          const size_t first = (begin * kWarps + warp * (end - begin) + step) * kStep;
          for (size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] = of_lane(first + lane * kChunks * kChunk, 1);
          warps[warp] = op(warps[warp], tree(lanes, 0, kLanes, op));
        }
      }
    }
    results.push_back(tree(warps, 0, kWarps, op));
  }
  const size_t threads = kWarps * kLanes, each = (shares + threads - 1) / threads;
  std::vector<T> sums(threads, identity);
  for (size_t share = 0; share < shares; ++share)
    sums[share / each] = op(sums[share / each], results[share]);
  std::vector<T> warps;
  for (size_t warp = 0; warp < kWarps; ++warp)
    warps.push_back(tree(sums, warp * kLanes, kLanes, op));
  return tree(warps, 0, kWarps, op);
}

}  // namespace ordered
