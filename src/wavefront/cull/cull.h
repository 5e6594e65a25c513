// SPDX-License-Identifier: MIT
#pragma once

#include "wavefront/cull/auto.h"
#include "wavefront/cull/ladder.h"
#include "wavefront/cull/look_ahead.h"
#include "wavefront/cull/move.h"
#include "wavefront/kernels/append.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Returns whether the shading stage culls in this mode; see append.h.
inline bool culls_in_shading(Cull mode) {
  return mode == Cull::kAppend || mode == Cull::kAuto;
}

/// Returns whether culling is a pass of its own, after the stages of an iteration.
inline bool culls_in_pass(Cull mode) {
  return mode != Cull::kNone && !culls_in_shading(mode);
}

/// Removes the entries of terminated paths from the work queue by a pass of Winnow's own, if the
/// mode has one.
template <class Launcher>
void cull(Launcher& launcher, Cull mode, const CullJob& job) {
  switch (mode) {
    case Cull::kNone:  // stages skip terminated entries; warps without active paths return
    case Cull::kAppend:
    case Cull::kAuto:  // the shading stage has culled
    case Cull::kThrust:
    case Cull::kCub:
      return;
    case Cull::kScan:
      return cull_scan(launcher, job);
    case Cull::kBallot:
      return cull_ballot(launcher, job);
    case Cull::kLookBack:
      return cull_look_back(launcher, job);
    case Cull::kLookAhead:
      return cull_look_ahead(launcher, job);
    case Cull::kMove:
      return cull_move(launcher, job);
  }
}

/// Returns the bytes of workspace that `mode` needs for queues of `capacity` entries; 0 for the
/// baselines, see Backend::baseline_workspace_bytes().
inline size_t cull_workspace_bytes(Cull mode, uint32_t capacity) {
  switch (mode) {
    case Cull::kScan:
      return compaction::scan_select_bytes(capacity);
    case Cull::kBallot:
      return compaction::ballot_select_bytes(capacity);
    case Cull::kLookBack:
      return compaction::look_back_select_bytes(capacity);
    case Cull::kLookAhead:
      return look_ahead_workspace_bytes(capacity);
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

/// How culling changes the work queue.
enum class CullEffect {
  kNothing,    ///< terminated entries stay
  kLists,      ///< the slots of the survivors are written to a new list
  kMovesState  ///< the state of the survivors moves to the other columns, densely packed
};

inline CullEffect cull_effect(Cull mode) {
  if (mode == Cull::kNone) return CullEffect::kNothing;
  return mode == Cull::kMove || culls_in_shading(mode) ? CullEffect::kMovesState
                                                       : CullEffect::kLists;
}

}  // namespace winnow
