// SPDX-License-Identifier: MIT
#include "app/dataset/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <semaphore>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "app/cli/console.h"
#include "app/render/outputs.h"
#include "app/render/render_passes.h"
#include "backend/check_memory.h"
#include "base/error.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Models in memory at once on one device: one is rendered, others are loaded and built.
constexpr uint32_t kAheadOnCpu = 2, kAheadOnGpu = 6;
/// Models on a GPU at once: while one is rendered, the next is built.
constexpr ptrdiff_t kBuiltAtOnce = 2;

/// Keeps the memory of models that are in work within a limit. Several threads call it.
class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t limit) : limit_(limit) {}

  /// Waits until `bytes` fit, or until no other model is in work.
  void acquire(uint64_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return used_ == 0 || used_ + bytes <= limit_; });
    used_ += bytes;
  }
  void release(uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    used_ -= bytes;
    changed_.notify_all();
  }

 private:
  uint64_t limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  uint64_t used_ = 0;
};

/// A part of a MemoryBudget, for one model.
class ReservedMemory {
 public:
  ReservedMemory(MemoryBudget& budget, uint64_t bytes) : budget_(budget), bytes_(bytes) {
    budget_.acquire(bytes_);
  }
  ReservedMemory(const ReservedMemory&) = delete;
  ~ReservedMemory() { budget_.release(bytes_); }

 private:
  MemoryBudget& budget_;
  uint64_t bytes_;
};

/// Returns the memory that a model is expected to need while it is loaded and built. Throws Error
/// if it is more than the machine has.
uint64_t expected_bytes(const fs::path& file) {
  constexpr uint64_t kFixed = uint64_t{32} << 20, kPerByte = 12, kLeastPerByte = 3;
  std::error_code failure;
  const uint64_t size = fs::is_regular_file(file, failure) ? fs::file_size(file, failure) : 0;
  check_memory(failure ? 0 : size * kLeastPerByte, free_host_memory(), "in memory",
               "the model is too large for this machine");
  return kFixed + (failure ? 0 : size * kPerByte);
}

/// Work for several threads in a queue of limited length.
class TaskQueue {
 public:
  TaskQueue(uint32_t threads, size_t most_waiting) : most_waiting_(most_waiting) {
    for (uint32_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
  }
  TaskQueue(const TaskQueue&) = delete;
  ~TaskQueue() { finish(); }

  /// Waits while the queue is full.
  void add(std::function<void()> work) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_.size() < most_waiting_; });
    waiting_.push_back(std::move(work));
    changed_.notify_all();
  }

  /// Waits until all work is done.
  void finish() {
    {
      const std::scoped_lock lock(mutex_);
      ends_ = true;
      changed_.notify_all();
    }
    threads_.clear();  // joins
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const std::function<void()> work = std::move(waiting_.front());
      waiting_.pop_front();
      changed_.notify_all();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  size_t most_waiting_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool ends_ = false;
  std::vector<std::jthread> threads_;
};

/// A device that renders one model at a time, while others are built on it.
struct DatasetDevice {
  std::vector<int> gpus;  ///< one, or none for the CPU
  std::mutex renders;
  std::counting_semaphore<> built{kBuiltAtOnce};
};

/// The right to build a model on a device, and to keep it there.
class BuildSlot {
 public:
  explicit BuildSlot(DatasetDevice& device) : device_(device) { device_.built.acquire(); }
  BuildSlot(const BuildSlot&) = delete;
  ~BuildSlot() { device_.built.release(); }

 private:
  DatasetDevice& device_;
};

/// A model of which views are in work. Shared by the work on its views.
class ShotInWork {
 public:
  ShotInWork(std::shared_ptr<const DatasetShot> shot, size_t views, DatasetSink& sink)
      : shot_(std::move(shot)), left_(views), sink_(sink) {}

  const std::shared_ptr<const DatasetShot>& shot() const { return shot_; }

  void take(size_t view, ViewImages images) {
    sink_.take(shot_, view, std::move(images));
    if (--left_ == 0) sink_.finish(*shot_);
  }

 private:
  std::shared_ptr<const DatasetShot> shot_;
  std::atomic<size_t> left_;
  DatasetSink& sink_;
};

class DatasetRun : public StopRequest {
 public:
  DatasetRun(const DatasetOptions& options, const ModelPreparer& preparer,
             const std::vector<DatasetModel>& models, const ChosenDevice& device, ViewOrder order,
             const StopRequest& stop, DatasetSink& sink)
      : options_(options),
        models_(models),
        order_(order),
        stop_(stop),
        sink_(sink),
        preparer_(preparer),
        budget_(free_host_memory() / 2) {
    for (const int gpu : device.indices) devices_.emplace_back().gpus = {gpu};
    if (devices_.empty()) devices_.emplace_back();
    const uint32_t by_device = device.cuda ? kAheadOnGpu : kAheadOnCpu;
    ahead_ = (options.ahead ? options.ahead : by_device) * uint32_t(devices_.size());
    if (options.denoise) {
      OutputOptions outputs;
      outputs.aovs.guides = true;
      denoiser_ = denoiser_for(outputs, {device.first_cuda(), options.settings.threads});
    }
    set_settings();
  }

  bool requested() const override { return failed_ || stop_.requested(); }

  void run() {
    // Several views may wait, or be denoised and written, if their films are not too large.
    constexpr uint64_t kMostFinishers = 8, kMostWaiting = 2, kMemoryShare = 4;
    const uint64_t pixels = uint64_t(beauty_.width) * beauty_.height;
    const uint64_t film = pixels * (film_bytes_per_pixel(beauty_.film_features()) +
                                    film_bytes_per_pixel(centers_.film_features()));
    const uint64_t most = std::max<uint64_t>(free_host_memory() / kMemoryShare / film, 1);
    const uint64_t processors = std::max(std::thread::hardware_concurrency(), 1u);
    const uint64_t threads =
        order_ == ViewOrder::kOfModels ? 1 : std::min({processors, kMostFinishers, most});
    TaskQueue finishers(uint32_t(threads), std::min(kMostWaiting, most));
    finishers_ = &finishers;
    {
      std::vector<std::jthread> lanes;
      for (uint32_t i = 0; i < std::min<size_t>(ahead_, models_.size()); ++i)
        lanes.emplace_back([this, i] { guard([&] { run_lane(devices_[i % devices_.size()]); }); });
    }
    finishers.finish();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void set_settings() {
    beauty_ = options_.settings;
    beauty_.width = preparer_.size().width, beauty_.height = preparer_.size().height;
    beauty_.expected_spp = beauty_.sobol_spp = options_.spp;
    beauty_.expected_frames = uint32_t(preparer_.view_count());
    const bool has_albedo = options_.wants(DataOutput::kAlbedo);
    renders_beauty_ = options_.wants(DataOutput::kRgba) || has_albedo;
    beauty_.keep_background = true;
    beauty_.keep_first_hits = options_.denoise || has_albedo;
    centers_ = beauty_;
    centers_.sample_centers = true;
    centers_.expected_spp = 1;
    centers_.keep_background = false;
    centers_.keep_first_hits = true;
    renders_centers_ = options_.wants(DataOutput::kDepth) || options_.wants(DataOutput::kNormal) ||
                       options_.wants(DataOutput::kIds);
  }

  /// Runs work of a thread. The first exception ends the run.
  void guard(const std::function<void()>& work) {
    try {
      work();
    } catch (...) {
      const std::scoped_lock lock(failure_mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_ = true;
    }
    const std::scoped_lock lock(turn_mutex_);
    turn_changed_.notify_all();
  }

  void run_lane(DatasetDevice& device) {
    while (const std::optional<Claim> claim = claim_model()) {
      run_model(*claim, device);
      end_turn(claim->index);
    }
  }

  /// A model that a lane works on. Its memory is reserved in the order of models, so that no model
  /// waits for a later one.
  struct Claim {
    size_t index;
    std::vector<size_t> views;  ///< to render
    std::string error;          ///< why the model cannot be loaded; may be empty
    std::shared_ptr<ReservedMemory> memory;
  };

  /// Returns the next model with work to do; none if there are no more.
  std::optional<Claim> claim_model() {
    const std::scoped_lock lock(claim_mutex_);
    for (; !requested() && next_ < models_.size(); end_turn(next_++)) {
      const DatasetModel& model = models_[next_];
      auto views = sink_.views_to_render(model, preparer_.view_count());
      if (!views) continue;
      Claim claim{next_, std::move(*views), "", nullptr};
      claim.error = attempt([&] {
        claim.memory = std::make_shared<ReservedMemory>(budget_, expected_bytes(model.file));
      });
      ++next_;
      return claim;
    }
    return std::nullopt;
  }

  void run_model(const Claim& claim, DatasetDevice& device) {
    const DatasetModel& model = models_[claim.index];
    std::optional<PreparedModel> prepared;
    std::optional<BuildSlot> slot;
    std::unique_ptr<Renderer> renderer;
    std::string error = claim.error;
    if (error.empty())
      error = attempt([&] {
        prepared.emplace(preparer_.prepare(model));
        if (claim.views.empty()) return;
        // In their order, each model that is built waits for those before it.
        if (order_ == ViewOrder::kAny) slot.emplace(device);
        renderer = build(*prepared, device);
      });
    wait_for_turn(claim.index);
    if (requested()) return;
    if (!error.empty()) return sink_.fail(model, error);
    sink_.warn(model, prepared->scene.warnings);
    if (claim.views.empty()) return sink_.finish(*prepared->shot);
    const std::scoped_lock lock(device.renders);
    render_views(*prepared, claim.views, *renderer);
  }

  /// Returns the reason why `work` fails, in one line; empty if it does not.
  static std::string attempt(const std::function<void()>& work) {
    try {
      work();
      return "";
    } catch (const std::bad_alloc&) {
      return "not enough memory";
    } catch (const std::exception& failure) {
      const std::string reason = failure.what();
      return reason.empty() ? "an unknown failure" : reason;
    }
  }

  std::unique_ptr<Renderer> build(PreparedModel& prepared, const DatasetDevice& device) {
    std::vector<CameraDescription> cameras;
    for (const DataCamera& camera : prepared.shot->cameras)
      cameras.push_back(camera_of(camera, prepared.shot->placement, prepared.shot->size));
    HostScene& scene = prepared.scene;
    scene.camera = camera_around(
        cameras, float(prepared.shot->size.width) / float(prepared.shot->size.height));
    RenderSettings settings = renders_beauty_ ? beauty_ : centers_;
    settings.max_bounces = renders_beauty_ ? scene.max_bounces : 0;
    return make_renderer(scene, settings, device.gpus, print_warning);
  }

  void render_views(const PreparedModel& prepared, const std::vector<size_t>& views,
                    Renderer& renderer) {
    const auto shot = std::make_shared<ShotInWork>(prepared.shot, views.size(), sink_);
    for (const size_t view : views) {
      auto films = std::make_shared<Films>(Films{.objects = prepared.objects});
      const DataCamera& camera = prepared.shot->cameras[view];
      renderer.set_camera(camera_of(camera, prepared.shot->placement, prepared.shot->size));
      const bool starts_with_centers = renderer.settings().sample_centers;
      if (renders_centers_ && starts_with_centers) render_centers(renderer, *films);
      if (renders_beauty_) {
        if (starts_with_centers) restart_as(renderer, beauty_, prepared.scene.max_bounces);
        render_beauty(renderer, *films);
      }
      if (renders_centers_ && !starts_with_centers) {
        restart_as(renderer, centers_, 0);
        render_centers(renderer, *films);
      }
      if (requested()) return;
      finishers_->add([this, shot, view, films] {
        guard([&] {
          if (!failed_) shot->take(view, images_of(*shot->shot(), view, *films));
        });
      });
    }
  }

  struct Films {
    HostFilm beauty = {}, centers = {};
    ObjectIds objects;
  };

  static void restart_as(Renderer& renderer, RenderSettings settings, uint32_t max_bounces) {
    settings.max_bounces = max_bounces;
    renderer.restart(settings);
  }

  void render_samples(Renderer& renderer, uint32_t spp) {
    const RenderSettings& settings = renderer.settings();
    const RenderGoal goal{.pixel_count = uint64_t(settings.width) * settings.height, .spp = spp};
    PassPlan plan{.tiles = make_film_tiles(settings.width, settings.height, true)};
    ProgressPrinter printer(ProgressPrinter::Style::kSilent);
    render_passes(renderer, goal, *this, printer, plan);
  }

  void render_beauty(Renderer& renderer, Films& films) {
    render_samples(renderer, options_.spp);
    films.beauty = renderer.host_film();
  }

  void render_centers(Renderer& renderer, Films& films) {
    render_samples(renderer, 1);
    films.centers =
        read_arrays(RendererFilm(renderer), {FilmArray::kNormal, FilmArray::kFirstHits});
  }

  ViewImages images_of(const DatasetShot& shot, size_t view, const Films& films) {
    ViewImages images;
    if (options_.wants(DataOutput::kRgba)) images.rgba = mean_foreground(films.beauty);
    if (options_.wants(DataOutput::kAlbedo)) images.albedo = mean_albedo(films.beauty);
    if (denoiser_ && options_.wants(DataOutput::kRgba)) {
      const DenoiseGuides guides{.albedo = aov_image(Aov::kAlbedo, films.beauty),
                                 .normal = aov_image(Aov::kNormal, films.beauty)};
      const std::scoped_lock lock(denoiser_mutex_);
      images.rgba = denoise_covered(*denoiser_, images.rgba, guides);
    }
    add_center_images(films.centers, options_.outputs, shot.cameras[view], shot.size,
                      shot.placement.scale, options_.depth, options_.normals, films.objects,
                      images);
    return images;
  }

  /// Waits until all models before this one are done, if their order matters.
  void wait_for_turn(size_t index) {
    if (order_ == ViewOrder::kAny) return;
    std::unique_lock lock(turn_mutex_);
    turn_changed_.wait(lock, [&] { return turn_ == index || failed_; });
  }

  /// Lets the models go on that wait for this one, and for all before it.
  void end_turn(size_t index) {
    if (order_ == ViewOrder::kAny) return;
    const std::scoped_lock lock(turn_mutex_);
    done_.insert(index);
    while (done_.erase(turn_) > 0) ++turn_;
    turn_changed_.notify_all();
  }

  const DatasetOptions& options_;
  const std::vector<DatasetModel>& models_;
  ViewOrder order_;
  const StopRequest& stop_;
  DatasetSink& sink_;
  const ModelPreparer& preparer_;
  MemoryBudget budget_;
  std::deque<DatasetDevice> devices_;
  uint32_t ahead_ = 1;
  RenderSettings beauty_, centers_;
  bool renders_beauty_ = false, renders_centers_ = false;
  std::optional<Denoiser> denoiser_;
  std::mutex denoiser_mutex_;
  TaskQueue* finishers_ = nullptr;
  std::mutex claim_mutex_;
  size_t next_ = 0;
  std::atomic<bool> failed_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::mutex turn_mutex_;
  std::condition_variable turn_changed_;
  size_t turn_ = 0;        ///< first model that is not done
  std::set<size_t> done_;  ///< models behind it that are
};

}  // namespace

void render_models(const DatasetOptions& options, const ModelPreparer& preparer,
                   const std::vector<DatasetModel>& models, const ChosenDevice& device,
                   ViewOrder order, const StopRequest& stop, DatasetSink& sink) {
  DatasetRun(options, preparer, models, device, order, stop, sink).run();
}

}  // namespace winnow
