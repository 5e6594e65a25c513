// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/cpu/path_batch.h"
#include "wavefront/stage/generate.h"

namespace winnow {

/// Starts a path in each of the first `count` slots, as GenerateCameraRays does one by one, with
/// the same bits.
inline void generate_in_batches(InstructionSet set, const PathStarter& starter, uint32_t count) {
  const Wave& wave = starter.state->wave;
  const Camera& camera = starter.camera;
  const Sampler common = common_sampler(wave, starter.sampler);
  const bool has_rays = camera.projection == Projection::kPerspective &&
                        camera.lens_radius == 0.0f && starter.filter.type == FilterType::kBox;
  CameraBatch batch;
  for (uint32_t first = 0; first < count; first += kBatchSize) {
    const uint32_t in_batch = std::min(kBatchSize, count - first);
    for (uint32_t i = 0; i < in_batch; ++i)
      batch.index.set(i, {wave.pixel_of(first + i), wave.sample_of(first + i), 0});
    start_paths(set, common, camera, starter.filter.radius, has_rays, in_batch, batch);
    for (uint32_t i = 0; i < in_batch; ++i) {
      const PathId id = first + i;
      const Path path =
          has_rays ? Path{.ray = {.origin = camera.position, .direction = batch.direction[i]}}
                   : start_path(camera, starter.filter, wave.width, batch.index[i].pixel,
                                glm::vec2(batch.film_u[i]), glm::vec2(batch.lens_u[i]));
      starter.paths.clear(id);
      starter.paths.columns[0].store(id, id, 0, path);
    }
  }
}

}  // namespace winnow
