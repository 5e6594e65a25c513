// SPDX-License-Identifier: MIT
#include "compaction/learn/judge/options.h"

#include <charconv>

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
  throw OptionsError("compaction-judge: " + text, 2);
}

/// Reads the arguments one by one.
class Reader {
 public:
  explicit Reader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  bool done() const { return next_ == arguments_.size(); }
  const std::string& take() { return arguments_[next_++]; }
  const std::string& value(const std::string& option) {
    if (done()) refuse(option + " needs a value");
    return take();
  }
  uint32_t number(const std::string& option) {
    constexpr uint32_t kMax = 10'000'000;
    const std::string& text = value(option);
    uint32_t number = 0;
    const std::from_chars_result read =
        std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number > kMax)
      refuse(option + " " + text + " is not a whole number from 0 to " + std::to_string(kMax));
    return number;
  }

 private:
  const std::vector<std::string>& arguments_;
  size_t next_ = 0;
};

Task task_of(const std::string& name) {
  if (name == "reduce") return Task::kReduce;
  if (name == "scan") return Task::kScan;
  if (name == "select") return Task::kSelect;
  refuse("--task " + name + " is not reduce, scan or select");
}

Item item_of(const std::string& name) {
  if (name == "int") return Item::kInteger;
  if (name == "float") return Item::kFloat;
  refuse("--type " + name + " is not int or float");
}

void check_rung(const Options& options) {
  if (options.rung.empty() || find_rung(options.rung)) return;
  std::string known;
  for (const Rung& rung : rungs()) known += std::string(known.empty() ? "" : ", ") + rung.name;
  refuse("--rung " + options.rung + " does not exist; the rungs are " + known);
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  Settings& settings = options.settings;
  bool has_task = false;
  for (Reader reader(arguments); !reader.done();) {
    const std::string& option = reader.take();
    if (option == "--help" || option == "-h") throw OptionsError(kHelp, 0);
    if (option == "--task") {
      settings.task = task_of(reader.value(option));
      has_task = true;
    } else if (option == "--call") {
      options.call = reader.value(option);
    } else if (option == "--type") {
      settings.item = item_of(reader.value(option));
    } else if (option == "--rung") {
      options.rung = reader.value(option);
    } else if (option == "--page") {
      options.page = reader.value(option);
    } else if (option == "--inclusive") {
      settings.inclusive = true;
    } else if (option == "--any-order") {
      settings.any_order = true;
    } else if (option == "--host-arrays") {
      settings.host_arrays = true;
    } else if (option == "--min") {
      settings.min_items = reader.number(option);
    } else if (option == "--max") {
      settings.max_items = reader.number(option);
    } else if (option == "--schedules") {
      settings.schedules = reader.number(option);
    } else if (option == "--seconds") {
      settings.seconds = reader.number(option);
    } else if (option.starts_with("-")) {
      refuse("unknown option " + option + "; see --help");
    } else if (options.file.empty()) {
      options.file = option;
    } else {
      refuse(option + " is a second file; give only one");
    }
  }
  check_rung(options);
  options.judges_rung = options.file.empty() && !options.rung.empty();
  if (options.file.empty() && !options.judges_rung) refuse("no file is given; see --help");
  if (!options.judges_rung && !has_task) refuse("--task is missing: reduce, scan or select");
  if (settings.min_items > settings.max_items) refuse("--min is larger than --max");
  if (settings.schedules == 0) refuse("--schedules must be at least 1");
  return options;
}

}  // namespace compaction::judge
