// SPDX-License-Identifier: MIT
#pragma once

#include "base/nanoseconds.h"
#include "bvh/accel.h"
#include "compaction/simt/atomic.h"
#include "film/film.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/media.h"
#include "wavefront/stage/shade.h"
#include "wavefront/stage/volume_light.h"

namespace winnow {

/// Meter of a path whose costs are not measured.
struct NoMeter {
  SIMT_HOST_DEVICE void start() {}
  SIMT_HOST_DEVICE void add_traversal(uint32_t /* bounce */) {}
  SIMT_HOST_DEVICE void add_shading(uint32_t /* bounce */) {}
};

/// Adds the time of each step of a path to the costs of its pixel. Several threads may follow paths
/// of one pixel.
class CostMeter {
 public:
  /// @param costs  [kCostBounces], of the pixel
  SIMT_HOST_DEVICE explicit CostMeter(StepCosts* costs) : costs_(costs) {}

  SIMT_HOST_DEVICE void start() { last_ = clock_ticks(); }
  SIMT_HOST_DEVICE void add_traversal(uint32_t bounce) { add(at(bounce).traversal); }
  SIMT_HOST_DEVICE void add_shading(uint32_t bounce) { add(at(bounce).shading); }

 private:
  SIMT_HOST_DEVICE StepCosts& at(uint32_t bounce) const {
    return costs_[bounce < kCostBounces ? bounce : kCostBounces - 1];
  }
  SIMT_HOST_DEVICE void add(uint64_t& sum) {
    const uint64_t now = clock_ticks();
    simt::add_relaxed(sum, now - last_);
    last_ = now;
  }

  StepCosts* costs_;
  uint64_t last_ = 0;  ///< end of the step before
};

/// Traces one path from the camera to its end: the same steps as the wavefront's stages, with the
/// path in registers. On CUDA this is the megakernel, the baseline for culling.
///
/// writes  result
/// @tparam Media  HomogeneousMedia or GridMedia
template <Accel A, class Scene, class Media = HomogeneousMedia>
struct FollowPath {
  static constexpr Stage kStage = Stage::kPath;

  Scene scene;
  A accel;
  ShadeSettings settings;
  SamplerSettings sampler_settings;
  const WaveState* state;
  Span<PathResult> results;   ///< [path]
  Span<glm::vec3> indirect;   ///< [path] or empty, see Paths
  Span<BounceTotals> totals;  ///< [bounce]
  Media media = {};

  SIMT_HOST_DEVICE void operator()(PathId id) const {
    NoMeter meter;
    follow(id, meter);
  }

  template <class Meter>
  SIMT_HOST_DEVICE void follow(PathId id, Meter& meter) const {
    const Sampler sampler = sampler_of(state->wave, sampler_settings, id);
    PathOf<Scene::kFeatures.media> path{
        start_path(scene.camera, scene.filter, state->wave.width, sampler)};
    if constexpr (Scene::kFeatures.media) path.medium = scene.camera_medium;
    TerminationRecord termination;
    meter.start();
    for (uint32_t bounce = 0; termination.alive(); ++bounce) {
      const Hit hit = next_hit(sampler, bounce, path);
      meter.add_traversal(bounce);
      const Bounce at{bounce, settings.max_bounces, settings.roulette};
      const bool splits = indirect.data && bounce == 1;
      glm::vec3 volume_light(0.0f);
      if constexpr (Media::kEmit) {
        if (media.light.cells.size > 0) {
          const ShadowRayInMedia ray = ray_to_volume_light(media, scene, sampler, at, hit, path);
          if (ray.ray.t_max > 0.0f)
            volume_light =
                media.transmittance(scene, accel, ray.ray, ray.medium, id, ray.scatterings) *
                ray.contribution;
        }
        if (!splits) path.radiance += volume_light;
      }
      ShadowRayOf<Scene::kFeatures.media> shadow;
      Termination cause = shade(scene, sampler, at, hit, path, shadow);
      meter.add_shading(bounce);
      // From this bounce on, all light that is scattered is indirect.
      if (splits) {
        results[id].radiance = path.radiance;
        path.radiance = volume_light;
      }
      if (shadow.ray.t_max > 0.0f) {
        add_one_aggregated(totals[bounce].shadow_rays);
        if constexpr (Scene::kFeatures.media)
          path.radiance +=
              media.transmittance(scene, accel, shadow.ray, shadow.medium, id, bounce + 1) *
              shadow.contribution;
        else if (!occluded(scene, accel, shadow.ray))
          path.radiance += shadow.contribution;
        meter.add_traversal(bounce);
      }
      if (cause != Termination::kAlive) termination = TerminationRecord::of(cause, bounce);
    }
    if (indirect.data) {
      const bool is_split = termination.bounce() >= 1;
      indirect[id] = is_split ? path.radiance : glm::vec3(0.0f);
      if (is_split) path.radiance = results[id].radiance;
    }
    results[id] = {path.radiance, termination};
  }

 private:
  /// Returns the end of the path's ray: on a surface or in a medium.
  SIMT_HOST_DEVICE Hit next_hit(const Sampler& sampler, uint32_t bounce,
                                PathOf<Scene::kFeatures.media>& path) const {
    path.ray = clipped_ray(scene.camera, path.ray, bounce);
    const Hit hit = accel.intersect(path.ray);
    if constexpr (Scene::kFeatures.media) {
      if (!scene.has_media && !scene.has_alpha_cutouts) return hit;
      return media.travel(scene, accel, hit, sampler, bounce, path);
    } else {
      return alpha_tested(scene, accel, path.ray, path.travelled, hit);
    }
  }
};

/// Follows a path as FollowPath does, and adds the time of its steps to the film. A kernel of its
/// own, so that other renders do not pay for it. On a GPU, the lanes of a warp go on together: the
/// time of a step includes waiting for the slowest of them.
///
/// writes  result, film
template <Accel A, class Scene, class Media = HomogeneousMedia>
struct MeasurePath {
  static constexpr Stage kStage = Stage::kPath;

  FollowPath<A, Scene, Media> path;
  Span<StepCosts> cost;  ///< [pixel][bounce]

  SIMT_HOST_DEVICE void operator()(PathId id) const {
    CostMeter meter(&cost[size_t(path.state->wave.pixel_of(id)) * kCostBounces]);
    path.follow(id, meter);
  }
};

}  // namespace winnow
