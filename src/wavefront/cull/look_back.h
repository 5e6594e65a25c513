#pragma once

#include "compaction/select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// One pass over the marks: each tile ranks its survivors and learns how many come before it. Only
/// survivors' slots are read. Keeps the order. compaction/select/select.h
template <class Backend>
void cull_look_back(Backend& backend, const CullJob& job) {
  compaction::select(backend.launcher(), living_entries(job.work), WriteSlots(job.work, job.state),
                     job.entries(), {.count = &job.state->round.culled_to},
                     backend.cull_workspace());
}

inline size_t look_back_workspace_bytes(uint32_t capacity) {
  return compaction::select_bytes<compaction::Masked, WriteSlots>(capacity);
}

}  // namespace winnow
