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
#include "scene/host_scene.h"

namespace CLI {
class App;
}

namespace winnow::python {

namespace nb = nanobind;

// Each adds a part of the module `winnow._winnow`. The package around it (winnow/*.py) has the
// functions that users call: it checks arrays, and turns keywords into options of the command line,
// which the parsers of the commands read.

void bind_errors(nb::module_& module);
void bind_scene(nb::module_& module);
void bind_render(nb::module_& module);
void bind_bench(nb::module_& module);
void bind_compaction(nb::module_& module);

/// Parses options, as in {"--spp=16"}, by the parsers that `add_options` adds. Throws UsageError.
///
/// @param scene  stands for the argument SCENE
void parse_options(const std::function<void(CLI::App&)>& add_options, const std::string& scene,
                   const std::vector<std::string>& options);

/// What Python's `Scene` holds. Renders copy the scene.
struct SceneHandle {
  std::shared_ptr<const HostScene> scene;
  std::filesystem::path source;  ///< file, or name of a scene that was built in memory
};

/// Is requested once a signal handler of Python has raised an exception, such as KeyboardInterrupt.
class PythonStop : public StopRequest {
 public:
  void request() { requested_ = true; }
  bool requested() const override { return requested_; }

 private:
  std::atomic<bool> requested_{false};
};

/// Runs `work` on a thread of its own without the GIL, while the calling thread lets Python handle
/// signals. Returns once the work has ended, with what a signal handler has raised meanwhile: then
/// `stop` is requested, so that the work ends early.
///
/// Throws what `work` throws. The calling thread must hold the GIL.
std::optional<nb::python_error> run_interruptibly(PythonStop& stop,
                                                  const std::function<void()>& work);

}  // namespace winnow::python
