// SPDX-License-Identifier: MIT
// winnow_soak: renders random scenes in many ways that must agree.

#include <fmt/format.h>

#include <exception>
#include <string>

#include "app/cli/choose_device.h"
#include "app/cli/command_line.h"
#include "app/cli/console.h"
#include "app/cli/shared_options.h"
#include "base/error.h"
#include "tests/soak/soak.h"

namespace winnow {
namespace {

constexpr const char* kNotes =
    "Each case is a random valid scene with random settings. The film must have the same bits in "
    "every loop, culling mode, wave size and number of threads, when continued, in shares, on "
    "several devices and after winnow convert; no value may be negative or not finite; a white "
    "furnace must not create light; estimators must agree up to noise, and so must CPU and GPU; "
    "memory must not grow. A failed case prints its scene and the commands that show the "
    "difference, and makes the exit code 1.";

/// Parses a number of seconds, or of another unit: 90, 90s, 10m, 1h. Returns seconds.
double parse_duration(const std::string& option, const std::string& text) {
  constexpr double kMinute = 60.0, kHour = 3600.0;
  const char unit = text.empty() ? ' ' : text.back();
  const bool has_unit = unit == 's' || unit == 'm' || unit == 'h';
  const double number = parse_seconds(option, text.substr(0, text.size() - has_unit));
  return number * (unit == 'm' ? kMinute : unit == 'h' ? kHour : 1.0);
}

OptionTable soak_options(SoakOptions& options, DeviceRequest& device) {
  const OptionType<uint64_t> any = whole_number<uint64_t>(0, UINT64_MAX);
  return {option("--for", "T", options.seconds, parsed_by(parse_duration),
                 "Duration: seconds, or as in 10m, 1h.",
                 {.default_text = fmt::format("{:g}", options.seconds)}),
          seed_option(options.seed),
          option("--cases", "N", options.cases, any, "Maximum number of cases.",
                 {.default_text = "no limit"}),
          option("--case", "SEED", options.only, any, "Run only this case, as a report names it."),
          device_option(device),
          option("--folder", "DIR", options.folder, path_type(),
                 "Folder that keeps the files of failed cases.",
                 {.default_text = "a temporary folder"}),
          flag("--quiet", options.quiet, "Print failed cases only.")};
}

int run(const SoakOptions& options, const DeviceRequest& request) {
  const ChosenDevice device = choose_device(request);
  SoakDevices devices{.make =
                          [device](const HostScene& scene, const RenderSettings& settings) {
                            return make_renderer(scene, settings, device.indices, print_warning);
                          },
                      .is_on_gpu = device.cuda,
                      .has_optix = device.cuda && ray_tracing_cores(device.indices.front()),
                      .cpu = nullptr};
  if (device.cuda)
    devices.cpu = [](const HostScene& scene, const RenderSettings& settings) {
      return make_cpu_renderer(scene, settings);
    };
  return soak(options, devices);
}

}  // namespace
}  // namespace winnow

int main(int argc, char** argv) {
  using namespace winnow;
  SoakOptions options;
  DeviceRequest device;
  const Command command{.name = "winnow_soak",
                        .summary = "Render random scenes in many ways that must agree.",
                        .options = soak_options(options, device),
                        .notes = kNotes,
                        .run = [&] { return run(options, device); }};
  try {
    return run_program(command, argc, argv);
  } catch (const std::exception& error) {
    print_message(std::string("winnow_soak: ") + error.what());
    return dynamic_cast<const UsageError*>(&error) ? kExitUsage : kExitFailure;
  }
}
