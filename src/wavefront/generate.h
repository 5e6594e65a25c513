#pragma once

#include "math/sampler.h"
#include "shading/camera.h"
#include "wavefront/dimensions.h"
#include "wavefront/paths.h"
#include "wavefront/wave.h"

namespace winnow {

/// A new path at the camera, through a uniform point of its pixel and of the lens.
SIMT_HOST_DEVICE inline Path start_path(const Camera& camera, uint32_t width,
                                        const Sampler& sampler) {
  glm::vec4 u = sampler.sample4(kCameraDimension);
  glm::vec2 film(float(sampler.pixel % width) + u.x, float(sampler.pixel / width) + u.y);
  CameraRay ray = generate_camera_ray(camera, film, glm::vec2(u.z, u.w));
  return {.ray = {.origin = ray.origin, .direction = ray.direction}};
}

/// Starts every path of the wave.
///
/// writes  path state, certificate
struct GenerateCameraRays {
  static constexpr Stage kStage = Stage::kGenerate;

  Camera camera;
  Wave wave;
  uint64_t seed;
  Paths paths;

  SIMT_HOST_DEVICE void operator()(PathId path) const {
    Sampler sampler{seed, wave.pixel_of(path), wave.sample_of(path)};
    paths.store(path, start_path(camera, wave.width, sampler));
    paths.certificate[path] = {};
  }
};

}  // namespace winnow
