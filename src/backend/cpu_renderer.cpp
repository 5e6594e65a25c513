#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <optional>
#include <thread>

#include "backend/add_to_stats.h"
#include "backend/check_memory.h"
#include "backend/cpu_backend.h"
#include "error.h"
#include "geometry/embree_accel.h"
#include "scene/device_scene.h"
#include "wavefront/integrator.h"
#include "wavefront/renderer.h"

namespace winnow {
namespace {

/// Paths in flight on one worker: about 300 KB of state, which an L2 cache holds.
constexpr uint32_t kDefaultWaveSize = 2048;
/// Pixels that a worker takes at a time, at most. With fewer samples than this makes a wave of, a
/// wave is smaller than it could be.
constexpr uint32_t kPixelsPerTask = 256;

/// What one worker thread needs for itself.
struct Worker {
  CpuBackend backend;
  Integrator<CpuBackend, EmbreeAccel> integrator;

  Worker(const DeviceScene& scene, EmbreeAccel accel, const RenderSettings& settings,
         const Film& film, uint32_t wave_size)
      : backend(settings.max_bounces + 1, settings.measure_stages),
        integrator(backend, scene, accel, settings, film, wave_size) {}
  Worker(const Worker&) = delete;  // the integrator refers to the backend beside it
};

class CpuRenderer : public Renderer {
 public:
  CpuRenderer(const HostScene& scene, const RenderSettings& settings)
      : settings_(settings),
        threads_(settings.threads ? settings.threads : std::thread::hardware_concurrency()),
        wave_size_(settings.wave_size ? settings.wave_size : kDefaultWaveSize),
        thread_limit_(oneapi::tbb::global_control::max_allowed_parallelism, threads_),
        arena_(int(threads_)),
        lights_(build_light_table(scene)) {
    uint64_t pixels = uint64_t(settings.width) * settings.height;
    uint64_t film_bytes = pixels * (sizeof(glm::dvec3) + sizeof(uint32_t) + sizeof(glm::vec3));
    uint64_t path_bytes =
        uint64_t(threads_) * wave_size_ * Integrator<CpuBackend, EmbreeAccel>::kBytesPerPath;
    check_memory(film_bytes + path_bytes, free_host_memory(), "in memory",
                 "use a smaller --size or --wave-size");
    sums_.resize(pixels);
    samples_.resize(pixels);
    scene_ = make_device_scene(scene, lights_, settings.width, settings.height,
                               []<class T>(const std::vector<T>& items) {
                                 return Span<const T>(items.data(), items.size());
                               });
    arena_.execute([&] { embree_.emplace(scene); });
    film_ = {.sum = {sums_.data(), sums_.size()}, .samples = {samples_.data(), samples_.size()}};
  }

  void render_samples(uint32_t first, uint32_t count, RenderControl& control) override {
    auto pixels = uint32_t(sums_.size());
    uint32_t per_task =
        std::clamp(pixels / (threads_ * 8), 1u, std::min(kPixelsPerTask, wave_size_));
    uint32_t tasks = (pixels + per_task - 1) / per_task;
    arena_.execute([&] {
      oneapi::tbb::parallel_for(0u, tasks, [&](uint32_t task) {
        Wave wave{.width = settings_.width,
                  .height = settings_.height,
                  .first_pixel = task * per_task,
                  .pixel_count = std::min(per_task, pixels - task * per_task),
                  .first_sample = first,
                  .sample_count = 0};
        render_pixels(wave, first + count, control);
      });
    });
  }

  Image film() override { return mean_radiance(film_, settings_.width, settings_.height); }

  RenderStats stats() override {
    RenderStats stats;
    stats.bounces.resize(settings_.max_bounces + 1);
    for (Worker& worker : workers_)
      add_to_stats(worker.integrator.totals(), worker.backend.times(), stats);
    return stats;
  }

  std::string device_name() const override {
    return "CPU, " + std::to_string(threads_) + (threads_ == 1 ? " thread" : " threads");
  }

 private:
  /// Renders the samples up to `end` of the wave's pixels, as many at a time as a wave holds.
  void render_pixels(Wave wave, uint32_t end, RenderControl& control) {
    Worker& worker = workers_.local();
    uint32_t samples_per_wave = wave_size_ / wave.pixel_count;
    while (wave.first_sample < end && !control.stop) {
      wave.sample_count = std::min(samples_per_wave, end - wave.first_sample);
      worker.integrator.trace(wave);
      control.paths_done += wave.path_count();
      wave.first_sample += wave.sample_count;
    }
  }

  RenderSettings settings_;
  uint32_t threads_;
  uint32_t wave_size_;
  oneapi::tbb::global_control thread_limit_;  // lets there be more threads than processors
  oneapi::tbb::task_arena arena_;
  LightTable lights_;
  std::optional<EmbreeScene> embree_;
  std::vector<glm::dvec3> sums_;
  std::vector<uint32_t> samples_;
  Film film_;
  DeviceScene scene_;
  oneapi::tbb::enumerable_thread_specific<Worker> workers_{
      [this] { return Worker(scene_, embree_->accel(), settings_, film_, wave_size_); }};
};

}  // namespace

std::unique_ptr<Renderer> make_cpu_renderer(const HostScene& scene,
                                            const RenderSettings& settings) {
  return std::make_unique<CpuRenderer>(scene, settings);
}

}  // namespace winnow
