// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "film/film.h"
#include "wavefront/bookkeeping.h"
#include "wavefront/cull/plan.h"
#include "wavefront/stage/add_first_hits.h"
#include "wavefront/stage/add_to_film.h"
#include "wavefront/stage/alpha_test.h"
#include "wavefront/stage/follow_path.h"
#include "wavefront/stage/generate.h"
#include "wavefront/stage/grid_media.h"
#include "wavefront/stage/intersect.h"
#include "wavefront/stage/media.h"
#include "wavefront/stage/shade.h"
#include "wavefront/stage/shadow.h"
#include "wavefront/stage/volume_light.h"
#include "wavefront/state/first_hits_of_paths.h"
#include "wavefront/wave_arrays.h"

namespace winnow {

/// Traces waves of paths through a scene on one device. The host only launches stages and reads
/// none of their results; on a GPU the launches can be recorded once and replayed for every wave.
///
/// @tparam Backend  CpuBackend or CudaBackend: runs stages and allocates memory
/// @tparam Scene    DeviceScene with the features that its scene requires
template <class Backend, Accel A, class Scene = DeviceScene<kBasic>>
class Integrator {
 public:
  Integrator(Backend& backend, const Scene& scene, A accel, const RenderSettings& settings,
             const Film& film, WaveCapacity capacity, MediumGrids grids = {})
      : backend_(backend),
        scene_(scene),
        grids_(grids),
        accel_(accel),
        settings_(settings),
        film_(film),
        capacity_(capacity),
        plans_(plans_of(settings, Scene::kFeatures)),
        choice_(Backend::kMeasuresWaves ? plans_.size() : 1, {expected_waves(), capacity.paths},
                has_kernels_for_groups(Scene::kFeatures) && settings.tracer != Tracer::kAuto) {
    if (settings.sample_centers) scene_.filter = {.type = FilterType::kBox, .radius = 0.0f};
    state_ = backend.template allocate<WaveState>(1).data;
    totals_ = backend.template allocate<BounceTotals>(iteration_count(settings));
    for_each_field(
        arrays_, settings, used_features(scene), capacity,
        [&]<class T>(Span<T>& array, size_t size) { array = backend.template allocate<T>(size); });
    if (settings.loop_in_use() == Loop::kWave)
      cull_workspace_ = backend.template allocate<std::byte>(
          std::max(cull_workspace_bytes(plans_, capacity.slots),
                   Backend::baseline_workspace_bytes(settings.cull, capacity.slots)));
    prepare(0);
  }

  /// Loads the kernels of all plans to be tried soon; loading them later delays the render.
  void prepare_trials() {
    if (choice_.tries_soon())
      for (size_t plan = 1; plan < plans_.size(); ++plan) prepare(plan);
  }

  /// Renders one wave onto the film. Returns when the work is launched; it may still be running.
  void trace(const Wave& wave) {
    const size_t plan = choose_plan(wave);
    backend_.once(BeginWave{state_, totals(), cull_policy(plans_[plan]), wave,
                            std::min(capacity_.slots, wave.path_count())});
    backend_.trace_with(plans_[plan].tracer);
    backend_.replay(plan, [this, plan] { trace_stages(plans_[plan]); });
  }

  /// Returns the time per path of the last completed wave; infinite before the first.
  double nanoseconds_per_path() {
    take_times();
    return nanoseconds_per_path_;
  }

  /// Returns the totals of each bounce over all waves, [bounce], in device memory.
  Span<const BounceTotals> totals() const { return totals_; }
  const MaskRecord& masks() const { return arrays_.masks; }

 private:
  void prepare(size_t plan) {
    backend_.trace_with(plans_[plan].tracer);
    backend_.prepare(plan, [this, plan] { trace_stages(plans_[plan]); });
  }

  /// Returns the expected number of waves; 0 if it is unknown.
  uint64_t expected_waves() const {
    return uint64_t(settings_.width) * settings_.height * settings_.expected_spp *
           settings_.expected_frames / capacity_.paths;
  }

  void take_times() {
    backend_.take_times([this](uint64_t ended, double nanoseconds) {
      const LaunchedWave& launched = launched_[ended % kMaxWavesInFlight];
      choice_.add(ended, launched.plan, launched.paths, nanoseconds);
      nanoseconds_per_path_ = nanoseconds / double(launched.paths);
    });
  }

  size_t choose_plan(const Wave& wave) {
    take_times();
    const size_t plan = choice_.next(wave.path_count());
    launched_[wave_count_++ % kMaxWavesInFlight] = {plan, wave.path_count()};
    return plan;
  }

  void trace_stages(const CullPlan& plan) {
    if (!settings_.only_first_hits) {
      if (settings_.loop_in_use() == Loop::kWave)
        trace_wave(plan);
      else
        trace_paths();
      add_to_film();
    }
    if (settings_.keep_first_hits && !paths_keep_first_hits()) add_first_hits();
    backend_.once(EndWave{state_, totals_});
  }

  /// Runs the wavefront loop: each iteration moves all active paths by one bounce.
  /// Laine, Karras & Aila, "Megakernels Considered Harmful", HPG 2013.
  void trace_wave(const CullPlan& plan) {
    backend_.for_each(state_, AllSlots{}, GenerateCameraRays{path_starter()});
    // Without regeneration, the last bounce terminates all remaining paths.
    const uint32_t max_iterations = settings_.regenerate ? ~0u : iteration_count(settings_);
    backend_.repeat(state_, max_iterations,
                    [&](uint32_t ping_pong) { trace_bounce(plan, ping_pong); });
  }

  /// Runs one iteration: intersect, group, shade and append the survivors, shadow, cull.
  void trace_bounce(const CullPlan& plan, uint32_t ping_pong) {
    const auto& [paths, hits, shadow_rays, work, groups, masks] = arrays_;
    const uint32_t max_entries = backend_.max_entries(state_, capacity_.slots);
    backend_.for_each_ray(state_, work,
                          IntersectClosest<A>{accel_, scene_.camera, paths, hits, state_});
    pass_boundaries();
    if constexpr (Backend::kHostReadsState)
      if (state_->iteration.index == 0 && paths_keep_first_hits()) add_first_hits_of_paths();
    scatter_volume_light();

    if (plan.groups)
      group_by_material(backend_, shared_scene(),
                        {work, state_, hits, groups, max_entries, group_list(plan, ping_pong)});
    shade_surfaces(plan);

    trace_shadow_rays();

    if (settings_.record_masks)
      backend_.for_each(state_, AliveWords{}, RecordMask{state_, work, masks});
    if (settings_.measure_stages && mode_of(plan.cull).by == CulledBy::kPass)
      backend_.once(MarkCullStart{state_});
    backend_.cull(plan.cull, {work, state_, paths, max_entries, survivor_list(plan, ping_pong),
                              cull_workspace_});

    backend_.once(EndIteration{state_, totals_, mode_of(plan.cull).effect, cull_policy(plan)});
  }

  /// Moves hits on alpha cutouts and on boundaries of media to the next scattering of the path.
  void pass_boundaries() {
    const auto& [paths, hits, shadow_rays, work, groups, masks] = arrays_;
    if constexpr (Scene::kFeatures.media)
      if (scene_.has_media) {
        if (grids_.media.size == 0) return sample_media(HomogeneousMedia{});
        return grids_.emit ? sample_media(grid_media<true>()) : sample_media(grid_media<false>());
      }
    if constexpr (Scene::kFeatures.extended)
      if (scene_.has_alpha_cutouts)
        backend_.for_each(state_, work,
                          AlphaTest<A, SharedScene>{shared_scene(), accel_, paths, hits, state_});
  }

  /// Adds the light of media with grids that paths scatter at their hits.
  void scatter_volume_light() {
    if constexpr (Scene::kFeatures.media) {
      if (grids_.light.cells.size == 0) return;
      backend_.for_each(
          state_, arrays_.work,
          CastRaysToVolumeLight<Scene>{scene_, shade_settings(), arrays_.paths, arrays_.hits,
                                       arrays_.shadow_rays, state_, grid_media<true>()});
      trace_shadow_rays();
      backend_.once(EndRaysToVolumeLight{state_});
    }
  }

  template <class Media>
  void sample_media(const Media& media) {
    backend_.for_each(state_, arrays_.work,
                      SampleMedium<A, Scene, Media>{scene_, accel_, sampler_settings(),
                                                    arrays_.paths, arrays_.hits, state_, media});
  }

  /// Shades the queue with one kernel or, if it is grouped, with one for each kind of hit.
  void shade_surfaces(const CullPlan& plan) {
    const AppendSurvivors append{mode_of(plan.cull).by == CulledBy::kShading};
    if (!plan.groups)
      return backend_.for_each_push(state_, arrays_.work, shade_surface<ShadedHits::kAny>(), append,
                                    AllEntries{});
    if constexpr (Scene::kFeatures.extended) {
      shade_hits<ShadedHits::kSimple>(append);
      shade_hits<ShadedHits::kNotPrincipled>(append);
      shade_hits<ShadedHits::kPrincipled>(append);
    } else {
      shade_hits<ShadedHits::kAny>(append);
    }
  }

  template <ShadedHits kHits>
  void shade_hits(AppendSurvivors append) {
    const HitClassRange classes = class_range_of(kHits);
    if ((scene_.class_mask & classes.mask()) == 0) return;
    backend_.for_each_push(
        state_, arrays_.work, shade_surface<kHits>(), append,
        EntriesOfClasses{arrays_.groups.offsets.data, classes.first, classes.end});
  }

  template <ShadedHits kHits>
  auto shade_surface() const {
    constexpr Features kSet =
        kHits == ShadedHits::kNotPrincipled ? SharedScene::kFeatures : Scene::kFeatures;
    return ShadeSurface<DeviceScene<kSet>, kHits>{
        widened<kSet>(scene_), shade_settings(), path_starter(), arrays_.hits, arrays_.shadow_rays};
  }

  template <bool kEmission>
  GridMedia<kEmission> grid_media() const {
    GridMedia<kEmission> media{grids_.media, sampler_settings(), state_};
    if constexpr (kEmission) media.light = grids_.light;
    return media;
  }

  void trace_shadow_rays() {
    if constexpr (Scene::kFeatures.media)
      if (grids_.media.size > 0) {
        const TrackShadowRays<Scene> tracking{scene_, arrays_.shadow_rays, arrays_.paths,
                                              grid_media<false>()};
        backend_.for_each(state_, AllShadowRays{},
                          TraceShadowRays<A, Scene, GridMedia<false>>{accel_, tracking});
        return backend_.for_each(state_, ManyShadowRays{}, tracking);
      }
    if constexpr (Scene::kFeatures.extended)
      if (scene_.has_alpha_cutouts)  // a ray may have to continue behind a surface
        return backend_.for_each(state_, AllShadowRays{}, shadow_stage(shared_scene()));
    if constexpr (SharedScene::kFeatures.media)
      backend_.for_each_ray(state_, AllShadowRays{}, shadow_stage(shared_scene()));
    else  // the kernel of basic scenes: it reads nothing of the scene
      backend_.for_each_ray(state_, AllShadowRays{}, shadow_stage(DeviceScene<kBasic>{}));
  }

  template <Features kFeatures>
  auto shadow_stage(const DeviceScene<kFeatures>& scene) const {
    return TraceShadowRays<A, DeviceScene<kFeatures>>{scene, accel_, arrays_.shadow_rays,
                                                      arrays_.paths};
  }

  void trace_paths() {
    if (settings_.keep_cost) return measure_paths();
    if constexpr (Scene::kFeatures.media)
      if (grids_.media.size > 0)
        return grids_.emit ? trace_paths_in(grid_media<true>())
                           : trace_paths_in(grid_media<false>());
    trace_paths_in(HomogeneousMedia{});
  }

  template <class Media>
  void trace_paths_in(const Media& media) {
    backend_.for_each(state_, AllPaths{}, path_stage(scene_, media));
  }

  void measure_paths() {
    if constexpr (SharedScene::kFeatures.media)
      measure_paths_in(AnyMedia{grid_media<true>()});
    else
      measure_paths_in(HomogeneousMedia{});
  }

  template <class Media>
  void measure_paths_in(const Media& media) {
    backend_.for_each(
        state_, AllPaths{},
        MeasurePath<A, SharedScene, Media>{path_stage(shared_scene(), media), film_.cost});
  }

  template <class AnyScene, class Media>
  auto path_stage(const AnyScene& scene, const Media& media) const {
    return FollowPath<A, AnyScene, Media>{scene,
                                          accel_,
                                          shade_settings(),
                                          sampler_settings(),
                                          state_,
                                          arrays_.paths.results,
                                          arrays_.paths.indirect,
                                          totals_,
                                          media};
  }

  void add_to_film() {
    const Paths& paths = arrays_.paths;
    backend_.for_each_tally(
        state_, AllPixels{},
        AddToFilm{state_, paths.results, film_, totals_, paths.indirect, settings_.clamp_indirect});
    if (settings_.keep_layers)
      backend_.for_each(
          state_, AllPixels{},
          AddToLayers{state_, paths.results, film_, paths.indirect, settings_.clamp_indirect});
    if (settings_.keep_background)
      backend_.for_each(state_, AllPixels{}, AddToBackground{state_, paths.results, film_});
  }

  void add_first_hits() {
    backend_.for_each(state_, AllPixels{},
                      AddFirstHits<A, SharedScene>{shared_scene(), accel_, sampler_settings(),
                                                   state_, film_, settings_.only_first_hits});
  }

  bool paths_keep_first_hits() const {
    return Backend::kHostReadsState && winnow::paths_keep_first_hits(settings_, Scene::kFeatures);
  }

  void add_first_hits_of_paths() {
    backend_.for_each(
        state_, AllPixels{},
        AddFirstHits<A, SharedScene, false>{shared_scene(), accel_, sampler_settings(), state_,
                                            film_, false, arrays_.paths.columns[0], arrays_.hits});
  }

  /// The scene for the kernels that feature sets may share: all but the path loop and those that
  /// shade any, simple or principled hits.
  using SharedScene = DeviceScene<Backend::shared_features(Scene::kFeatures)>;

  SharedScene shared_scene() const { return widened<SharedScene::kFeatures>(scene_); }

  ShadeSettings shade_settings() const {
    return {settings_.max_bounces, settings_.roulette, settings_.regenerate};
  }
  SamplerSettings sampler_settings() const {
    return {settings_.seed, settings_.sampler, log2_samples_for(settings_.sobol_spp)};
  }
  static CullPolicy cull_policy(const CullPlan& plan) {
    return {plan.cull == Cull::kAuto, Backend::kCullNs};
  }
  PathStarter path_starter() const {
    return {scene_.camera, scene_.filter, sampler_settings(), arrays_.paths, state_};
  }

  Backend& backend_;
  Scene scene_;
  MediumGrids grids_;
  A accel_;
  RenderSettings settings_;
  Film film_;
  WaveCapacity capacity_;
  std::vector<CullPlan> plans_;
  PlanChoice choice_;

  struct LaunchedWave {
    size_t plan;
    uint32_t paths;
  };
  static constexpr uint64_t kMaxWavesInFlight = 2;
  LaunchedWave launched_[kMaxWavesInFlight] = {};  ///< latest waves, by index
  uint64_t wave_count_ = 0;
  double nanoseconds_per_path_ = std::numeric_limits<double>::infinity();

  WaveState* state_;
  Span<BounceTotals> totals_;
  WaveArrays arrays_;
  Span<std::byte> cull_workspace_;
};

}  // namespace winnow
