#pragma once

#include "wavefront/cull/append.h"
#include "wavefront/cull/ballot.h"
#include "wavefront/cull/look_back.h"
#include "wavefront/cull/none.h"
#include "wavefront/cull/scan.h"
#include "wavefront/render_settings.h"

namespace winnow {

/// Removes the paths that have ended from `queue`. The survivors go to `next`, which must not
/// overlap it, or stay where they are if `mode` culls nothing.
template <class Backend>
Queue cull(Backend& backend, Cull mode, Queue queue, Queue next, const Paths& paths) {
  switch (mode) {
    case Cull::kNone:
      return cull_none(queue);
    case Cull::kAppend:
      return cull_append(next);
    case Cull::kScan:
      return cull_scan(backend, queue, next, paths);
    case Cull::kBallot:
      return cull_ballot(backend, queue, next, paths);
    case Cull::kLookBack:
      return cull_look_back(backend, queue, next, paths);
  }
  return queue;
}

/// Bytes of workspace that `mode` needs for waves of `capacity` paths.
inline size_t cull_workspace_bytes(Cull mode, uint32_t capacity) {
  switch (mode) {
    case Cull::kNone:
    case Cull::kAppend:
      return 0;
    case Cull::kScan:
      return compaction::scan_select_bytes(capacity);
    case Cull::kBallot:
      return compaction::ballot_select_bytes(capacity);
    case Cull::kLookBack:
      return compaction::look_back_select_bytes(capacity);
  }
  return 0;
}

}  // namespace winnow
