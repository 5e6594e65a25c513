// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/accel.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/media.h"
#include "wavefront/stage/shade.h"

namespace winnow {

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
    const Sampler sampler = sampler_of(state->wave, sampler_settings, id);
    PathOf<Scene::kFeatures.media> path{
        start_path(scene.camera, scene.filter, state->wave.width, sampler)};
    if constexpr (Scene::kFeatures.media) path.medium = scene.camera_medium;
    TerminationRecord termination;
    for (uint32_t bounce = 0; termination.alive(); ++bounce) {
      const Hit hit = next_hit(sampler, bounce, path);
      ShadowRayOf<Scene::kFeatures.media> shadow;
      Termination cause = shade(scene, sampler, {bounce, settings.max_bounces, settings.roulette},
                                hit, path, shadow);
      // From this bounce on, all radiance is indirect.
      if (indirect.data && bounce == 1) {
        results[id].radiance = path.radiance;
        path.radiance = glm::vec3(0.0f);
      }
      if (shadow.ray.t_max > 0.0f) {
        add_one_aggregated(totals[bounce].shadow_rays);
        if constexpr (Scene::kFeatures.media)
          path.radiance +=
              media.transmittance(scene, accel, shadow.ray, shadow.medium, id, bounce + 1) *
              shadow.contribution;
        else if (!occluded(scene, accel, shadow.ray))
          path.radiance += shadow.contribution;
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
    const Hit hit = accel.intersect(clipped_ray(scene.camera, path.ray, bounce));
    if constexpr (Scene::kFeatures.media) {
      if (!scene.has_media && !scene.has_alpha_cutouts) return hit;
      return media.travel(scene, accel, hit, sampler, bounce, path);
    } else {
      return alpha_tested(scene, accel, path.ray, path.travelled, hit);
    }
  }
};

}  // namespace winnow
