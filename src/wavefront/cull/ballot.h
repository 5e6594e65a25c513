#pragma once

#include "compaction/select/ballot_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// Counts the survivors of each block, scans the counts, scatters by warp ballots. Keeps the order.
/// compaction/select/ballot_select.h
template <class Backend>
Queue cull_ballot(Backend& backend, Queue queue, Queue next, const Paths& paths) {
  uint32_t most = backend.upper_bound(queue);
  compaction::ballot_select(backend.launcher(), Survivors{queue, paths.certificate},
                            {.capacity = most, .on_device = queue.count}, next.ids, {next.count, 1},
                            backend.select_workspace());
  return next;
}

}  // namespace winnow
