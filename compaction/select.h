// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/select_job.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/sources.h"
#include "compaction/version.h"

namespace compaction {

/// Bytes of workspace that select() needs for up to `capacity` items. Grows with `capacity`.
template <class Source, class Sink>
size_t select_bytes(uint64_t capacity) {
  return run_tiles_bytes<SelectJob<Source, Sink>>(capacity);
}

/// Stable select in a single pass: the library's fast path.
///
/// @param source     which items are selected (sources.h); n <= 2^40
/// @param sink       what is written of each, in order (sinks.h); its output must not overlap the
///                   input, except that WriteItems may overwrite the items of ItemsIf, at the same
///                   address, if `result.in_place` is set
/// @param result     where the number of selected items is written, and the size of the output;
///                   must not overlap `n.on_device`
/// @param workspace  [>= select_bytes<Source, Sink>(capacity)], see run_pipeline()
/// Reads each item once and writes the selected ones once, and 8 bytes for each tile of 64 to
/// 16384. 1 kernel. Does not synchronize.
/// After Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016, with
/// look-ahead instead of look-back.
template <class Launcher, class Source, class Sink>
void select(Launcher& launcher, const Source& source, const Sink& sink, ItemCount n,
            const SelectedCount& result, Span<std::byte> workspace) {
  run_tiles(launcher, SelectJob<Source, Sink>{source, sink, {}, result}, n, workspace);
}

}  // namespace compaction
