// SPDX-License-Identifier: MIT
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "backend/renderer.h"
#include "base/error.h"
#include "denoise/oidn_library.h"
#include "python/bindings.h"

namespace winnow::python {
namespace {

bool is_word(char c) {
  return std::islower(static_cast<unsigned char>(c)) || c == '-';
}

/// Returns a message in one line, with keywords in place of options of the command line:
/// "--clamp-indirect" becomes clamp_indirect.
std::string with_keywords(std::string text) {
  for (size_t at = 0; (at = text.find("--", at)) != std::string::npos;) {
    size_t end = at + 2;
    while (end < text.size() && is_word(text[end])) ++end;
    const bool is_option = end > at + 2 && text[at + 2] != '-' && (at == 0 || text[at - 1] == ' ');
    if (is_option) {
      std::string keyword = text.substr(at + 2, end - at - 2);
      std::replace(keyword.begin(), keyword.end(), '-', '_');
      if (keyword == "aov") keyword = "aovs";
      text.replace(at, end - at, keyword);
    }
    at += is_option ? 1 : 2;
  }
  return one_line(text, text.size());
}

nb::list cuda_devices() {
  nb::list devices;
  for (const CudaDevice& gpu : list_cuda_devices().devices) {
    nb::dict device;
    device["index"] = gpu.index;
    device["name"] = gpu.name;
    device["memory"] = gpu.memory;
    device["compute_capability"] = nb::make_tuple(gpu.major, gpu.minor);
    devices.append(device);
  }
  return devices;
}

/// Lets Open Image Denoise be found where this interpreter finds packages.
void tell_python_path() {
  std::vector<std::filesystem::path> folders;
  for (nb::handle folder : nb::module_::import_("sys").attr("path"))
    if (std::string name; nb::try_cast(folder, name) && !name.empty()) folders.emplace_back(name);
  set_python_path(std::move(folders));
}

}  // namespace

void bind_errors(nb::module_& module) {
  // The module owns the class and lives as long as the interpreter.
  static PyObject* error_class = nullptr;
  nb::object error = nb::steal(PyErr_NewExceptionWithDoc(
      "winnow.Error", "A scene, file or device failed. The message is one line.",
      PyExc_RuntimeError, nullptr));
  error_class = error.ptr();
  module.attr("Error") = error;
  nb::register_exception_translator([](const std::exception_ptr& failure, void*) {
    auto raise = [](PyObject* type, const std::string& text) {
      PyErr_SetObject(type, file_text(text).ptr());
    };
    try {
      std::rethrow_exception(failure);
    } catch (const UsageError& usage) {
      raise(PyExc_ValueError, with_keywords(usage.what()));
    } catch (const Error& failed) {
      raise(error_class, with_keywords(failed.what()));
    } catch (const std::system_error& failed) {
      raise(error_class, failed.what());
    }
  });
}

namespace {

std::mutex work_mutex;
std::condition_variable work_has_ended;
size_t works = 0;        // WorkWithoutGil that exist
bool is_ending = false;  // no further one may begin

/// Waits for all WorkWithoutGil. Renders end at their next wave.
void end_work() {
  const nb::gil_scoped_release released;
  std::unique_lock lock(work_mutex);
  is_ending = true;
  work_has_ended.wait(lock, [] { return works == 0; });
}

}  // namespace

WorkWithoutGil::WorkWithoutGil() {
  {
    const std::scoped_lock lock(work_mutex);
    if (is_ending) throw Error("the program ends");
    ++works;
  }
  released_.emplace();
}

WorkWithoutGil::~WorkWithoutGil() {
  released_.reset();
  const std::scoped_lock lock(work_mutex);
  --works;
  work_has_ended.notify_all();
}

bool interpreter_ends() {
  const std::scoped_lock lock(work_mutex);
  return is_ending;
}

void bind_end(nb::module_&) {
  // Arrays that still exist when the interpreter ends are not freed; that is no mistake.
  nb::set_leak_warnings(false);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_work));
}

std::optional<nb::python_error> run_interruptibly(PythonStop& stop,
                                                  const std::function<void()>& work) {
  constexpr std::chrono::milliseconds kTick(50);
  std::optional<nb::python_error> raised;
  std::exception_ptr failure;
  {
    const WorkWithoutGil without_gil;
    std::mutex mutex;
    std::condition_variable ended;
    bool has_ended = false;
    std::jthread worker([&] {
      try {
        work();
      } catch (...) {
        failure = std::current_exception();
      }
      const std::scoped_lock lock(mutex);
      has_ended = true;
      ended.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kTick, [&] { return has_ended; })) {
      if (raised) continue;
      lock.unlock();
      {
        const nb::gil_scoped_acquire held;
        if (interpreter_ends()) PyErr_SetString(PyExc_KeyboardInterrupt, "the program ends");
        if (PyErr_Occurred() || PyErr_CheckSignals() != 0) raised.emplace();
      }
      if (raised) stop.request();
      lock.lock();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return raised;
}

}  // namespace winnow::python

NB_MODULE(_winnow, module) {
  using namespace winnow::python;
  module.doc() = "The compiled part of winnow.";
  bind_errors(module);
  bind_scene(module);
  bind_render(module);
  bind_dataset(module);
  bind_compaction(module);
  bind_end(module);
  tell_python_path();
  module.def("cuda_devices", &cuda_devices, "The GPUs that can render.");
}
