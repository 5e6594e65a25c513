// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/interrupt.h"
#include "backend/moving_renderer.h"
#include "scene/host_scene.h"

namespace winnow::python {

namespace nb = nanobind;

// Each function adds a part of the module `winnow._winnow`. The package around it (winnow/*.py) has
// the functions that users call: it checks arrays and converts keywords to options of the command
// line, which the parsers of the commands read.

void bind_errors(nb::module_& module);
void bind_scene(nb::module_& module);
void bind_render(nb::module_& module);
void bind_compaction(nb::module_& module);
void bind_dataset(nb::module_& module);

/// Contents of Python's `Scene`. Renders copy the scene.
struct SceneHandle {
  std::shared_ptr<const HostScene> scene;
  std::filesystem::path source;  ///< file, or the name of a scene that was built in memory
  MovingRenderer::SceneAt scene_at = nullptr;  ///< if anything but the camera moves
};

/// Returns text with names of files, which need not be UTF-8, as os.fsdecode() does.
inline nb::str file_text(const std::string& text) {
  return nb::steal<nb::str>(PyUnicode_DecodeFSDefaultAndSize(text.data(), Py_ssize_t(text.size())));
}

/// A stop request, made when a signal handler of Python raises an exception.
class PythonStop : public StopRequest {
 public:
  void request() { requested_ = true; }
  bool requested() const override { return requested_; }

 private:
  std::atomic<bool> requested_{false};
};

/// Releases the GIL while it exists. The end of the interpreter waits for these objects: a thread
/// cannot take the GIL again afterwards. Throws Error if the interpreter ends already.
class WorkWithoutGil {
 public:
  WorkWithoutGil();
  ~WorkWithoutGil();
  WorkWithoutGil(const WorkWithoutGil&) = delete;

 private:
  std::optional<nb::gil_scoped_release> released_;
};

/// Returns whether the interpreter ends, and waits for the work of other threads.
bool interpreter_ends();

/// Lets the interpreter wait for the work of other threads when it ends.
void bind_end(nb::module_& module);

/// Runs `work` on a thread of its own without the GIL, while the calling thread lets Python handle
/// signals. Returns when the work has ended. If a signal handler raises an exception meanwhile,
/// requests `stop`, so that the work ends early, and returns the exception: a KeyboardInterrupt if
/// the interpreter ends.
///
/// Throws what `work` throws. The calling thread must hold the GIL.
std::optional<nb::python_error> run_interruptibly(PythonStop& stop,
                                                  const std::function<void()>& work);

}  // namespace winnow::python
