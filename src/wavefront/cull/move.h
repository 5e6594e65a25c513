// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/select.h"
#include "wavefront/cull/look_ahead.h"

namespace winnow {

/// The columns of path state, without and with the bounce count of each path.
using WriteState = compaction::WriteColumns<Packed, Packed, Packed>;
using WriteStateAndBounces = compaction::WriteColumns<uint32_t, Packed, Packed, Packed>;

/// --cull move: one pass as in look_ahead.h, but it moves the path state itself: the survivors'
/// state is densely packed in the other columns, and the accesses of later stages coalesce. Stable.
///
/// 1 kernel. compaction/select.h
template <class Backend>
void cull_move(Backend& backend, const CullJob& job) {
  const PathColumns& from = job.paths.columns[job.ping_pong];
  const PathColumns& to = job.paths.columns[1 - job.ping_pong];
  const compaction::Column<Packed> origin{from.origin_pdf.data, to.origin_pdf.data},
      direction{from.direction_id.data, to.direction_id.data},
      throughput{from.throughput_eta.data, to.throughput_eta.data};
  auto move = [&](const auto& columns) {
    compaction::select(backend.launcher(), active_entries(job.work), columns, job.entries(),
                       {.count = job.survivor_count().data}, backend.cull_workspace());
  };
  if (from.bounces.data)
    move(WriteStateAndBounces({from.bounces.data, to.bounces.data}, origin, direction, throughput));
  else
    move(WriteState(origin, direction, throughput));
}

/// Bytes of workspace of cull_move() for queues of up to `capacity` entries; zeroed before its
/// first use.
inline size_t move_workspace_bytes(uint32_t capacity) {
  return compaction::select_bytes<compaction::Masked, WriteStateAndBounces>(capacity);
}

}  // namespace winnow
