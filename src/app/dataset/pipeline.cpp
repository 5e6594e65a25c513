// SPDX-License-Identifier: MIT
#include "app/dataset/pipeline.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <semaphore>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "app/dataset/memory_budget.h"
#include "app/dataset/task_queue.h"
#include "app/dataset/view_renderer.h"
#include "backend/check_memory.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

/// Models in memory at once on one device: one is rendered, others are loaded and built.
constexpr uint32_t kAheadOnCpu = 2, kAheadOnGpu = 6;
/// Models on a device at once: one is rendered while the film of another is read and a third is
/// built.
constexpr ptrdiff_t kBuiltAtOnce = 3;

/// Returns the memory that a model is expected to need while it is loaded and built. Throws Error
/// if it is more than the machine has, or if the file is a folder, a device or a pipe.
uint64_t expected_bytes(const fs::path& file) {
  constexpr uint64_t kFixed = uint64_t{32} << 20, kPerByte = 12, kLeastPerByte = 3;
  std::error_code failure;
  const bool is_regular = fs::is_regular_file(file, failure);
  if (!is_regular && fs::exists(file, failure))  // a pipe may never end
    throw Error(fmt::format("{}: is not a regular file", file.string()));
  const uint64_t size = is_regular ? fs::file_size(file, failure) : 0;
  check_memory(failure ? 0 : size * kLeastPerByte, free_host_memory(), "in memory",
               "the model is too large for this machine");
  return kFixed + (failure ? 0 : size * kPerByte);
}

/// A device that renders one view at a time, while films are read and other models are built on it.
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

/// A model whose views are being rendered. Shared by the work on its views.
class ShotInWork {
 public:
  ShotInWork(std::shared_ptr<const DatasetShot> shot, ObjectIds objects, size_t views,
             DatasetSink& sink)
      : shot_(std::move(shot)), objects_(std::move(objects)), left_(views), sink_(sink) {}

  const DatasetShot& shot() const { return *shot_; }
  const ObjectIds& objects() const { return objects_; }

  void take(size_t view, ViewImages images) {
    sink_.take(shot_, view, std::move(images));
    if (--left_ == 0) sink_.finish(*shot_);
  }

 private:
  std::shared_ptr<const DatasetShot> shot_;
  ObjectIds objects_;
  std::atomic<size_t> left_;
  DatasetSink& sink_;
};

class DatasetRun : public StopRequest {
 public:
  DatasetRun(const DatasetOptions& options, const ModelPreparer& preparer,
             const std::vector<DatasetModel>& models, const ChosenDevice& device, ViewOrder order,
             const StopRequest& stop, DatasetSink& sink)
      : models_(models),
        order_(order),
        stop_(stop),
        sink_(sink),
        preparer_(preparer),
        views_(options, preparer, device),
        budget_(free_host_memory() / 2) {
    for (const int gpu : device.indices) devices_.emplace_back().gpus = {gpu};
    if (devices_.empty()) devices_.emplace_back();
    const uint32_t by_device = device.cuda ? kAheadOnGpu : kAheadOnCpu;
    ahead_ = (options.ahead ? options.ahead : by_device) * uint32_t(devices_.size());
  }

  bool requested() const override { return failed_ || stop_.requested(); }

  void run() {
    // Several views may wait, or be denoised and written, if their films are not too large.
    constexpr uint64_t kMostFinishers = 16, kMostWaiting = 2, kMemoryShare = 4;
    const uint64_t most =
        std::max<uint64_t>(free_host_memory() / kMemoryShare / views_.film_bytes(), 1);
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
    BuiltModel built;
    std::string error = claim.error;
    if (error.empty())
      error = attempt([&] {
        prepared.emplace(preparer_.prepare(model));
        sink_.check(*prepared);
        if (claim.views.empty()) return;
        // In their order, each model that is built waits for those before it.
        if (order_ == ViewOrder::kAny) slot.emplace(device);
        built = views_.build(*prepared, device.gpus);
      });
    wait_for_turn(claim.index);
    if (requested()) return;
    if (!error.empty()) return sink_.fail(model, error);
    sink_.warn(model, prepared->scene.warnings);
    if (claim.views.empty()) return sink_.finish(*prepared->shot);
    render_views(*prepared, claim.views, built, device);
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

  void render_views(const PreparedModel& prepared, const std::vector<size_t>& views,
                    BuiltModel& built, DatasetDevice& device) {
    const auto shot =
        std::make_shared<ShotInWork>(prepared.shot, prepared.objects, views.size(), sink_);
    for (const size_t view : views) {
      const auto films = std::make_shared<const ViewFilms>(
          views_.render(prepared, view, built, device.renders, *this));
      if (requested()) return;
      finishers_->add([this, shot, view, films] {
        guard([&] {
          if (failed_) return;
          shot->take(view, views_.images(shot->shot(), shot->objects(), view, *films));
        });
      });
    }
  }

  /// Waits until all models before this one are done, if their order matters.
  void wait_for_turn(size_t index) {
    if (order_ == ViewOrder::kAny) return;
    std::unique_lock lock(turn_mutex_);
    turn_changed_.wait(lock, [&] { return turn_ == index || failed_; });
  }

  /// Releases the models that wait for this one and for all before it.
  void end_turn(size_t index) {
    if (order_ == ViewOrder::kAny) return;
    const std::scoped_lock lock(turn_mutex_);
    done_.insert(index);
    while (done_.erase(turn_) > 0) ++turn_;
    turn_changed_.notify_all();
  }

  const std::vector<DatasetModel>& models_;
  ViewOrder order_;
  const StopRequest& stop_;
  DatasetSink& sink_;
  const ModelPreparer& preparer_;
  ViewRenderer views_;
  MemoryBudget budget_;
  std::deque<DatasetDevice> devices_;
  uint32_t ahead_ = 1;
  TaskQueue* finishers_ = nullptr;
  std::mutex claim_mutex_;
  size_t next_ = 0;
  std::atomic<bool> failed_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::mutex turn_mutex_;
  std::condition_variable turn_changed_;
  size_t turn_ = 0;        ///< first model that is not done
  std::set<size_t> done_;  ///< models after it that are
};

}  // namespace

void render_models(const DatasetOptions& options, const ModelPreparer& preparer,
                   const std::vector<DatasetModel>& models, const ChosenDevice& device,
                   ViewOrder order, const StopRequest& stop, DatasetSink& sink) {
  DatasetRun(options, preparer, models, device, order, stop, sink).run();
}

}  // namespace winnow
