// SPDX-License-Identifier: MIT
#pragma once

#include <bit>

#include "bvh/accel.h"
#include "wavefront/stage/media.h"
#include "wavefront/state/path_sampler.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Replaces the first hit of a path by its next scattering: in a medium, or on a surface that is
/// neither a null boundary nor removed by its alpha.
///
/// reads  ray, throughput, medium, hit    writes  throughput, medium, hit
template <Accel A, class Scene>
struct SampleMedium {
  /// Its time counts as intersection, see AlphaTest.
  static constexpr Stage kStage = Stage::kShade;

  Scene scene;
  A accel;
  SamplerSettings sampler;
  Paths paths;
  Span<Hit> hits;  ///< [slot]
  const WaveState* state;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    const Iteration& iteration = state->iteration;
    const PathColumns& columns = paths.columns[iteration.ping_pong];
    const uint32_t bounce = columns.bounces.data ? columns.bounces[slot] : iteration.index;
    const Packed direction = columns.direction_id[slot], throughput = columns.throughput_eta[slot];
    PathInMedia path{{.ray = {.origin = columns.origin_pdf[slot].xyz, .direction = direction.xyz},
                      .throughput = throughput.xyz},
                     bounce == 0 ? scene.camera_medium : columns.media[slot]};

    const Sampler random = sampler_of(state->wave, sampler, std::bit_cast<PathId>(direction.w));
    hits[slot] = travel(scene, accel, hits[slot], random.sample4(medium_dimension(bounce)), path);
    columns.throughput_eta[slot] = {path.throughput, throughput.w};
    columns.media[slot] = path.medium;
  }
};

}  // namespace winnow
