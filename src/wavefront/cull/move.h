// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "compaction/single_pass/select.h"
#include "wavefront/cull/look_ahead.h"

namespace winnow {

/// Writers of the columns of path state: the three that every scene has; with the bounce counts or
/// the media of paths; with both.
using WriteState = compaction::WriteColumns<Packed, Packed, Packed>;
using WriteStateAndOne = compaction::WriteColumns<uint32_t, Packed, Packed, Packed>;
using WriteStateAndTwo = compaction::WriteColumns<uint32_t, uint32_t, Packed, Packed, Packed>;

/// --cull move: one pass as in look_ahead.h, which moves the path state itself. The survivors'
/// state is then densely packed in the other columns, and the accesses of later stages coalesce.
/// Stable.
///
/// 1 kernel. compaction/single_pass/select.h
template <class Launcher>
void cull_move(Launcher& launcher, const CullJob& job) {
  const PathColumns& from = job.paths.columns[job.ping_pong];
  const PathColumns& to = job.paths.columns[1 - job.ping_pong];
  const compaction::Column<Packed> origin{from.origin_pdf.data, to.origin_pdf.data},
      direction{from.direction_id.data, to.direction_id.data},
      throughput{from.throughput_eta.data, to.throughput_eta.data};
  auto move = [&](const auto& columns) {
    compaction::select(launcher, active_entries(job.work), columns, job.entries(),
                       {.count = job.survivor_count().data}, job.workspace);
  };
  const compaction::Column<uint32_t> bounces{from.bounces.data, to.bounces.data},
      media{from.media.data, to.media.data};
  if (from.bounces.data && from.media.data)
    move(WriteStateAndTwo(bounces, media, origin, direction, throughput));
  else if (from.bounces.data || from.media.data)
    move(WriteStateAndOne(from.media.data ? media : bounces, origin, direction, throughput));
  else
    move(WriteState(origin, direction, throughput));
}

/// Returns the bytes of workspace of cull_move() for queues of up to `capacity` entries. The
/// workspace is zeroed before its first use.
inline size_t move_workspace_bytes(uint32_t capacity) {
  return std::max({compaction::select_bytes<compaction::Masked, WriteState>(capacity),
                   compaction::select_bytes<compaction::Masked, WriteStateAndOne>(capacity),
                   compaction::select_bytes<compaction::Masked, WriteStateAndTwo>(capacity)});
}

}  // namespace winnow
