#pragma once

#include "wavefront/cull/append.h"
#include "wavefront/cull/auto.h"
#include "wavefront/cull/ballot.h"
#include "wavefront/cull/look_back.h"
#include "wavefront/cull/move.h"
#include "wavefront/cull/none.h"
#include "wavefront/cull/scan.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Removes the entries of paths that have ended from the queue of `job`.
template <class Backend>
void cull(Backend& backend, Cull mode, const CullJob& job) {
  switch (mode) {
    case Cull::kNone:
    case Cull::kAppend:
    case Cull::kAuto:
      return;
    case Cull::kScan:
      return cull_scan(backend, job);
    case Cull::kBallot:
      return cull_ballot(backend, job);
    case Cull::kLookBack:
      return cull_look_back(backend, job);
    case Cull::kMove:
      return cull_move(backend, job);
    case Cull::kThrust:
    case Cull::kCub:
      return backend.cull_by_peer(mode, job);  // cull/thrust.cuh, cull/cub.cuh
  }
}

/// Whether the shading stage culls.
inline bool appends(Cull mode) {
  return mode == Cull::kAppend || mode == Cull::kAuto;
}

/// What culling by `mode` does to the queue.
inline CullEffect cull_effect(Cull mode) {
  if (mode == Cull::kNone) return CullEffect::kNothing;
  return mode == Cull::kMove || appends(mode) ? CullEffect::kMovesState : CullEffect::kLists;
}

/// Whether culling is a pass of its own, after the stages.
inline bool culls_apart(Cull mode) {
  return mode != Cull::kNone && !appends(mode);
}

/// Bytes of workspace that `mode` needs for queues of `capacity` entries; the peers see to theirs.
inline size_t cull_workspace_bytes(Cull mode, uint32_t capacity) {
  switch (mode) {
    case Cull::kScan:
      return compaction::scan_select_bytes(capacity);
    case Cull::kBallot:
      return compaction::ballot_select_bytes(capacity);
    case Cull::kLookBack:
      return look_back_workspace_bytes(capacity);
    case Cull::kMove:
      return move_workspace_bytes(capacity);
    case Cull::kNone:
    case Cull::kAppend:
    case Cull::kAuto:
    case Cull::kThrust:
    case Cull::kCub:
      return 0;
  }
  return 0;
}

}  // namespace winnow
