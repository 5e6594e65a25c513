// SPDX-License-Identifier: MIT
#pragma once

#include "math/fast_divisor.h"
#include "scene/pixel_filter.h"
#include "shading/camera.h"
#include "wavefront/state/path_sampler.h"
#include "wavefront/state/paths.h"

namespace winnow {

SIMT_HOST_DEVICE inline Path path_of(const CameraRay& ray) {
  Path path{.ray = {.origin = ray.origin, .direction = ray.direction}};
  if (ray.from_lens > 0.0f) path.travelled = round_to_bfloat16(ray.from_lens);
  return path;
}

/// Returns the ray of a path up to where it may end: a camera ray ends at the far clipping plane.
SIMT_HOST_DEVICE inline Ray clipped_ray(const Camera& camera, const Ray& ray, uint32_t bounce) {
  Ray clipped = ray;
  if (camera.far_clip < INFINITY && bounce == 0)
    clipped.t_max = far_distance(camera, ray.direction);
  return clipped;
}

/// Returns the clipped ray of the path in a slot.
SIMT_HOST_DEVICE inline Ray clipped_ray(const Camera& camera, const Paths& paths,
                                        const Iteration& iteration, uint32_t slot) {
  const PathColumns& columns = paths.columns[iteration.ping_pong];
  if (camera.far_clip == INFINITY) return columns.ray(slot);
  return clipped_ray(camera, columns.ray(slot), columns.bounce(slot, iteration.index));
}

/// Returns a new path at the camera. Samples the pixel filter around its pixel, the lens and the
/// time at which the shutter is open.
///
/// @param film_u  three independent uniforms in [0, 1); the third one is read if the camera moves
/// @param lens_u  two independent uniforms in [0, 1); read if there is a lens
SIMT_HOST_DEVICE inline Path start_path(const Camera& camera, const PixelFilter& filter,
                                        FastDivisor width, uint32_t pixel, glm::vec3 film_u,
                                        glm::vec2 lens_u) {
  glm::vec2 offset = filter.sample(glm::vec2(film_u));
  glm::vec2 film(float(pixel % width) + offset.x, float(pixel / width) + offset.y);
  CameraRay ray = generate_camera_ray(camera, film, lens_u);
  if (camera.poses.size > 0) ray = moved_ray(camera, ray, film_u.z);
  return path_of(ray);
}

SIMT_HOST_DEVICE inline Path start_path(const Camera& camera, const PixelFilter& filter,
                                        FastDivisor width, const Sampler& sampler) {
  const glm::vec3 film_u(sampler.direction4(kFilmDimension));
  glm::vec2 lens_u(0.0f);
  if (camera.lens_radius != 0.0f) lens_u = glm::vec2(sampler.sample4(kLensDimension));
  return start_path(camera, filter, width, sampler.pixel, film_u, lens_u);
}

struct PathStarter {
  Camera camera;
  PixelFilter filter;
  SamplerSettings sampler;
  Paths paths;
  WaveState* state;

  /// Resets the results of a path and returns its initial state.
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
