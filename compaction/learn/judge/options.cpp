// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <map>
#include <stdexcept>
#include <vector>

#include "compaction/learn/judge/rungs.h"

namespace compaction::judge {

namespace {

constexpr const char* kHelp =
    R"(compaction-judge FILE --task reduce|scan|select [OPTION...]
compaction-judge --rung NAME [OPTION...]

Finds mistakes in GPU kernels without a GPU. FILE is a source or header whose kernels are written
in CUDA's syntax or with simt.h. The judge compiles it with g++ and calls its function with many
sizes, input patterns and thread schedules. It prints the first mistake. If there is none, it prints
what the function costs and what an algorithm of the library's ladder costs.

  --task TASK        what the function computes. reduce: the sum of all items. scan: for each item,
                     the sum of the items before it. select: the items that are not 0, in order, and
                     their number
  --call CODE        C++ expression that calls the function; it may use in, out, n, count and
                     launcher. Default: scan(in, out, n) or scan(n, out, in); the same for reduce
                     and for select (or compact)
  --type int|float   type of the items (int)
  --inclusive        the scan adds each item itself, too
  --any-order        the selected items may be in any order
  --host-arrays      in and out are in host memory; the function copies them to and from the device
  --min N, --max N   smallest and largest number of items (0, 9000)
  --schedules N      number of calls, each with its own size, pattern and schedule (10000)
  --seconds S        time limit of one call in seconds; 0: no limit (10)
  --page FILE        write an HTML page that shows the call that failed, step by step. If none
                     failed, it shows a call with 300 items (or the nearest that --min and --max
                     allow)
  --rung NAME        compare with this algorithm of the ladder; without FILE, judge this algorithm

Exit status: 0 no mistake found, 1 mistake found, 2 the file or the options cannot be used.
)";

[[noreturn]] void refuse(const std::string& text) {
  throw std::runtime_error(text);
}

uint32_t number_of(const std::string& option, const std::string& text) {
  constexpr uint32_t kMax = 10'000'000;
  const char* end = text.data() + text.size();
  uint32_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number > kMax)
    refuse(option + " " + text + " is not a whole number from 0 to " + std::to_string(kMax));
  return number;
}

Task task_of(const std::string& name) {
  const auto found = std::find(std::begin(kTaskNames), std::end(kTaskNames), name);
  if (found == std::end(kTaskNames)) refuse("--task " + name + " is not reduce, scan or select");
  return Task(found - kTaskNames);
}

Item item_of(const std::string& name) {
  if (name != "int" && name != "float") refuse("--type " + name + " is not int or float");
  return name == "int" ? Item::kInteger : Item::kFloat;
}

void check_rung(const Options& options) {
  if (options.rung.empty() || find_rung(options.rung)) return;
  std::string known;
  for (const Rung& rung : rungs()) known += std::string(known.empty() ? "" : ", ") + rung.name;
  refuse("--rung " + options.rung + " does not exist; the rungs are " + known);
}

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  Settings& settings = options.settings;
  const std::map<std::string, bool*> flags = {{"--inclusive", &settings.inclusive},
                                              {"--any-order", &settings.any_order},
                                              {"--host-arrays", &settings.host_arrays},
                                              {"--help", &options.help},
                                              {"-h", &options.help}};
  const std::map<std::string, std::string*> texts = {
      {"--call", &options.call}, {"--rung", &options.rung}, {"--page", &options.page}};
  const std::map<std::string, uint32_t*> numbers = {{"--min", &settings.min_items},
                                                    {"--max", &settings.max_items},
                                                    {"--schedules", &settings.schedules},
                                                    {"--seconds", &settings.seconds}};
  bool has_task = false;
  for (size_t i = 0; i < arguments.size() && !options.help; ++i) {
    const std::string& option = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == arguments.size()) refuse(option + " needs a value");
      return arguments[++i];
    };
    if (flags.contains(option)) {
      *flags.at(option) = true;
    } else if (texts.contains(option)) {
      *texts.at(option) = value();
    } else if (numbers.contains(option)) {
      *numbers.at(option) = number_of(option, value());
    } else if (option == "--task") {
      settings.task = task_of(value());
      has_task = true;
    } else if (option == "--type") {
      settings.item = item_of(value());
    } else if (option.starts_with("-")) {
      refuse("unknown option " + option + "; see --help");
    } else if (options.file.empty()) {
      options.file = option;
    } else {
      refuse(option + " is a second file; give only one");
    }
  }
  if (options.help) return options;
  if (options.page == "-") refuse("--page - is not a file");
  check_rung(options);
  if (options.file.empty() && options.rung.empty()) refuse("no file is given; see --help");
  if (!options.file.empty() && !has_task) refuse("--task is missing: reduce, scan or select");
  if (settings.min_items > settings.max_items) refuse("--min is larger than --max");
  if (settings.schedules == 0) refuse("--schedules must be at least 1");
  return options;
}

}  // namespace

int with_options(int argc, char** argv, const std::function<int(const Options&)>& work) {
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    if (!options.help) return work(options);
    std::printf("%s\n", kHelp);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "compaction-judge: %s\n", error.what());
    return 2;
  }
}

}  // namespace compaction::judge
