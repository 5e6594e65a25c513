#pragma once

#include "geometry/accel.h"
#include "wavefront/generate.h"
#include "wavefront/shade.h"
#include "wavefront/wave_counters.h"

namespace winnow {

/// Follows one path from the camera to its end: the same steps as the wavefront's stages, with the
/// path in registers. On CUDA this is the megakernel that culling is measured against.
///
/// writes  radiance, certificate
template <Accel A>
struct FollowPath {
  static constexpr Stage kStage = Stage::kPath;

  DeviceScene scene;
  A accel;
  Wave wave;
  uint64_t seed;
  uint32_t max_bounces;
  Paths paths;
  WaveCounters counters;

  SIMT_HOST_DEVICE void operator()(PathId id) const {
    Sampler sampler{seed, wave.pixel_of(id), wave.sample_of(id)};
    Path path = start_path(scene.camera, wave.width, sampler);
    Certificate certificate;
    for (uint32_t bounce = 0; certificate.alive(); ++bounce) {
      Hit hit = accel.intersect(path.ray);
      ShadowRay shadow;
      Death death = shade(scene, sampler, {bounce, max_bounces}, hit, path, shadow);
      if (shadow.ray.t_max > 0.0f) {
        count_one(counters.shadow_rays[bounce]);
        if (!accel.occluded(shadow.ray)) path.radiance += shadow.contribution;
      }
      if (death != Death::kAlive) certificate = Certificate::of(death, bounce);
    }
    paths.radiance[id] = path.radiance;
    paths.certificate[id] = certificate;
  }
};

}  // namespace winnow
