// SPDX-License-Identifier: MIT
#include "app/dataset/dataset.h"

#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "app/cli/json.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/dataset/failed_models.h"
#include "app/dataset/models.h"
#include "app/dataset/pipeline.h"
#include "app/render/outputs.h"
#include "base/error.h"
#include "base/nanoseconds.h"
#include "image/image_io.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

struct DatasetCounts {
  size_t models = 0;    ///< all of this share
  size_t done = 0;      ///< models that are complete, now or before
  size_t failed = 0;    ///< models that cannot be rendered, now or before
  size_t pictures = 0;  ///< views of this run
};

/// Writes the files of a data set and counts them.
class DatasetWriter : public DatasetSink {
 public:
  DatasetWriter(const DatasetOptions& options, size_t model_count)
      : options_(options),
        failed_(options.out / "failed.jsonl"),
        printer_(progress_style(options.quiet)),
        prints_often_(progress_style(options.quiet) == ProgressPrinter::Style::kTerminal) {
    counts_.models = model_count;
  }

  std::optional<std::vector<size_t>> views_to_render(const DatasetModel& model,
                                                     size_t view_count) override {
    const bool has_failed = failed_.contains(model.name) && !options_.retry;
    if (!has_failed && remove_outdated(options_, model, view_count))
      print(fmt::format("{}: has changed; its views are rendered again", model.file.string()));
    if (!has_failed && !is_complete(options_, model, view_count))
      return missing_views(options_, model, view_count);
    count(has_failed ? &DatasetCounts::failed : &DatasetCounts::done);
    return std::nullopt;
  }

  void check(const PreparedModel& model) override {
    check_ids_fit(options_, model.shot->model, model.objects.count(), "objects");
    check_ids_fit(options_, model.shot->model, last_material_id(model.scene), "materials");
  }

  void take(const std::shared_ptr<const DatasetShot>& shot, size_t view,
            ViewImages images) override {
    write_view(options_, *shot, view, images);
    count(&DatasetCounts::pictures);
  }

  void finish(const DatasetShot& shot) override {
    write_transforms(options_, shot);
    failed_.remove(shot.model);
    count(&DatasetCounts::done);
  }

  void fail(const DatasetModel& model, const std::string& error) override {
    failed_.add(model, error);
    count(&DatasetCounts::failed);
    print("failed: " + error);
  }

  void warn(const DatasetModel&, const std::vector<std::string>& warnings) override {
    if (options_.quiet) return;
    const std::scoped_lock lock(mutex_);
    for (const std::string& warning : std::set<std::string>(warnings.begin(), warnings.end())) {
      printer_.finish();
      print_warning(warning);
    }
  }

  DatasetCounts counts() const {
    const std::scoped_lock lock(mutex_);
    return counts_;
  }
  double seconds() const { return steady_seconds() - start_; }
  void end_progress() { printer_.finish(); }

 private:
  void print(const std::string& message) {
    if (options_.quiet) return;
    const std::scoped_lock lock(mutex_);
    printer_.finish();
    print_message(message);
  }

  void count(size_t DatasetCounts::*what) {
    constexpr double kOften = 0.5, kSeldom = 10.0;  // s
    const std::scoped_lock lock(mutex_);
    ++(counts_.*what);
    const double now = seconds();
    if (now < printed_ + (prints_often_ ? kOften : kSeldom)) return;
    printed_ = now;
    printer_.print(fmt::format("{} of {} models, {} failed; {} pictures, {:.3g} a second",
                               counts_.done + counts_.failed, counts_.models, counts_.failed,
                               counts_.pictures, double(counts_.pictures) / now));
  }

  const DatasetOptions& options_;
  FailedModels failed_;
  mutable std::mutex mutex_;
  ProgressPrinter printer_;
  bool prints_often_;
  double start_ = steady_seconds(), printed_ = 0.0;
  DatasetCounts counts_;
};

void print_summary(const DatasetOptions& options, const DatasetCounts& counts, double seconds) {
  if (!options.quiet)
    fmt::print(
        "{}: {} of {} models, {} failed{}; {} pictures in {}, {:.3g} a second\n",
        options.out.string(), counts.done, counts.models, counts.failed,
        counts.failed > 0 ? fmt::format(" ({})", (options.out / "failed.jsonl").string()) : "",
        counts.pictures, duration_text(seconds), double(counts.pictures) / seconds);
  if (options.stats.empty()) return;
  const Json json = {
      {"models", counts.models}, {"done", counts.done},
      {"failed", counts.failed}, {"pictures", counts.pictures},
      {"seconds", seconds},      {"pictures_per_second", double(counts.pictures) / seconds}};
  write_text(options.stats, json_text(json, 2));
}

/// Keeps freed memory for the next pictures, whose films and images are as large: the system clears
/// each page that it gives anew, which takes 2 % of the time of a picture on a CPU. The process
/// then holds up to 1 GiB that it does not use.
void keep_freed_memory() {
  constexpr int kLargestKept = 32 << 20;  // bytes, the most that glibc allows
  constexpr int kMostKept = 1 << 30;      // bytes
  ::mallopt(M_MMAP_THRESHOLD, kLargestKept);
  ::mallopt(M_TRIM_THRESHOLD, kMostKept);
}

}  // namespace

void check_dataset_options(const DatasetOptions& options) {
  if (options.models.empty() && options.list.empty())
    throw UsageError("a MODEL is missing; name scene files or folders, or add --list FILE");
  if (options.orbit && !options.cameras.empty())
    throw UsageError("--orbit: --cameras places the cameras already; leave out one of them");
  check_denoise_quality(options.denoise_quality, options.denoise);
  if (options.denoise && !options.wants(DataOutput::kRgba))
    throw UsageError("--denoise: is for rgba, which --outputs leaves out");
  if (options.devices && options.device.kind != DeviceRequest::Kind::kAuto)
    throw UsageError("--devices: --device names one already; leave out one of them");
  if (options.out.empty()) throw UsageError("OUT is empty; it is the folder to write");
  std::error_code failure;
  if (fs::exists(options.out, failure) && !fs::is_directory(options.out, failure))
    throw Error(
        fmt::format("{}: is not a folder; OUT is the folder to write", options.out.string()));
  const Size size = options.view_size();
  if (options.format == DataFormat::kPng) check_image_fits("view.png", size.width, size.height);
}

std::vector<DatasetModel> models_of(const DatasetOptions& options) {
  std::vector<fs::path> paths = options.models;
  if (!options.list.empty())
    for (fs::path& file : read_model_list(options.list)) paths.push_back(std::move(file));
  const std::vector<DatasetModel> all = name_models(find_models(paths));
  if (all.empty()) throw UsageError("there is no model");
  const Share share = options.share.value_or(Share{});
  std::vector<DatasetModel> own;
  for (size_t i = share.index; i < all.size(); i += share.count) own.push_back(all[i]);
  return own;
}

int dataset(const DatasetOptions& options) {
  check_dataset_options(options);
  const std::vector<DatasetModel> models = models_of(options);
  const ChosenDevice device = choose_device(options.devices.value_or(options.device));
  const ModelPreparer preparer(options);
  begin_folder(options);
  if (!device.cuda) keep_freed_memory();
  check_outputs({}, {options.stats}, {});
  DatasetWriter writer(options, models.size());
  const Interrupt interrupt;
  render_models(options, preparer, models, device, ViewOrder::kAny, interrupt, writer);
  writer.end_progress();
  const DatasetCounts counts = writer.counts();
  print_summary(options, counts, writer.seconds());
  if (counts.done + counts.failed < counts.models) {
    print_message(
        fmt::format("interrupted after {} of {} models; the same command renders the "
                    "others",
                    counts.done + counts.failed, counts.models));
    return kExitInterrupted;
  }
  if (counts.models > 0 && counts.failed == counts.models)
    throw Error(fmt::format("no model can be rendered; {} says why",
                            (options.out / "failed.jsonl").string()));
  return 0;
}

}  // namespace winnow
