// SPDX-License-Identifier: MIT
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/option_values.h"
#include "base/error.h"
#include "base/folder_watch.h"
#include "load/mitsuba/parameters.h"

namespace winnow {

/// Adds an option and passes its text to `read(text)`. If it is given more than once, the last
/// occurrence counts.
template <class Read>
void add_option(CLI::App& command, const std::string& name, const std::string& placeholder,
                Read read, const std::string& help) {
  command.add_option_function<std::string>(name, read, help)->type_name(placeholder)->take_last();
}

/// Adds an option whose value is `parse(name, text)`, one of the parsers of option_values.h.
template <class Value, class Parse>
void add_value(CLI::App& command, const std::string& name, Value& value, Parse parse,
               const std::string& placeholder, const std::string& help) {
  auto read = [&value, name, parse](const std::string& text) { value = parse(name, text); };
  add_option(command, name, placeholder, read, help);
}

/// Adds an option whose value is a file or a folder.
inline void add_path(CLI::App& command, const std::string& name, std::filesystem::path& value,
                     const std::string& placeholder, const std::string& help) {
  command.add_option(name, value, help)->type_name(placeholder)->take_last();
}

/// Adds -D, which may be given more than once.
inline void add_parameters(CLI::App& command, MitsubaParameters& parameters) {
  auto read = [&parameters](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const size_t equals = text.find('=');
      if (equals == 0 || equals == std::string::npos)
        throw UsageError("-D: expected NAME=VALUE, found \"" + text + "\"");
      parameters[text.substr(0, equals)] = text.substr(equals + 1);
    }
  };
  command
      .add_option_function<std::vector<std::string>>(
          "-D", read,
          "value of a parameter, a <default> or $NAME, of a Mitsuba\nscene; may be given several "
          "times")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
}

/// Adds --time.
inline void add_time(CLI::App& command, std::optional<double>& time) {
  add_value(command, "--time", time, parse_moment, "S",
            "moment of the animations of a glTF, in seconds, clamped\nto their range (default: the "
            "rest pose)");
}

/// Adds --confine.
inline void add_confine(CLI::App& command, OutsideFiles& outside) {
  command.add_flag_callback(
      "--confine", [&outside] { outside = OutsideFiles::kRefused; },
      "read no files outside of the scene's folder, whatever the\nscene says");
}

/// Adds --device.
inline void add_device(CLI::App& command, DeviceRequest& device) {
  add_value(command, "--device", device, parse_device, "DEVICE",
            "auto, cpu, cuda or cuda:K (default: auto,\nwhich is the first GPU or else the CPU)");
}

/// Adds --seed.
inline void add_seed(CLI::App& command, uint64_t& seed, const std::string& help) {
  auto any = [](const std::string& option, const std::string& text) {
    return parse_whole_number(option, text, 0, UINT64_MAX);
  };
  add_value(command, "--seed", seed, any, "N", help);
}

/// A parser for add_value: a whole number in [min, max], which must fit into 32 bits.
inline auto whole_number(uint64_t min, uint64_t max) {
  return [min, max](const std::string& option, const std::string& text) {
    return uint32_t(parse_whole_number(option, text, min, max));
  };
}

}  // namespace winnow
