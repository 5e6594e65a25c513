#pragma once

#include <cstdint>

#include "compaction/scan/exclusive_scan.h"
#include "compaction/select/source.h"

namespace compaction {

/// Writes 1 for each selected item and 0 for the others. One thread per item.
template <Source S>
struct WriteFlags {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  S source;
  ItemCount count;
  Span<uint32_t> flags;  ///< [item]

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (item < count()) flags[item] = source.selected(uint32_t(item)) ? 1 : 0;
  }
};

/// Writes each selected item to its place. One thread per item.
template <Source S>
struct ScatterScanned {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  S source;
  ItemCount count;
  Span<const uint32_t> places;  ///< [item], selected items before this one
  Span<uint32_t> selected;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (item < count() && source.selected(uint32_t(item)))
      selected[places[item]] = source.value(uint32_t(item));
  }
};

/// Bytes of workspace that scan_select() needs for up to `capacity` items.
inline size_t scan_select_bytes(uint32_t capacity) {
  return workspace_part(capacity * sizeof(uint32_t)) + exclusive_scan_bytes(capacity);
}

/// Stable select by flag, scan and scatter: writes value(i) of every selected item i, in order.
///
/// @param selected   [>= number of selected items]; must not overlap what `source` reads
/// @param count      [1], receives the number of selected items; must not overlap `n.on_device`
/// @param workspace  [>= scan_select_bytes(capacity)], contents do not matter
/// Asks for `selected` of each item twice; moves 24 further bytes per item and 4 per selected one.
/// 3 kernels for up to 512 items, 5 for up to 512^2, 7 beyond. Does not synchronize.
/// Blelloch, "Prefix Sums and Their Applications", 1990.
template <class Launcher, Source S>
void scan_select(Launcher& launcher, const S& source, ItemCount n, Span<uint32_t> selected,
                 Span<uint32_t> count, Span<std::byte> workspace) {
  WorkspaceCutter cutter(workspace);
  Span<uint32_t> places = cutter.take<uint32_t>(size_t(n.capacity));
  uint32_t blocks = simt::ceil_div(uint32_t(n.capacity), WriteFlags<S>::kBlockSize);
  launcher.launch(blocks, WriteFlags<S>{.source = source, .count = n, .flags = places});
  exclusive_scan(launcher, places, n, places, count, cutter.rest());
  launcher.launch(
      blocks,
      ScatterScanned<S>{.source = source, .count = n, .places = places, .selected = selected});
}

}  // namespace compaction
