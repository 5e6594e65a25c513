// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/group/warp.h"
#include "compaction/simt/chunk.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// The items [begin, end) of a chunk that a lane stores.
template <class T>
struct StoredItems {
  simt::Chunk<T> chunk;
  unsigned begin = 0, end = simt::Chunk<T>::kItems;
};

/// Stores chunks of a warp: row c has a chunk of each lane, and the rows follow one another. All
/// lanes call it together.
///
/// Where no vector begins at the address of a chunk, lanes pass their chunks to the next lane, and
/// each joins the end of one with the beginning of its own to a vector of the output. Only the
/// items before the first and after the last vector of whole rows are stored one by one.
///
/// @param to          where this lane's chunk of row 0 begins
/// @param row_at      `row_at(c)` returns the StoredItems of row c, all items in whole rows
/// @param whole_rows  bit c: all items of row c are stored; the same for all lanes
template <unsigned kRows, class T, class RowAt>
SIMT_KERNEL void store_rows(simt::Warp auto warp, T* to, RowAt row_at, uint32_t whole_rows) {
  constexpr unsigned kItems = simt::Chunk<T>::kItems, kLast = simt::kWarpSize - 1;
  static_assert(kRows < 32, "a bit for each row, and one for the row after the last");
  const unsigned lane = warp.thread_rank();
  const unsigned skew = unsigned(reinterpret_cast<uintptr_t>(to) / sizeof(T) % kItems);
  simt::Vector previous{};
  for (unsigned c = 0; c < kRows; ++c, to += simt::kWarpSize * kItems) {
    auto [chunk, begin, end] = row_at(c);
    if (skew == 0 && end - begin == kItems) {
      simt::store(to, chunk);
      continue;
    }
    if constexpr (kItems > 1) {
      if (whole_rows >> c & 1) {
        const bool follows = c > 0 && (whole_rows >> (c - 1) & 1);
        const bool precedes = whole_rows >> (c + 1) & 1;
        const simt::Vector own = simt::pack(chunk);
        simt::Vector below;
        for (unsigned w = 0; w < sizeof(below) / sizeof(below.words[0]); ++w)
          below.words[w] = warp.shfl(lane == kLast ? previous.words[w] : own.words[w],
                                     (lane + kLast) % simt::kWarpSize);
        if (lane > 0 || follows) {
          const unsigned skipped = unsigned((kItems - skew) * sizeof(T));
          simt::store(to - skew, simt::unpack<T>(simt::joined(below, own, skipped)));
          begin = lane == kLast && !precedes ? kItems - skew : kItems;
        } else {
          end = kItems - skew;
        }
        previous = own;
      }
    }
    if (begin >= end) continue;
    for (unsigned i = 0; i < kItems; ++i)
      if (i >= begin && i < end) to[i] = chunk.items[i];
  }
}

}  // namespace compaction
