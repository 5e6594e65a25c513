#pragma once

#include "geometry/accel.h"
#include "wavefront/paths.h"
#include "wavefront/wave_state.h"

namespace winnow {

/// Finds what the ray of a path meets.
///
/// reads  ray    writes  hit
template <Accel A>
struct IntersectClosest {
  static constexpr Stage kStage = Stage::kIntersect;
  /// Of path state, for each path.
  static constexpr size_t kStateBytes = 2 * sizeof(Packed);

  A accel;
  Paths paths;
  Span<Hit> hits;  ///< [slot]
  const WaveState* state;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    hits[slot] = accel.intersect(paths.columns[state->round.side].ray(slot));
  }
};

}  // namespace winnow
