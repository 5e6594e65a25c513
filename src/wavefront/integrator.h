#pragma once

#include <array>

#include "film/film.h"
#include "wavefront/add_to_film.h"
#include "wavefront/cull.h"
#include "wavefront/follow_path.h"
#include "wavefront/generate.h"
#include "wavefront/intersect.h"
#include "wavefront/shade.h"
#include "wavefront/shadow.h"
#include "wavefront/wave_counters.h"

namespace winnow {

/// Follows waves of paths through a scene, on one device.
///
/// @tparam Backend  CpuBackend or CudaBackend: where stages run and memory lies
template <class Backend, Accel A>
class Integrator {
 public:
  /// @param capacity  paths of the largest wave
  Integrator(Backend& backend, const DeviceScene& scene, A accel, const RenderSettings& settings,
             const Film& film, uint32_t capacity)
      : backend_(backend), scene_(scene), accel_(accel), settings_(settings), film_(film) {
    paths_ = {.origin_pdf = backend.template allocate<glm::vec4>(capacity),
              .direction = backend.template allocate<glm::vec4>(capacity),
              .throughput_eta = backend.template allocate<glm::vec4>(capacity),
              .radiance = backend.template allocate<glm::vec3>(capacity),
              .certificate = backend.template allocate<Certificate>(capacity)};
    hits_ = backend.template allocate<Hit>(capacity);
    shadow_rays_ = {.origin_t_max = backend.template allocate<glm::vec4>(capacity),
                    .direction = backend.template allocate<glm::vec4>(capacity),
                    .contribution = backend.template allocate<glm::vec4>(capacity)};
    shadow_ids_ = backend.template allocate<PathId>(capacity);
    for (Span<PathId>& ids : path_ids_) ids = backend.template allocate<PathId>(capacity);
    backend.reserve_select_workspace(cull_workspace_bytes(settings.cull, capacity));

    uint32_t rounds = round_count();
    counters_ = {.alive = backend.template allocate<uint32_t>(rounds + 1),
                 .shadow_rays = backend.template allocate<uint32_t>(rounds),
                 .deaths = backend.template allocate<uint32_t>(rounds * kDeathCount)};
    totals_ = {.alive = backend.template allocate<uint64_t>(rounds),
               .shadow_rays = backend.template allocate<uint64_t>(rounds),
               .deaths = backend.template allocate<uint64_t>(rounds * kDeathCount)};
  }

  /// Bytes that an integrator of this capacity keeps for each path.
  static constexpr size_t kBytesPerPath = 3 * sizeof(glm::vec4) + sizeof(glm::vec3) +
                                          sizeof(Certificate) + sizeof(Hit) +
                                          3 * sizeof(glm::vec4) + 3 * sizeof(PathId);

  /// Renders one wave onto the film. Returns when the work is queued; it may not be done yet.
  void trace(const Wave& wave) {
    backend_.for_each(round_count(), OpenCounters{counters_, wave.path_count()});
    if (settings_.loop == Loop::kWave)
      trace_wave(wave);
    else
      trace_paths(wave);
    backend_.for_each(wave.pixel_count, AddToFilm{wave, paths_, film_});

    backend_.for_each(wave.path_count(), CountDeath{paths_.certificate, counters_});
    bool culls = settings_.loop == Loop::kWave && settings_.cull != Cull::kNone;
    backend_.for_each(round_count(),
                      CloseCounters{counters_, totals_, wave.path_count(),
                                    culls ? AliveFrom::kQueues : AliveFrom::kDeaths});
  }

  /// [bounce], summed over all waves. On the device.
  const TotalCounters& totals() const { return totals_; }

 private:
  /// The wavefront. Each turn of the loop moves every living path by one bounce.
  /// Laine, Karras & Aila, "Megakernels Considered Harmful", HPG 2013.
  void trace_wave(const Wave& wave) {
    backend_.for_each(wave.path_count(),
                      GenerateCameraRays{scene_.camera, wave, settings_.seed, paths_});

    Queue alive = all_paths(wave);
    for (uint32_t bounce = 0; bounce < round_count(); ++bounce) {
      if (backend_.upper_bound(alive) == 0) break;
      backend_.begin_bounce(bounce);
      Queue shadow = shadow_queue(bounce, wave);
      Queue next = next_queue(bounce, wave);
      backend_.for_each(alive, IntersectClosest<A>{accel_, paths_, hits_});
      backend_.for_each_push(alive,
                             ShadeSurface{scene_,
                                          wave,
                                          settings_.seed,
                                          {bounce, settings_.max_bounces},
                                          paths_,
                                          hits_,
                                          shadow_rays_},
                             {shadow, settings_.cull == Cull::kAppend ? next : Queue{}});
      backend_.for_each(shadow, TraceShadowRays<A>{accel_, shadow_rays_, paths_});
      backend_.measure(Stage::kCull,
                       [&] { alive = cull(backend_, settings_.cull, alive, next, paths_); });
    }
    backend_.begin_bounce(0);
  }

  /// The baseline: no queues, one thread for the whole of each path.
  void trace_paths(const Wave& wave) {
    backend_.for_each(wave.path_count(), FollowPath<A>{scene_, accel_, wave, settings_.seed,
                                                       settings_.max_bounces, paths_, counters_});
  }

  /// The last round has nothing to scatter: it gathers what the last bounce's rays reach.
  uint32_t round_count() const { return settings_.max_bounces + 1; }

  Queue all_paths(const Wave& wave) const {
    return {.ids = {}, .count = &counters_.alive[0], .capacity = wave.path_count()};
  }
  Queue next_queue(uint32_t bounce, const Wave& wave) const {
    return {path_ids_[bounce % 2], &counters_.alive[bounce + 1], wave.path_count()};
  }
  Queue shadow_queue(uint32_t bounce, const Wave& wave) const {
    return {shadow_ids_, &counters_.shadow_rays[bounce], wave.path_count()};
  }

  Backend& backend_;
  DeviceScene scene_;
  A accel_;
  RenderSettings settings_;
  Film film_;

  Paths paths_;
  Span<Hit> hits_;
  ShadowRays shadow_rays_;
  Span<PathId> shadow_ids_;
  std::array<Span<PathId>, 2> path_ids_;
  WaveCounters counters_;
  TotalCounters totals_;
};

}  // namespace winnow
