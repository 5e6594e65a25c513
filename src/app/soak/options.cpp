// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "app/cli/add_option.h"
#include "app/soak/soak.h"

namespace winnow {
namespace {

/// A number of seconds, or of another unit: 90, 90s, 10m, 1h. Returns seconds.
double parse_duration(const std::string& option, const std::string& text) {
  constexpr double kMinute = 60.0, kHour = 3600.0;
  if (text.empty()) return parse_seconds(option, text);
  const std::string number = text.substr(0, text.size() - 1);
  switch (text.back()) {
    case 's':
      return parse_seconds(option, number);
    case 'm':
      return kMinute * parse_seconds(option, number);
    case 'h':
      return kHour * parse_seconds(option, number);
    default:
      return parse_seconds(option, text);
  }
}

}  // namespace

void add_soak_options(CLI::App& command, SoakOptions& options) {
  auto any = [](const std::string& option, const std::string& text) {
    return parse_whole_number(option, text, 0, UINT64_MAX);
  };
  add_value(command, "--for", options.seconds, parse_duration, "T",
            "how long: seconds, or as in 10m, 1h (default: 60)");
  add_seed(command, options.seed, "seed of the sequence of cases (default: 1)");
  add_value(command, "--cases", options.cases, any, "N", "at most N cases");
  add_value(command, "--case", options.only, any, "SEED", "this case alone, as a report names it");
  add_device(command, options.device);
  add_path(command, "--folder", options.folder, "DIR",
           "where the files of cases that are wrong are kept\n(default: among temporary files)");
  command.add_flag("--quiet", options.quiet, "print cases that are wrong only");
  command.footer(
      "Each case is a random valid scene and random settings. The film must have the same bits in\n"
      "every loop, culling mode, wave size and number of threads, when continued, in shares, on\n"
      "several devices and after winnow convert; no value may be negative or not finite; a white\n"
      "furnace must not make light; estimators, and CPU and GPU, must agree up to noise; memory\n"
      "must not grow. The exit code is 1 if a case was wrong; its scene and the commands that\n"
      "show it are printed.");
}

}  // namespace winnow
