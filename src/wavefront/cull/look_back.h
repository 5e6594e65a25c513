// SPDX-License-Identifier: MIT
#pragma once

#include "compaction/ladder/look_back_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// --cull look-back: one pass over the entries. Each tile counts its survivors, finds the prefix of
/// the tiles before it by decoupled look-back, and writes the slots of its survivors. Stable.
///
/// 1 kernel. compaction/ladder/look_back_select.h
/// Merrill & Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
template <class Backend>
void cull_look_back(Backend& backend, const CullJob& job) {
  compaction::look_back_select(backend.launcher(), Survivors{job.work, job.state}, job.entries(),
                               job.survivors(), job.survivor_count(), backend.cull_workspace());
}

/// Bytes of workspace of cull_look_back() for queues of up to `capacity` entries; zeroed before its
/// first use.
inline size_t look_back_workspace_bytes(uint32_t capacity) {
  return compaction::look_back_select_bytes(capacity);
}

}  // namespace winnow
