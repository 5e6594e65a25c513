#pragma once

#include <cassert>
#include <cstdint>

#include "compaction/simt/simt.h"

namespace compaction {

/// Blocks that take up to `capacity` items in tiles of `tile_size`: at most 2^31 - 1, which is what
/// one launch can start.
inline uint32_t grid_size(uint64_t capacity, unsigned tile_size) {
  [[maybe_unused]] constexpr uint64_t kMaxBlocks = (uint64_t(1) << 31) - 1;
  uint64_t blocks = simt::ceil_div(capacity, tile_size);
  assert(blocks <= kMaxBlocks && "too many items for one launch");
  return uint32_t(blocks);
}

}  // namespace compaction
