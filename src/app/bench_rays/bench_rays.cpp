// SPDX-License-Identifier: MIT
#include "app/bench_rays/bench_rays.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <oneapi/tbb/combinable.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <ostream>
#include <thread>

#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "backend/ray_tracer.h"
#include "base/error.h"
#include "base/nanoseconds.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

constexpr const char *kEmbree = "Embree", *kFast = "fast";
constexpr int kWarmUps = 3;
constexpr uint32_t kDefaultRepeatCuda = 21, kDefaultRepeatCpu = 5;
constexpr Size kDefaultSizeCuda{1920, 1080}, kDefaultSizeCpu{640, 360};
/// Maximum number of repetitions with fewer threads, which take long.
constexpr uint32_t kMaxScalingRepeats = 3;

template <class Work>
double seconds_of(Work work) {
  const double start = steady_seconds();
  work();
  return steady_seconds() - start;
}

/// Returns mean counts over rays evenly spaced in the set.
RayVisits count_visits(const WideBvh& bvh, const RaySet& rays) {
  constexpr size_t kMaxRays = 1u << 16;  // each takes microseconds on the host
  const size_t count = std::min(rays.size(), kMaxRays);
  oneapi::tbb::combinable<RayVisits> visits;
  oneapi::tbb::parallel_for(size_t(0), count, [&](size_t i) {
    const Ray ray = rays.columns().ray(i * rays.size() / count);
    if (is_shadow(rays.kind))
      bvh.occluded(ray, visits.local());
    else
      bvh.intersect(ray, visits.local());
  });
  const RayVisits sum = visits.combine([](const RayVisits& a, const RayVisits& b) {
    return RayVisits{a.nodes + b.nodes, a.primitives + b.primitives};
  });
  const double divisor = double(std::max<size_t>(count, 1));
  return {sum.nodes / divisor, sum.primitives / divisor};
}

/// Returns the number of rays for which two tracers found different primitives or occlusion.
uint64_t count_others(const RayResults& a, const RayResults& b) {
  uint64_t count = 0;
  for (size_t i = 0; i < a.hits.size(); ++i) count += a.hits[i].primitive != b.hits[i].primitive;
  for (size_t i = 0; i < a.occluded.size(); ++i) count += a.occluded[i] != b.occluded[i];
  return count;
}

class RayBench {
 public:
  RayBench(const BenchRaysOptions& options, const ChosenDevice& device)
      : options_(options),
        device_(device),
        threads_(options.threads ? options.threads : std::thread::hardware_concurrency()),
        thread_limit_(oneapi::tbb::global_control::max_allowed_parallelism, threads_),
        progress_(progress_style(options.quiet)) {
    constexpr uint64_t kMaxRays = 1u << 30;  // indices have 32 bits
    const Size size = film_size();
    const uint64_t rays = uint64_t(size.width) * size.height * options.spp;
    if (rays > kMaxRays)
      throw UsageError(fmt::format(
          "--spp: {} primary rays are too many, at most {}; use a smaller --size or --spp", rays,
          kMaxRays));
  }

  BenchRaysReport run() {
    BenchRaysReport report;
    report.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    describe(report);
    build(report);
    tell("making rays");
    report.rays_seconds =
        arena_seconds([&] { sets_ = make_ray_sets(scene_, embree_->accel(), report.settings); });
    for (const RaySet& set : sets_) {
      report.sets.push_back(bench_set(set, report.repeat));
      if (options_.sorted && set.kind != RayKind::kPrimary)
        report.sets.push_back(bench_sorted(set, report.repeat));
    }
    return report;
  }

 private:
  Size film_size() const {
    return options_.size.value_or(device_.cuda ? kDefaultSizeCuda : kDefaultSizeCpu);
  }

  void describe(BenchRaysReport& report) {
    report.file = options_.scene.string();
    report.load_seconds = seconds_of([&] { scene_ = load_with_options(options_.scene, options_); });
    report_loading(scene_, options_.scene, options_.quiet, options_.strict);
    if (!scene_.instances.empty())
      throw Error(report.file + ": has instances, which bench-rays does not support yet");
    report.scene = scene_.name;
    report.triangles = scene_.triangles.size();
    report.spheres = scene_.spheres.size();
    report.cuda = device_.cuda;
    report.threads = threads_;
    report.repeat = options_.repeat.value_or(device_.cuda ? kDefaultRepeatCuda : kDefaultRepeatCpu);
    const Size size = film_size();
    scene_.width = size.width;
    scene_.height = size.height;
    change_camera(options_.camera, scene_);
    report.camera_origin = options_.camera.is_given() ? "the command's" : "the scene's";
    report.settings = {.camera = scene_.camera,
                       .light = options_.light.value_or(default_light(scene_)),
                       .width = size.width,
                       .height = size.height,
                       .spp = options_.spp,
                       .seed = options_.seed};
    report.device = fmt::format("CPU, {} thread{}", threads_, threads_ == 1 ? "" : "s");
    if (!device_.cuda) return;
    for (const CudaDevice& gpu : list_cuda_devices().devices)
      if (gpu.index == device_.indices.front()) report.device = gpu.name;
  }

  void build(BenchRaysReport& report) {
    tell("building");
    const double bvh_seconds = arena_seconds([&] {
      bvh_ = options_.fast_build ? build_wide_bvh_on_gpu(scene_, device_.indices.front())
                                 : build_wide_bvh(scene_);
    });
    const double embree_seconds = arena_seconds([&] { embree_.emplace(scene_); });
    report.trees.push_back(
        {options_.fast_build ? "WideBvh by --bvh fast" : kWideBvhTracer, bvh_seconds,
         bvh_.nodes.size() * sizeof(WideBvhNode) + bvh_.primitives.size() * sizeof(BvhPrimitive)});
    report.trees.push_back({kEmbree, embree_seconds, 0});
    if (device_.cuda) {
      const int gpu = device_.indices.front();
      for (const Tracer tracer : options_.tracers) {
        const double seconds = arena_seconds([&] {
          tracers_.push_back(tracer == Tracer::kRt ? make_cuda_optix(scene_, bvh_, gpu)
                                                   : make_cuda_wide_bvh(bvh_, gpu));
        });
        if (tracer == Tracer::kRt)
          report.trees.push_back({kOptixTracer, seconds, tracers_.back()->tree_bytes()});
      }
      return;
    }
    const double fast_seconds =
        arena_seconds([&] { fast_embree_.emplace(scene_, EmbreeTests::kFast); });
    report.trees.push_back({kFast, fast_seconds, 0});
    tracers_.push_back(make_embree_loop(*embree_, kEmbree));
    tracers_.push_back(make_embree_stages(*embree_));
    if (scene_.spheres.empty()) tracers_.push_back(make_embree_packets(*embree_));
    tracers_.push_back(make_embree_loop(*fast_embree_, kFast));
    tracers_.push_back(make_host_wide_bvh(bvh_));
  }

  /// Runs all tracers once per repetition, so that disturbances affect all of them alike.
  RaySetRun bench_set(const RaySet& set, uint32_t repeat) {
    tell(set.name());
    RaySetRun result{.name = set.name(), .rays = set.size()};
    const int warm_ups = device_.cuda ? kWarmUps : 1;
    for (const auto& tracer : tracers_) {
      tracer->load(set);
      TracerRun run{.name = tracer->name()};
      run.must_be_right = run.name != kFast;
      const bool is_slow = run.name == kWideBvhTracer;  // on the host, for tests only
      if (!device_.cuda && !is_slow)
        for (uint32_t threads = 1; threads < threads_; threads *= 2)
          run.scaling.push_back({threads, {}});
      result.runs.push_back(std::move(run));
      for (int warm_up = 0; warm_up < warm_ups; ++warm_up) arena_.execute([&] { tracer->trace(); });
    }
    for (uint32_t repetition = 0; repetition < repeat; ++repetition)
      for (size_t i = 0; i < tracers_.size(); ++i) {
        TracerRun& run = result.runs[i];
        run.milliseconds.push_back(arena_.execute([&] { return tracers_[i]->trace(); }));
        if (repetition >= kMaxScalingRepeats) continue;
        for (ThreadTimes& times : run.scaling) {
          oneapi::tbb::task_arena arena{int(times.threads)};
          times.milliseconds.push_back(arena.execute([&] { return tracers_[i]->trace(); }));
        }
      }
    arena_.execute([&] { check(set, result); });
    return result;
  }

  /// Measures the same rays in sorted order; on a GPU, also measures and checks the sorting.
  RaySetRun bench_sorted(const RaySet& set, uint32_t repeat) {
    const Bounds bounds = scene_bounds(scene_);
    const RayOrder order(bounds.min, bounds.size());
    const RaySet sorted = sorted_rays(set, order);
    RaySetRun result = bench_set(sorted, repeat);
    if (!device_.cuda) return result;
    RayTracer& tracer = *tracers_.front();
    tracer.load(set);
    for (int warm_up = 0; warm_up < kWarmUps; ++warm_up) tracer.sort(order);
    for (uint32_t repetition = 0; repetition < repeat; ++repetition)
      result.sort_milliseconds.push_back(tracer.sort(order));
    tracer.trace();
    arena_.execute([&] { check(sorted, result); });
    return result;
  }

  void check(const RaySet& set, RaySetRun& result) {
    std::unique_ptr<RayTracer> embree = make_embree_loop(*embree_, kEmbree);
    embree->load(set);
    embree->trace();
    const RayResults reference = embree->results();
    std::vector<RayResults> found;
    for (size_t i = 0; i < tracers_.size(); ++i) {
      found.push_back(tracers_[i]->results());
      result.runs[i].check = check_rays(scene_, set, found.back(), reference);
    }
    if (device_.cuda && found.size() > 1) result.found_others = count_others(found[0], found[1]);
    result.visits = count_visits(bvh_.view(), set);
  }

  template <class Work>
  double arena_seconds(Work work) {
    return arena_.execute([&] { return seconds_of(work); });
  }

  void tell(const std::string& phase) {
    progress_.print(fmt::format("{}: {}", options_.scene.filename().string(), phase));
  }

  const BenchRaysOptions& options_;
  ChosenDevice device_;
  uint32_t threads_;
  oneapi::tbb::global_control thread_limit_;  // allows more threads than processors
  oneapi::tbb::task_arena arena_{int(threads_)};
  ProgressPrinter progress_;
  HostScene scene_;
  WideBvhArrays bvh_;
  std::optional<EmbreeScene> embree_, fast_embree_;
  std::array<RaySet, kRayKindCount> sets_;
  std::vector<std::unique_ptr<RayTracer>> tracers_;
};

}  // namespace

int bench_rays(const BenchRaysOptions& options) {
  check_outputs({}, {options.json}, {options.scene});
  const ChosenDevice device = choose_device(options.device);
  if (options.fast_build && !device.cuda) throw UsageError("--bvh fast needs a GPU");
  if (std::ranges::count(options.tracers, Tracer::kRt) > 0 && !device.cuda)
    throw UsageError("--tracer rt needs a GPU");
  const BenchRaysReport report = RayBench(options, device).run();
  if (!options.quiet) fmt::print("{}", bench_rays_text(report));
  if (!options.json.empty()) write_text(options.json, bench_rays_json(report));
  return is_wrong(report) ? kExitFailure : 0;
}

}  // namespace winnow
