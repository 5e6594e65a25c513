// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/ladder/scan_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// --cull scan: writes a flag for each entry, scans the flags (work-efficient exclusive scan) and
/// scatters the slots of the survivors. Stable.
///
/// 3 kernels for up to 512 entries, 5 for up to 512^2, 7 beyond. compaction/ladder/scan_select.h
/// Blelloch, "Prefix Sums and Their Applications", 1990.
template <class Backend>
void cull_scan(Backend& backend, const CullJob& job) {
  compaction::scan_select(backend.launcher(), Survivors{job.work, job.state}, job.entries(),
                          job.survivors(), job.survivor_count(), backend.cull_workspace());
}

/// Bytes of workspace of cull_scan() for queues of up to `capacity` entries.
inline size_t scan_workspace_bytes(uint32_t capacity) {
  return compaction::scan_select_bytes(capacity);
}

}  // namespace winnow
