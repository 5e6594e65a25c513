// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "app/bench/bench.h"
#include "app/bench/report.h"
#include "app/cli/command_line.h"
#include "base/error.h"
#include "python/bindings.h"

namespace winnow::python {
namespace {

/// Returns the JSON text of `winnow bench --json`, and the exception that a signal handler of
/// Python raised meanwhile, or None.
nb::tuple bench_scene_file(const std::string& file, std::vector<std::string> arguments) {
  BenchOptions options;
  arguments.insert(arguments.end(), {"--", file});
  parse_options(bench_options(options), arguments);
  options.quiet = true;
  BenchReport report;
  PythonStop stop;
  std::optional<nb::python_error> raised = run_interruptibly(stop, [&] {
    report = measure_scenes(options, stop, [](const std::string& reason) { throw Error(reason); });
  });
  return nb::make_tuple(bench_json(report),
                        raised ? nb::borrow(raised->value()) : nb::object(nb::none()));
}

}  // namespace

void bind_bench(nb::module_& module) {
  module.def("bench", &bench_scene_file, nb::arg("file"), nb::arg("options"),
             "Measures a scene. Returns JSON and the exception that ended it early, or None.");
}

}  // namespace winnow::python
