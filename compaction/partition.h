#pragma once

#include <cstdint>

#include "compaction/single_pass/run_tiles.h"
#include "compaction/single_pass/select_job.h"
#include "compaction/single_pass/sinks.h"
#include "compaction/single_pass/sources.h"

namespace compaction {

/// Bytes of workspace that partition() needs for up to `capacity` items. Grows with `capacity`.
template <class Source, class Sink>
size_t partition_bytes(uint64_t capacity) {
  return run_tiles_bytes<SelectJob<Source, Sink, RejectedTo<Sink>>>(capacity);
}

/// Stable partition into two outputs in a single pass, both in the order of the items.
///
/// @param source     which items are selected (sources.h); n <= 2^40
/// @param selected   what is written of each selected item (sinks.h); may not overlap anything else
/// @param rejected   what is written of each other item, likewise
/// @param result     where the number of selected items goes
/// @param workspace  [>= partition_bytes<Source, Sink>(capacity)], see run_pipeline()
/// Reads and writes each item once, and 8 bytes for each tile. 1 kernel and nothing else. Does not
/// synchronize.
template <class Launcher, class Source, class Sink>
void partition(Launcher& launcher, const Source& source, const Sink& selected, const Sink& rejected,
               ItemCount n, const SelectedCount& result, Span<std::byte> workspace) {
  using Job = SelectJob<Source, Sink, RejectedTo<Sink>>;
  run_tiles(launcher, Job{source, selected, {rejected, {}}, result}, n, workspace);
}

}  // namespace compaction
