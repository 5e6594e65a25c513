#pragma once

#include "compaction/ladder/ballot_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// Counts the survivors of each block, scans the counts, scatters by warp ballots. Keeps the order.
/// compaction/select/ballot_select.h
template <class Backend>
void cull_ballot(Backend& backend, const CullJob& job) {
  compaction::ballot_select(backend.launcher(), Survivors{job.work, job.state}, job.entries(),
                            job.survivors(), {&job.state->round.culled_to, 1},
                            backend.cull_workspace());
}

}  // namespace winnow
