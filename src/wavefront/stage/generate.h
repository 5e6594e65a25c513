#pragma once

#include "math/fast_divisor.h"
#include "math/sampler.h"
#include "scene/pixel_filter.h"
#include "shading/camera.h"
#include "wavefront/state/dimensions.h"
#include "wavefront/state/paths.h"
#include "wavefront/state/wave_state.h"

namespace winnow {

/// The random numbers of a path of the wave.
SIMT_HOST_DEVICE inline Sampler sampler_of(const Wave& wave, const SamplerSettings& settings,
                                           PathId id) {
  return {.seed = settings.seed,
          .pixel = wave.pixel_of(id),
          .sample = wave.sample_of(id),
          .type = settings.type,
          .log2_samples = settings.log2_samples,
          .width = wave.width};
}

/// A new path at the camera, through a point of the filter about its pixel and of the lens.
SIMT_HOST_DEVICE inline Path start_path(const Camera& camera, const PixelFilter& filter,
                                        FastDivisor width, const Sampler& sampler) {
  glm::vec4 u = sampler.sample4(kCameraDimension);
  glm::vec2 offset = filter.sample(glm::vec2(u.x, u.y));
  glm::vec2 film(float(sampler.pixel % width) + offset.x, float(sampler.pixel / width) + offset.y);
  CameraRay ray = generate_camera_ray(camera, film, glm::vec2(u.z, u.w));
  return {.ray = {.origin = ray.origin, .direction = ray.direction}};
}

/// Starts paths of the wave.
struct PathStarter {
  Camera camera;
  PixelFilter filter;
  SamplerSettings sampler;
  Paths paths;
  WaveState* state;

  SIMT_HOST_DEVICE Path start(PathId id) const {
    paths.clear(id);
    return start_path(camera, filter, state->wave.width, sampler_of(state->wave, sampler, id));
  }
};

/// Starts a path in every slot.
///
/// writes  path state, result
struct GenerateCameraRays {
  static constexpr Stage kStage = Stage::kGenerate;
  static constexpr bool kUniformCost = true;

  PathStarter starter;

  SIMT_HOST_DEVICE void operator()(uint32_t slot) const {
    starter.paths.columns[0].store(slot, slot, 0, starter.start(slot));
  }
};

}  // namespace winnow
