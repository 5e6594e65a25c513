// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/ladder/ballot_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// --cull ballot: counts the survivors of each tile, scans the counts and scatters the slots of the
/// survivors by warp ballots. Stable.
///
/// 3 kernels for up to 2^20 entries, 5 for up to 2^29. compaction/ladder/ballot_select.h
/// Billeter, Olsson & Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core
/// Architectures", 2009.
template <class Backend>
void cull_ballot(Backend& backend, const CullJob& job) {
  compaction::ballot_select(backend.launcher(), Survivors{job.work, job.state}, job.entries(),
                            job.survivors(), job.survivor_count(), backend.cull_workspace());
}

/// Bytes of workspace of cull_ballot() for queues of up to `capacity` entries.
inline size_t ballot_workspace_bytes(uint32_t capacity) {
  return compaction::ballot_select_bytes(capacity);
}

}  // namespace winnow
