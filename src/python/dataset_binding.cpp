// SPDX-License-Identifier: MIT
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "app/cli/choose_device.h"
#include "app/cli/command_line.h"
#include "app/dataset/dataset.h"
#include "app/dataset/models.h"
#include "app/dataset/pipeline.h"
#include "python/bindings.h"

namespace winnow::python {
namespace {

/// Returns values as an array, [height][width] or [height][width][channel].
template <class Number>
nb::object array_of(std::vector<Number> values, Size size, size_t channels) {
  auto* numbers = new std::vector<Number>(std::move(values));
  nb::capsule owner(numbers, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  const size_t shape[] = {size.height, size.width, channels};
  return nb::cast(
      nb::ndarray<nb::numpy, Number>(numbers->data(), channels > 1 ? 3 : 2, shape, owner));
}

/// Returns colours multiplied by alpha, and alpha.
std::vector<float> rgba_of(const Image& image) {
  std::vector<float> values;
  values.reserve(4 * image.pixels.size());
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const glm::vec3& p = image.pixels[i];
    values.insert(values.end(), {p.x, p.y, p.z, image.alpha[i]});
  }
  return values;
}

std::vector<float> flat(const std::vector<glm::vec3>& vectors) {
  std::vector<float> values;
  values.reserve(3 * vectors.size());
  for (const glm::vec3& v : vectors) values.insert(values.end(), {v.x, v.y, v.z});
  return values;
}

nb::object matrix_of(std::vector<double> rows, size_t side) {
  return array_of(std::move(rows), {uint32_t(side), uint32_t(side)}, 1);
}

nb::object camera_to_world(const DataCamera& camera) {
  std::vector<double> rows;
  for (int row = 0; row < 3; ++row)
    rows.insert(rows.end(), {camera.axes[0][row], camera.axes[1][row], camera.axes[2][row],
                             camera.position[row]});
  rows.insert(rows.end(), {0.0, 0.0, 0.0, 1.0});
  return matrix_of(std::move(rows), 4);
}

nb::object intrinsics_of(const DataCamera& camera) {
  return matrix_of({camera.fl_x, 0.0, camera.cx, 0.0, camera.fl_y, camera.cy, 0.0, 0.0, 1.0}, 3);
}

struct DatasetItem {
  std::shared_ptr<const DatasetShot> shot;
  size_t view = 0;
  ViewImages images;
};

/// Renders views of models on threads of its own, and keeps a few of them until they are taken.
class DatasetStream : public DatasetSink {
 public:
  DatasetStream(const std::vector<std::filesystem::path>& models,
                std::vector<std::string> arguments, size_t prefetch)
      : prefetch_(prefetch) {
    arguments.insert(arguments.end(), {"--", "."});
    parse_options(dataset_options(options_), arguments);
    options_.models = models;
    check_dataset_options(options_);
    models_ = models_of(options_);
    const ChosenDevice device = choose_device(options_.devices.value_or(options_.device));
    thread_ = std::jthread([this, device] { run(device); });
  }
  /// In a forked process there are no threads, and the destruction of the condition variable would
  /// wait for them forever, so it is left as it is.
  ~DatasetStream() override {
    close();
    if (!is_forked()) return;
    if (thread_.joinable()) thread_.detach();
    (void)changed_.release();
  }

  /// Ends the work and waits for that.
  void close() {
    if (is_forked()) return;
    const nb::gil_scoped_release released;
    stop_.request();
    {
      const std::scoped_lock lock(mutex_);
      items_.clear();
      is_closed_ = true;
      changed_->notify_all();
    }
    if (thread_.joinable()) thread_.join();
  }

  /// Returns the next view as a dict; None after the last one.
  nb::object next() {
    DatasetItem item;
    while (true) {
      const State state = wait_for(item);
      if (state == State::kItem) return dict_of(std::move(item));
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (state == State::kWaiting) continue;
      if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
      return nb::none();
    }
  }

  nb::list failed() const {
    nb::list list;
    const std::scoped_lock lock(mutex_);
    for (const auto& [model, error] : failed_) {
      nb::dict failure;
      failure["model"] = file_text(model.file.string());
      failure["name"] = file_text(model.name);
      failure["error"] = file_text(error);
      list.append(failure);
    }
    return list;
  }

  std::optional<std::vector<size_t>> views_to_render(const DatasetModel&,
                                                     size_t view_count) override {
    std::vector<size_t> all(view_count);
    for (size_t view = 0; view < view_count; ++view) all[view] = view;
    return all;
  }
  void take(const std::shared_ptr<const DatasetShot>& shot, size_t view,
            ViewImages images) override {
    std::unique_lock lock(mutex_);
    changed_->wait(lock, [&] { return items_.size() < prefetch_ || is_closed_; });
    if (is_closed_) return;
    items_.push_back({shot, view, std::move(images)});
    changed_->notify_all();
  }
  void finish(const DatasetShot&) override {}
  void fail(const DatasetModel& model, const std::string& error) override {
    const std::scoped_lock lock(mutex_);
    failed_.emplace_back(model, error);
  }
  void warn(const DatasetModel&, const std::vector<std::string>&) override {}

 private:
  enum class State { kWaiting, kItem, kEnded };

  bool is_forked() const { return ::getpid() != process_; }

  void run(const ChosenDevice& device) {
    try {
      render_models(options_, ModelPreparer(options_), models_, device, ViewOrder::kOfModels, stop_,
                    *this);
    } catch (...) {
      failure_ = std::current_exception();
    }
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    changed_->notify_all();
  }

  /// Waits a little for an item.
  State wait_for(DatasetItem& item) {
    constexpr std::chrono::milliseconds kTick(50);
    const WorkWithoutGil without_gil;
    std::unique_lock lock(mutex_);
    changed_->wait_for(lock, kTick, [&] { return !items_.empty() || has_ended_ || is_closed_; });
    if (items_.empty()) return has_ended_ || is_closed_ ? State::kEnded : State::kWaiting;
    item = std::move(items_.front());
    items_.pop_front();
    changed_->notify_all();
    return State::kItem;
  }

  static nb::dict dict_of(DatasetItem item) {
    const DatasetShot& shot = *item.shot;
    const DataCamera& camera = shot.cameras[item.view];
    ViewImages& images = item.images;
    nb::dict dict;
    dict["model"] = file_text(shot.model.file.string());
    dict["name"] = file_text(shot.model.name);
    dict["view"] = item.view;
    dict["camera_to_world"] = camera_to_world(camera);
    dict["intrinsics"] = intrinsics_of(camera);
    if (!images.rgba.pixels.empty()) dict["rgba"] = array_of(rgba_of(images.rgba), shot.size, 4);
    if (!images.albedo.pixels.empty())
      dict["albedo"] = array_of(rgba_of(images.albedo), shot.size, 4);
    if (!images.depth.empty()) dict["depth"] = array_of(std::move(images.depth), shot.size, 1);
    if (!images.normal.empty()) dict["normal"] = array_of(flat(images.normal), shot.size, 3);
    if (images.object_ids.empty()) return dict;
    dict["object_ids"] = array_of(std::move(images.object_ids), shot.size, 1);
    dict["material_ids"] = array_of(std::move(images.material_ids), shot.size, 1);
    return dict;
  }

  DatasetOptions options_;
  std::vector<DatasetModel> models_;
  size_t prefetch_;
  PythonStop stop_;
  pid_t process_ = ::getpid();
  mutable std::mutex mutex_;
  std::unique_ptr<std::condition_variable> changed_ = std::make_unique<std::condition_variable>();
  std::deque<DatasetItem> items_;
  std::vector<std::pair<DatasetModel, std::string>> failed_;
  bool has_ended_ = false, is_closed_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;
};

}  // namespace

void bind_dataset(nb::module_& module) {
  nb::class_<DatasetStream>(module, "DatasetStream", "Views of models, rendered ahead.")
      .def(nb::init<const std::vector<std::filesystem::path>&, std::vector<std::string>, size_t>(),
           nb::arg("models"), nb::arg("options"), nb::arg("prefetch"))
      .def("next", &DatasetStream::next)
      .def("close", &DatasetStream::close)
      .def_prop_ro("failed", &DatasetStream::failed);
}

}  // namespace winnow::python
