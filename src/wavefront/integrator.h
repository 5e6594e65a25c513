#pragma once

#include <algorithm>

#include "film/film.h"
#include "wavefront/cull/cull.h"
#include "wavefront/stage/add_first_hits.h"
#include "wavefront/stage/add_to_film.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/stage/follow_path.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/intersect.h"
#include "wavefront/stage/record_mask.h"
#include "wavefront/stage/shade.h"
#include "wavefront/stage/shadow.h"
#include "wavefront/state/rounds.h"

namespace winnow {

/// How much an integrator can hold.
struct WaveCapacity {
  uint32_t slots;  ///< paths in flight
  uint32_t paths;  ///< of one wave; more than slots only where finished paths make room for others
};

/// Follows waves of paths through a scene, on one device. The host says what is to run, and learns
/// nothing of how it goes; on a GPU it says so once, and the GPU repeats it for every wave.
///
/// @tparam Backend  CpuBackend or CudaBackend: where stages run and memory lies
/// @tparam Scene    DeviceScene with the features that its scene requires
template <class Backend, Accel A, class Scene = DeviceScene<kBasic>>
class Integrator {
 public:
  Integrator(Backend& backend, const Scene& scene, A accel, const RenderSettings& settings,
             const Film& film, WaveCapacity capacity)
      : backend_(backend),
        scene_(scene),
        accel_(accel),
        settings_(settings),
        film_(film),
        capacity_(capacity) {
    state_ = backend.template allocate<WaveState>(1).data;
    totals_ = backend.template allocate<BounceTotals>(round_count());
    paths_.results = backend.template allocate<PathResult>(capacity.paths);
    if (settings.clamps()) paths_.indirect = backend.template allocate<glm::vec3>(capacity.paths);
    if (settings.loop == Loop::kPath) return;

    const uint32_t slots = capacity.slots;
    const uint32_t words = simt::ceil_div(slots, simt::kWarpSize);
    paths_.columns[0] = allocate_columns();
    if (cull_effect(settings.cull) == CullEffect::kMovesState)
      paths_.columns[1] = allocate_columns();
    hits_ = backend.template allocate<Hit>(slots);
    shadow_rays_ = {.origin_t_max = backend.template allocate<Packed>(slots),
                    .direction_id = backend.template allocate<Packed>(slots),
                    .contribution = backend.template allocate<Packed>(slots)};
    if (cull_effect(settings.cull) == CullEffect::kLists)
      for (Span<uint32_t>& list : work_.lists) list = backend.template allocate<uint32_t>(slots);
    work_.alive = backend.template allocate<uint32_t>(words);
    backend.reserve_cull_workspace(settings.cull, cull_workspace_bytes(settings.cull, slots),
                                   slots);
    if (settings.record_masks)
      masks_ = {.words = backend.template allocate<uint32_t>(size_t(words) * round_count()),
                .entries = backend.template allocate<uint32_t>(round_count()),
                .words_per_bounce = words};
  }

  /// Bytes that an integrator keeps for each slot and for each path.
  static size_t bytes_per_slot(const RenderSettings& settings) {
    if (settings.loop == Loop::kPath) return 0;
    const CullEffect effect = cull_effect(settings.cull);
    size_t columns = 3 * sizeof(Packed) + (settings.regenerate ? sizeof(uint32_t) : 0);
    size_t masks = settings.record_masks ? settings.max_bounces + 2 : 1;
    return columns * (effect == CullEffect::kMovesState ? 2 : 1) + sizeof(Hit) +
           3 * sizeof(Packed) + (effect == CullEffect::kLists ? 2 * sizeof(uint32_t) : 0) +
           simt::ceil_div(masks, size_t(8));
  }
  static size_t bytes_per_path(const RenderSettings& settings) {
    return sizeof(PathResult) + (settings.clamps() ? sizeof(glm::vec3) : 0);
  }

  /// Renders one wave onto the film. Returns when the work is queued; it may not be done yet.
  void trace(const Wave& wave) {
    backend_.once(OpenWave{state_, totals(), cull_policy(), wave,
                           std::min(capacity_.slots, wave.path_count())});
    backend_.replay([this] {
      if (settings_.loop == Loop::kWave)
        trace_wave();
      else
        backend_.for_each(state_, AllPaths{},
                          FollowPath<A, Scene>{scene_, accel_, shade_settings(), sampler_settings(),
                                               state_, paths_.results, paths_.indirect, totals_});
      backend_.for_each_tally(state_, AllPixels{},
                              AddToFilm{state_,
                                        paths_.results,
                                        film_,
                                        totals_,
                                        {paths_.indirect.data, paths_.indirect.size},
                                        settings_.clamp_indirect});
      if (film_.first_hits.first.data)
        backend_.for_each(
            state_, AllPixels{},
            AddFirstHits<A, Scene>{scene_, accel_, sampler_settings(), state_, film_.first_hits});
      backend_.once(CloseWave{state_, totals_});
    });
  }

  /// [bounce], of all waves. On the device.
  Span<const BounceTotals> totals() const { return {totals_.data, totals_.size}; }
  const MaskRecord& masks() const { return masks_; }

 private:
  /// The wavefront. Each turn of the loop moves every living path by one bounce.
  /// Laine, Karras & Aila, "Megakernels Considered Harmful", HPG 2013.
  void trace_wave() {
    backend_.for_each(state_, AllSlots{}, GenerateCameraRays{starter()});
    // Without regeneration the last bounce ends what is left.
    const uint32_t most_turns = settings_.regenerate ? ~0u : round_count();
    backend_.repeat(state_, most_turns, [this](uint32_t parity) { trace_round(parity); });
  }

  /// @param parity  of the turn
  void trace_round(uint32_t parity) {
    backend_.for_each_ray(state_, work_, IntersectClosest<A>{accel_, paths_, hits_, state_});
    if constexpr (Scene::kFeatures.extended)
      if (scene_.has_alpha_cutouts)
        backend_.for_each(state_, work_,
                          AlphaTest<A, Scene>{scene_, accel_, paths_, hits_, state_});
    backend_.for_each_push(
        state_, work_,
        ShadeSurface<Scene>{scene_, shade_settings(), starter(), hits_, shadow_rays_},
        appends(settings_.cull));
    trace_shadow_rays();
    if (masks_.words.data)
      backend_.for_each(state_, AliveWords{}, RecordMask{state_, work_, masks_});

    if (culls_apart(settings_.cull)) {
      if (settings_.measure_stages) backend_.once(BeginCull{state_});
      const uint32_t most_entries = backend_.most_entries(state_, capacity_.slots);
      cull(backend_, settings_.cull, {work_, state_, paths_, most_entries, parity});
    }
    backend_.once(CloseRound{state_, totals_, cull_effect(settings_.cull), cull_policy()});
  }

  void trace_shadow_rays() {
    const TraceShadowRays<A, Scene> stage{scene_, accel_, shadow_rays_, paths_};
    if constexpr (Scene::kFeatures.extended)
      if (scene_.has_alpha_cutouts)  // a ray that meets one goes on
        return backend_.for_each(state_, AllShadowRays{}, stage);
    backend_.for_each_ray(state_, AllShadowRays{}, stage);
  }

  PathColumns allocate_columns() {
    const uint32_t slots = capacity_.slots;
    return {.origin_pdf = backend_.template allocate<Packed>(slots),
            .direction_id = backend_.template allocate<Packed>(slots),
            .throughput_eta = backend_.template allocate<Packed>(slots),
            .bounces = backend_.template allocate<uint32_t>(settings_.regenerate ? slots : 0)};
  }

  /// The last round has nothing to scatter: it gathers what the last bounce's rays reach.
  uint32_t round_count() const { return settings_.max_bounces + 1; }
  ShadeSettings shade_settings() const {
    return {settings_.max_bounces, settings_.roulette, settings_.regenerate};
  }
  SamplerSettings sampler_settings() const {
    return {settings_.seed, settings_.sampler, log2_samples_for(settings_.sobol_spp)};
  }
  CullPolicy cull_policy() const { return {settings_.cull == Cull::kAuto, Backend::kCullNs}; }
  PathStarter starter() const {
    return {scene_.camera, scene_.filter, sampler_settings(), paths_, state_};
  }

  Backend& backend_;
  Scene scene_;
  A accel_;
  RenderSettings settings_;
  Film film_;
  WaveCapacity capacity_;

  WaveState* state_;
  Span<BounceTotals> totals_;
  Paths paths_;
  Span<Hit> hits_;
  ShadowRays shadow_rays_;
  WorkQueue work_;
  MaskRecord masks_;
};

}  // namespace winnow
