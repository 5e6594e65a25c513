// SPDX-License-Identifier: MIT
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "backend/check_memory.h"
#include "backend/collect_results.h"
#include "backend/cpu/cpu_backend.h"
#include "backend/guide_lights.h"
#include "backend/renderer.h"
#include "base/error.h"
#include "bvh/embree_accel.h"
#include "bvh/instances.h"
#include "device_scene/device_scene.h"
#include "device_scene/medium_grids.h"
#include "film/film_source.h"
#include "shading/bsdf/bsdf_by_type.h"
#include "shading/texture/texture.h"
#include "wavefront/integrator.h"

namespace winnow {
namespace {

/// Paths in flight on one worker: about 300 KB of state, which an L2 cache holds.
constexpr uint32_t kDefaultWaveSize = 2048;
/// Minimum number of tasks per thread in a pass: workers wait only briefly at its end.
constexpr uint32_t kTasksPerThread = 32;

/// Paths per slot in a wave with regeneration.
constexpr uint32_t kPathsPerSlot = 8;

template <class Scene>
using CpuIntegrator = Integrator<CpuBackend, CpuAccel, Scene>;

template <class Scene>
struct Worker {
  CpuBackend backend;
  CpuIntegrator<Scene> integrator;
  uint64_t waves = 0;
  std::vector<uint32_t> pixels;  ///< film positions of the pixels of its task

  Worker(const Scene& scene, CpuAccel accel, const RenderSettings& settings, const Film& film,
         WaveCapacity capacity, MediumGrids grids, WaveRecorder* recorder)
      : backend(settings, recorder),
        integrator(backend, scene, accel, settings, film, capacity, grids) {}
  Worker(const Worker&) = delete;  // the integrator refers to `backend`
};

/// @tparam Scene  DeviceScene with the features that the scene requires
template <class Scene>
class CpuRenderer : public Renderer {
 public:
  CpuRenderer(const HostScene& scene, const RenderSettings& settings, WaveRecorder* recorder)
      : settings_(settings),
        recorder_(recorder),
        threads_(settings.threads ? settings.threads : std::thread::hardware_concurrency()),
        thread_limit_(oneapi::tbb::global_control::max_allowed_parallelism, threads_),
        arena_(int(threads_)),
        instances_(build_instance_table(scene)),
        textures_(build_texture_table(scene)),
        lights_(build_light_table(scene, textures_.textures, settings.lights, Scene::kFeatures)),
        classes_(hit_classes_of(scene.materials)),
        grids_(make_medium_grids(scene)),
        volume_light_(build_volume_light(scene)) {
    scene_ = make_device_scene<Scene::kFeatures>(
        scene, {lights_, instances_, textures_.textures, classes_, &textures_.materials},
        settings.width, settings.height);
    build_tree(scene);
    arena_.execute([&] { guide_lights(scene, scene_, accel(), lights_); });
    scene_.lights = make_lights<Scene::kLightFeatures>(scene, lights_, InHostMemory());
    restart(settings);
  }

  void restart(const RenderSettings& settings) override {
    if (mode_of(settings.cull).needs_gpu)
      throw Error("--cull " + enum_name(settings.cull) + " needs a GPU; use --cull look-ahead");
    settings_ = settings;
    if (settings.group == Group::kAuto) settings_.group = Group::kNone;  // batches are, in any case
    const uint32_t slots = settings.wave_size ? settings.wave_size : kDefaultWaveSize;
    capacity_ = {slots, slots * (settings.regenerate ? kPathsPerSlot : 1)};
    workers_.clear();
    pixels_.clear();
    check_that_it_fits();
    clear_film();
    film_ = view_of(host_film_);
  }

  void set_camera(const CameraDescription& camera) override {
    camera_ = camera;
    scene_.camera = make_camera(camera_, settings_.width, settings_.height, InHostMemory());
    restart(RenderSettings(settings_));
  }

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    const uint32_t pixels = pixel_count();
    uint32_t per_task = std::min(pixels, pixels_per_task(count));
    uint32_t tasks = (pixels + per_task - 1) / per_task;
    arena_.execute([&] {
      oneapi::tbb::parallel_for(0u, tasks, [&](uint32_t task) {
        Wave wave{.width = settings_.width,
                  .height = settings_.height,
                  .first_pixel = task * per_task,
                  .pixel_count = std::min(per_task, pixels - task * per_task),
                  .first_sample = first,
                  .sample_count = 0,
                  .pixels = pixels_.empty() ? nullptr : pixels_.data()};
        render_pixels(wave, first + count, control);
      });
    });
  }

  const RenderSettings& settings() const override { return settings_; }

  void read_pixels(size_t field, const FilmTiles& tiles, std::byte* packed) override {
    const FilmField from = fields_of(settings_.film_features(), film_)[field];
    pack_pixels(from.data, tiles, from.bytes_per_pixel, packed);
  }

  void write_pixels(size_t field, const FilmTiles& tiles, const std::byte* packed) override {
    const FilmField to = fields_of(settings_.film_features(), film_)[field];
    place_pixels(packed, tiles, to.bytes_per_pixel, to.data);
  }

  std::optional<FilmOnDevice> film_on_device() override { return FilmOnDevice{.film = film_}; }
  Image film() override { return mean_radiance(host_film_); }

  RenderStats stats() override {
    RenderStats stats;
    stats.bounces.resize(settings_.max_bounces + 1);
    for (Worker<Scene>& worker : workers_) {
      add_to_stats(worker.integrator.totals(), settings_, stats);
      stats.waves += worker.waves;
    }
    return stats;
  }

  void choose_pixels(const std::vector<uint32_t>& pixels) override { pixels_ = pixels; }

  void continue_from(HostFilm film) override {
    workers_.clear();  // they refer to the arrays of the film
    host_film_ = std::move(film);
    film_features_.reset();
    film_ = view_of(host_film_);
  }

  std::vector<AliveMask> alive_masks() override {
    if (workers_.empty()) return {};
    const MaskRecord& masks = workers_.begin()->integrator.masks();
    auto copy = [](Span<uint32_t> span) {
      return std::vector<uint32_t>(span.data, span.data + span.size);
    };
    return make_alive_masks(copy(masks.words), copy(masks.entries), masks.words_per_bounce);
  }

  BvhReport bvh() const override { return bvh_; }

  std::string device_name() const override {
    return "CPU, " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }

 private:
  CpuAccel accel() const {
    return {.embree = embree_ ? embree_->accel() : EmbreeAccel{},
            .list = list_ ? &*list_ : nullptr,
            .instructions = settings_.instructions};
  }

  /// Makes an empty film, in the memory of the last one if both have the same arrays: to touch new
  /// memory takes longer than to clear it.
  void clear_film() {
    const FilmShape shape{settings_.width, settings_.height, settings_.film_features()};
    if (film_features_ != shape.features) host_film_ = {};
    film_features_ = shape.features;
    resize_arrays(shape, {}, host_film_);
    resize_arrays(shape, arrays_of(shape.features), host_film_);
  }

  uint32_t pixel_count() const {
    return uint32_t(pixels_.empty() ? film_.sum.size : pixels_.size());
  }

  /// Returns the number of pixels that fill one wave with `samples` per pixel.
  uint32_t pixels_per_task(uint32_t samples) const {
    if (settings_.record_masks) return capacity_.paths;  // a single wave, as large as possible
    const uint32_t pixels = pixel_count();
    uint32_t in_one_wave = capacity_.paths / std::max(samples, 1u);
    return std::max(std::min(in_one_wave, pixels / (threads_ * kTasksPerThread)), 1u);
  }

  /// Prepares the tracing of rays: lists few primitives, or builds Embree's tree, with high quality
  /// unless a fast build is requested, as building is quick compared with tracing on a CPU.
  void build_tree(const HostScene& scene) {
    const bool fast = settings_.bvh == BvhBuild::kFast;
    const double start = steady_seconds();
    if (PrimitiveList::suits(scene))
      list_.emplace(scene);
    else
      arena_.execute([&] {
        embree_.emplace(scene, EmbreeTests::kWatertight,
                        fast ? EmbreeBuild::kMedium : EmbreeBuild::kHigh);
      });
    bvh_.build = fast ? BvhBuild::kFast : BvhBuild::kQuality;
    bvh_.seconds = steady_seconds() - start;
  }

  /// Renders the samples up to `end` of the wave's pixels, as many at a time as a wave holds.
  void render_pixels(Wave wave, uint32_t end, RenderControl& control) {
    Worker<Scene>& worker = workers_.local();
    // A table of film positions spares all stages the division by tile sizes for each path.
    worker.pixels.resize(wave.pixel_count);
    for (uint32_t i = 0; i < wave.pixel_count; ++i) worker.pixels[i] = wave.pixel_of(i);
    wave.first_pixel = 0;
    wave.pixels = worker.pixels.data();
    uint32_t samples_per_wave = capacity_.paths / wave.pixel_count;
    while (wave.first_sample < end && !control.stop) {
      wave.sample_count = std::min(samples_per_wave, end - wave.first_sample);
      worker.integrator.trace(wave);
      ++worker.waves;
      control.paths_done += wave.path_count();
      wave.first_sample += wave.sample_count;
    }
  }

  /// Throws Error if the film and the paths do not fit into memory.
  void check_that_it_fits() const {
    uint64_t pixels = uint64_t(settings_.width) * settings_.height;
    uint64_t film_bytes =
        pixels * (film_bytes_per_pixel(settings_.film_features()) + sizeof(glm::vec3));
    check_memory(film_bytes + threads_ * wave_bytes(settings_, Scene::kFeatures, capacity_),
                 free_host_memory(), "in memory", "use a smaller --size or --wave-size");
  }

  RenderSettings settings_;
  WaveRecorder* recorder_;  ///< null: no recorder
  BvhReport bvh_;
  uint32_t threads_;
  WaveCapacity capacity_{};
  oneapi::tbb::global_control thread_limit_;  // allows more threads than processors
  oneapi::tbb::task_arena arena_;
  InstanceTable instances_;
  TextureTable textures_;
  LightTable lights_;
  std::vector<HitClass> classes_;
  MediumGridTables grids_;  ///< views of the grids of the scene
  VolumeLightTable volume_light_;
  std::optional<EmbreeScene> embree_;  ///< none if the scene is traced with a list
  std::optional<PrimitiveList> list_;
  std::vector<uint32_t> pixels_;  ///< chosen pixels; empty: all
  HostFilm host_film_;
  std::optional<FilmFeatures> film_features_;  ///< of host_film_, if it was cleared
  Film film_;                                  ///< view of host_film_
  CameraDescription camera_;                   ///< that of set_camera()
  Scene scene_;
  oneapi::tbb::enumerable_thread_specific<Worker<Scene>> workers_{[this] {
    return Worker<Scene>(
        scene_, accel(), settings_, film_, capacity_,
        {InHostMemory{}(grids_.media), grids_.emit(), make_volume_light(volume_light_)}, recorder_);
  }};
};

}  // namespace

std::string cpu_rounding(const HostScene& scene) {
  if (PrimitiveList::suits(scene)) return "";
  static const std::string of_embree = embree_rounding();
  return of_embree;
}

std::unique_ptr<Renderer> make_cpu_renderer(const HostScene& scene, const RenderSettings& settings,
                                            WaveRecorder* recorder) {
  // On a CPU, unused instances and layers have no measurable cost.
  return with_features<kBasic, kLayered, kMedia>(
      required_features(scene, settings.lights),
      [&]<Features kFeatures>() -> std::unique_ptr<Renderer> {
        return std::make_unique<CpuRenderer<DeviceScene<kFeatures>>>(scene, settings, recorder);
      });
}

}  // namespace winnow
