// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

#include "compaction/grid/item_count.h"
#include "compaction/grid/workspace.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/source.h"
#include "compaction/simt/simt.h"

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

/// Scatters the selected items to their ranks. One thread per item.
template <Source S>
struct ScatterScanned {
  static constexpr unsigned kBlockSize = 256;
  using Shared = simt::NoShared;

  S source;
  ItemCount count;
  Span<const uint32_t> places;  ///< [item], rank of the item: number of selected items before it
  Span<uint32_t> selected;

  SIMT_KERNEL void operator()(simt::Block auto& block, Shared&) const {
    uint64_t item = uint64_t(block.group_index()) * kBlockSize + block.thread_rank();
    if (item < count() && source.selected(uint32_t(item)))
      selected[places[item]] = source.value(uint32_t(item));
  }
};

/// Returns the bytes of workspace that scan_select() needs with `Scan` for up to `capacity` items.
template <class Scan = BrentKungScan>
size_t scan_select_bytes(uint32_t capacity) {
  size_t words = workspace_part(capacity * sizeof(uint32_t));
  return (Scan::kInPlace ? 1 : 2) * words + Scan::template bytes<uint32_t>(capacity);
}

/// Stable select by flag, scan and scatter: writes value(i) of every selected item i, in order.
///
/// @tparam Scan      ranks the items: a LadderScan such as KoggeStoneScan
/// @param selected   [>= number of selected items]; must not overlap what `source` reads
/// @param count      [1], receives the number of selected items; must not overlap `n.on_device`
/// @param workspace  [>= scan_select_bytes<Scan>(capacity)], any contents
/// Evaluates `selected` twice per item; moves 8 further bytes per item, 4 per selected item, and
/// the bytes of the scan: 16 per item for BrentKungScan. 2 kernels plus those of the scan: 3 in all
/// for up to 512 items, 5 for up to 512^2, 7 beyond. Does not synchronize. Blelloch, "Prefix Sums
/// and Their Applications", 1990.
template <class Scan = BrentKungScan, class Launcher, Source S>
void scan_select(Launcher& launcher, const S& source, ItemCount n, Span<uint32_t> selected,
                 Span<uint32_t> count, Span<std::byte> workspace) {
  WorkspaceCutter cutter(workspace);
  Span<uint32_t> flags = cutter.take<uint32_t>(size_t(n.capacity)), places = flags;
  if constexpr (!Scan::kInPlace) places = cutter.take<uint32_t>(size_t(n.capacity));
  uint32_t blocks = simt::ceil_div(uint32_t(n.capacity), WriteFlags<S>::kBlockSize);
  launcher.launch(blocks, WriteFlags<S>{.source = source, .count = n, .flags = flags});
  Scan::exclusive(launcher, flags, n, places, cutter.rest(), Sum<uint32_t>(), count);
  launcher.launch(
      blocks,
      ScatterScanned<S>{.source = source, .count = n, .places = places, .selected = selected});
}

}  // namespace compaction
