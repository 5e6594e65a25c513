#pragma once

#include "compaction/select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// The columns of path state, without and with the number of bounces of each path.
using WriteState = compaction::WriteColumns<Packed, Packed, Packed>;
using WriteStateAndBounces = compaction::WriteColumns<uint32_t, Packed, Packed, Packed>;

/// One pass as in look_back.h, but what moves is the state itself: the living come to lie side by
/// side in the other columns, so that later stages read whole lines. Keeps the order.
template <class Backend>
void cull_move(Backend& backend, const CullJob& job) {
  const PathColumns &from = job.paths.columns[job.parity], &to = job.paths.columns[1 - job.parity];
  const compaction::Column<Packed> origin{from.origin_pdf.data, to.origin_pdf.data},
      direction{from.direction_id.data, to.direction_id.data},
      throughput{from.throughput_eta.data, to.throughput_eta.data};
  auto move = [&](const auto& columns) {
    compaction::select(backend.launcher(), living_entries(job.work), columns, job.entries(),
                       {.count = &job.state->round.culled_to}, backend.cull_workspace());
  };
  if (from.bounces.data)
    move(WriteStateAndBounces({from.bounces.data, to.bounces.data}, origin, direction, throughput));
  else
    move(WriteState(origin, direction, throughput));
}

inline size_t move_workspace_bytes(uint32_t capacity) {
  return compaction::select_bytes<compaction::Masked, WriteStateAndBounces>(capacity);
}

}  // namespace winnow
