// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "compaction/group/warp.h"
#include "compaction/simt/atomic.h"
#include "compaction/simt/simt.h"

namespace compaction {

/// Counts the items of a block by class, in shared memory.
///
/// Each lane has a word for each class, in a bank of its own. So the additions of a warp never
/// collide, whatever the classes of its items, and no lane waits for a result. With more than 64
/// classes, several lanes share a word.
template <unsigned kClasses>
struct ClassCounts {
  static constexpr unsigned kMaxWords = 2048;
  static constexpr unsigned kLanes =
      std::clamp(std::bit_floor(kMaxWords / kClasses), 1u, simt::kWarpSize);

  uint32_t words[kClasses * kLanes];  ///< [class][lane]

  /// Sets all counts to 0. One barrier.
  SIMT_KERNEL void clear(simt::Block auto& block) {
    for (unsigned i = block.thread_rank(); i < kClasses * kLanes; i += block.num_threads())
      words[i] = 0;
    block.sync();
  }

  /// Counts an item, unless its class is outside [0, kClasses). Any threads may call it.
  SIMT_KERNEL void add(unsigned lane, uint32_t item_class) {
    if (item_class < kClasses) simt::add_shared(words[item_class * kLanes + lane % kLanes], 1);
  }

  /// Returns the number of items of a class. Called after a barrier, by all lanes together.
  SIMT_KERNEL uint32_t sum(simt::Warp auto warp, unsigned item_class) const {
    const unsigned lane = warp.thread_rank();
    return warp_sum(warp, lane < kLanes ? words[item_class * kLanes + lane] : 0);
  }
};

}  // namespace compaction
