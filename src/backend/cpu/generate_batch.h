// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>

#include "backend/cpu/path_batch.h"
#include "wavefront/stage/generate.h"

namespace winnow {

/// Whether generate_rays() makes these rays.
inline bool makes_rays_in_lanes(const PathStarter& starter) {
  return starter.camera.projection == Projection::kPerspective &&
         starter.camera.lens_radius == 0.0f && starter.filter.type == FilterType::kBox;
}

/// The path that PathStarter starts, of a batch whose rays or numbers are there.
inline Path started_path(const PathStarter& starter, const CameraBatch& batch, uint32_t i,
                         bool has_rays) {
  if (has_rays)
    return {.ray = {.origin = starter.camera.position, .direction = batch.direction[i]}};
  const FastDivisor width = starter.state->wave.width;
  const glm::vec4 u = batch.numbers[i];
  return start_path(starter.camera, starter.filter, width, batch.pixel[i], {u.x, u.y}, {u.z, u.w});
}

/// Starts a path in each of the first `count` slots, as GenerateCameraRays does one by one, with
/// the same bits.
inline void generate_in_batches(InstructionSet set, const PathStarter& starter, uint32_t count) {
  const Wave& wave = starter.state->wave;
  const Sampler common = common_sampler(wave, starter.sampler);
  const bool has_rays = makes_rays_in_lanes(starter);
  CameraBatch batch;
  for (uint32_t first = 0; first < count; first += kBatchSize) {
    const uint32_t in_batch = std::min(kBatchSize, count - first);
    for (uint32_t i = 0; i < in_batch; ++i) {
      batch.pixel[i] = wave.pixel_of(first + i);
      batch.sample[i] = wave.sample_of(first + i);
    }
    if (has_rays)
      generate_rays(set, common, starter.camera, starter.filter.radius, in_batch, batch);
    else
      draw_camera_numbers(set, common, in_batch, batch);
    for (uint32_t i = 0; i < in_batch; ++i) {
      const PathId id = first + i;
      starter.paths.clear(id);
      starter.paths.columns[0].store(id, id, 0, started_path(starter, batch, i, has_rays));
    }
  }
}

}  // namespace winnow
