// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// Sizes of scans by segment, whose flags take memory, too.
template <class T>
struct SegmentedSizes : Sizes<T> {
  static constexpr size_t kRows = std::max<size_t>(1, 48 / Sizes<T>::kChunkBytes);
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

template <class T, class Op, class S = Sizes<T>>
Scan<T> scan(compaction::ScanKind kind, const std::vector<T>& in, T init, const Op& op, S = {}) {
  constexpr size_t kChunk = S::kChunk, kRowItems = kLanes * kChunk;
  constexpr size_t kSegment = S::kRows * kRowItems;
  const T identity = T(op.identity());
  const size_t n = in.size(), segments = (n + kSegment - 1) / kSegment;
  if (n == 0) return {{}, init};
  auto item = [&](size_t i) { return i < n ? in[i] : identity; };

  std::vector<T> out(n), totals(segments, identity), prefixes(segments, init);
  for (size_t row = 0; row * kRowItems < n; ++row) {
    T& total = totals[row / S::kRows];  // total of the earlier rows of the segment
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

  constexpr size_t kRow = kRowTiles * S::kTileSegments;
  T prefix = init;
  for (size_t row = 0; row < segments; row += kRow) {
    sweep_down(totals, row, kRow, prefix, op, prefixes);
    if (row + kRow < segments) prefix = op(prefix, tree(totals, row, kRow, op));
  }
  for (size_t i = 0; i < n; ++i) out[i] = op(prefixes[i / kSegment], out[i]);
  return {out, op(prefixes.back(), totals.back())};
}

/// A value, and whether a segment begins at it or at one of the values that it combines.
template <class T>
struct Flagged {
  T value;
  bool begins;
};
template <class T, class Op>
struct Restarting {
  Op op;
  Flagged<T> identity() const { return {T(op.identity()), false}; }
  Flagged<T> operator()(const Flagged<T>& a, const Flagged<T>& b) const {
    return {b.begins ? b.value : T(op(a.value, b.value)), a.begins || b.begins};
  }
};

/// A scan that restarts where begins[i] is set; an exclusive one has `init` there.
template <class T, class Op>
std::vector<T> segmented_scan(compaction::ScanKind kind, const std::vector<T>& in,
                              const std::vector<uint8_t>& begins, T init, const Op& op) {
  std::vector<Flagged<T>> items;
  for (size_t i = 0; i < in.size(); ++i) items.push_back({in[i], i == 0 || begins[i] != 0});
  const Restarting<T, Op> restarting{op};
  const auto scanned = scan(kind, items, restarting.identity(), restarting, SegmentedSizes<T>());
  std::vector<T> out;
  for (size_t i = 0; i < in.size(); ++i)
    out.push_back(
        kind == compaction::ScanKind::kExclusive && items[i].begins ? init : scanned.out[i].value);
  return out;
}

/// A reduction of items that are converted to T.
template <class T, class In, class Op>
T reduce(const std::vector<In>& in, const Op& op) {
  constexpr size_t kChunk = simt::kVectorItems<In>;
  constexpr size_t kChunks = std::max<size_t>(1, 64 / sizeof(simt::Chunk<In>));
  constexpr size_t kWarps = 16, kMaxShares = 1056;
  constexpr size_t kStep = kLanes * kChunks * kChunk;  // items of a warp
  const T identity = T(op.identity());
  const size_t n = in.size(), chunks = n / kChunk, tail = n % kChunk;
  const size_t steps = (chunks * kChunk + kWarps * kStep - 1) / (kWarps * kStep);
  const size_t shares = steps <= 2 ? 1 : std::min(steps, kMaxShares);

  // Combines the chunks of a lane in a step, in order.
  auto of_lane = [&](size_t first, size_t pitch) {
    T sum = identity;
    for (size_t c = 0; c < kChunks; ++c) {
      const size_t begin = first + c * pitch * kChunk;
      if (begin >= chunks * kChunk) continue;
      T chunk = T(in[begin]);
      for (size_t i = 1; i < kChunk; ++i) chunk = op(chunk, T(in[begin + i]));
      sum = op(sum, chunk);
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
      std::vector<T> lanes(kLanes, identity), last(kLanes, identity);
      if (share == shares - 1 && warp == kWarps - 1)
        for (size_t i = 0; i < tail; ++i) last[i] = T(in[chunks * kChunk + i]);
      if constexpr (compaction::kCommutes<Op>) {
        for (size_t step = begin; step < end; ++step)
          for (size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] =
                op(lanes[lane], of_lane((step * kWarps + warp) * kStep + lane * kChunk, kLanes));
        for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane] = op(lanes[lane], last[lane]);
        warps[warp] = tree(lanes, 0, kLanes, op);
      } else {
        for (size_t step = 0; step < end - begin; ++step) {
          const size_t first = (begin * kWarps + warp * (end - begin) + step) * kStep;
          for (size_t lane = 0; lane < kLanes; ++lane)
            lanes[lane] = of_lane(first + lane * kChunks * kChunk, 1);
          warps[warp] = op(warps[warp], tree(lanes, 0, kLanes, op));
        }
        warps[warp] = op(warps[warp], tree(last, 0, kLanes, op));
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
