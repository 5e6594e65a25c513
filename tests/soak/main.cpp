// SPDX-License-Identifier: MIT
// winnow_soak: renders random scenes in many ways that must agree.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <string>

#include "app/cli/add_option.h"
#include "app/cli/choose_device.h"
#include "app/cli/console.h"
#include "tests/soak/soak.h"

namespace winnow {
namespace {

/// Parses a number of seconds, or of another unit: 90, 90s, 10m, 1h. Returns seconds.
double parse_duration(const std::string& option, const std::string& text) {
  constexpr double kMinute = 60.0, kHour = 3600.0;
  const char unit = text.empty() ? ' ' : text.back();
  const bool has_unit = unit == 's' || unit == 'm' || unit == 'h';
  const double number = parse_seconds(option, text.substr(0, text.size() - has_unit));
  return number * (unit == 'm' ? kMinute : unit == 'h' ? kHour : 1.0);
}

void add_soak_options(CLI::App& app, SoakOptions& options, DeviceRequest& device) {
  auto any = [](const std::string& option, const std::string& text) {
    return parse_whole_number(option, text, 0, UINT64_MAX);
  };
  add_value(app, "--for", options.seconds, parse_duration, "T",
            "how long: seconds, or as in 10m, 1h (default: 60)");
  add_seed(app, options.seed, "seed of the sequence of cases (default: 1)");
  add_value(app, "--cases", options.cases, any, "N", "at most N cases");
  add_value(app, "--case", options.only, any, "SEED", "this case alone, as a report names it");
  add_device(app, device);
  add_path(app, "--folder", options.folder, "DIR",
           "where the files of failed cases are kept\n(default: a temporary folder)");
  app.add_flag("--quiet", options.quiet, "print failed cases only");
  app.footer(
      "Each case is a random valid scene with random settings. The film must have the same bits "
      "in\n"
      "every loop, culling mode, wave size and number of threads, when continued, in shares, on\n"
      "several devices and after winnow convert; no value may be negative or not finite; a white\n"
      "furnace must not create light; estimators must agree up to noise, and so must CPU and GPU;\n"
      "memory must not grow. A failed case prints its scene and the commands that show the\n"
      "difference, and makes the exit code 1.");
}

int run_command_line(int argc, char** argv) {
  CLI::App app("Renders random scenes in many ways that must agree", "winnow_soak");
  SoakOptions options;
  DeviceRequest request;
  add_soak_options(app, options, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  const ChosenDevice device = choose_device(request);
  SoakDevices devices{.make =
                          [device](const HostScene& scene, const RenderSettings& settings) {
                            return make_renderer(device, scene, settings);
                          },
                      .is_on_gpu = device.cuda,
                      .cpu = nullptr};
  if (device.cuda) devices.cpu = make_cpu_renderer;
  return soak(options, devices);
}

}  // namespace
}  // namespace winnow

int main(int argc, char** argv) {
  using namespace winnow;
  try {
    return run_command_line(argc, argv);
  } catch (const std::exception& error) {
    print_message(std::string("winnow_soak: ") + error.what());
    return dynamic_cast<const UsageError*>(&error) ? kExitUsage : kExitFailure;
  }
}
