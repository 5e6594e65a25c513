#pragma once

#include "compaction/ladder/scan_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// Flag, work-efficient exclusive scan, scatter. Keeps the order.
/// compaction/select/scan_select.h
template <class Backend>
void cull_scan(Backend& backend, const CullJob& job) {
  compaction::scan_select(backend.launcher(), Survivors{job.work, job.state}, job.entries(),
                          job.survivors(), {&job.state->round.culled_to, 1},
                          backend.cull_workspace());
}

}  // namespace winnow
