// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/accel.h"
#include "wavefront/stage/generate.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// reads  ray    writes  hit
template <Accel A>
struct IntersectClosest {
  static constexpr Stage kStage = Stage::kIntersect;
  /// Traffic of path state per path; the fourth components of the two columns are not read.
  static constexpr size_t kStateBytes = 2 * sizeof(Packed::xyz);

  A accel;
  Camera camera;
  Paths paths;
  Span<Hit> hits;  ///< [slot]
  const WaveState* state;

  SIMT_HOST_DEVICE Ray ray(uint32_t slot) const {
    return clipped_ray(camera, paths, state->iteration, slot);
  }
  SIMT_HOST_DEVICE void store(uint32_t slot, const Hit& hit) const { hits[slot] = hit; }

  /// Returns whether rays of neighbouring slots are incoherent: true after the first scattering.
  SIMT_HOST_DEVICE static bool incoherent(const WaveState& wave) {
    return wave.iteration.index > 0;
  }

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const { store(slot, accel.intersect(ray(slot))); }
};

}  // namespace winnow
