// SPDX-License-Identifier: MIT
#include "compaction/bench/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <system_error>
#include <utility>

namespace compaction::bench {
namespace {

std::vector<std::string_view> split(std::string_view list, char separator) {
  std::vector<std::string_view> parts;
  for (size_t start = 0;;) {
    size_t end = list.find(separator, start);
    parts.push_back(list.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

/// Returns false if not all of `text` is a number.
template <class Number>
bool parse_all(std::string_view text, Number& number) {
  const char* end = text.data() + text.size();
  auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end;
}

/// Parses an integer in [1, max], also given as a power such as 2^20.
uint64_t parse_integer(const std::string& option, std::string_view text, uint64_t max) {
  constexpr std::string_view kPower = "2^";
  constexpr uint64_t kMaxExponent = 63;
  const bool is_power = text.starts_with(kPower);
  uint64_t value = 0;
  bool valid = parse_all(is_power ? text.substr(kPower.size()) : text, value);
  if (is_power) {
    valid = valid && value <= kMaxExponent;
    value = valid ? uint64_t(1) << value : 0;
  }
  if (!valid || value < 1 || value > max)
    throw UsageError(option + ": '" + std::string(text) + "' is not a number from 1 to " +
                     std::to_string(max));
  return value;
}

std::vector<double> parse_keep(std::string_view list) {
  std::vector<double> keep;
  for (std::string_view part : split(list, ',')) {
    constexpr double kAll = 100;
    double percent = -1;
    if (!parse_all(part, percent) || !(percent >= 0 && percent <= kAll))
      throw UsageError("--keep: '" + std::string(part) + "' is not a percentage from 0 to 100");
    keep.push_back(percent);
  }
  return keep;
}

std::vector<std::string> parse_names(const std::string& option, std::string_view list,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> chosen;
  for (std::string_view part : split(list, ',')) {
    if (std::find(names.begin(), names.end(), part) == names.end()) {
      std::string expected;
      for (const std::string& name : names) expected += (expected.empty() ? "" : ", ") + name;
      throw UsageError(option + ": '" + std::string(part) + "' is not one of " + expected);
    }
    chosen.emplace_back(part);
  }
  return chosen;
}

std::vector<unsigned> parse_item_bytes(std::string_view list) {
  std::vector<unsigned> all;
  for (const std::string& bytes :
       parse_names("--type", list, {"1", "3", "4", "5", "8", "12", "16", "20"}))
    all.push_back(unsigned(std::stoul(bytes)));
  return all;
}

/// Adds an option that `read(text)` reads. If it is given twice, the last value counts.
void add_option(CLI::App& app, const char* name, const char* placeholder,
                std::function<void(const std::string&)> read, const char* help) {
  app.add_option_function<std::string>(name, std::move(read), help)
      ->type_name(placeholder)
      ->take_last();
}

std::string reason_of(const CLI::ParseError& error) {
  std::string text = error.what();
  const bool value_is_missing = error.get_name() == "ArgumentMismatch";
  if (value_is_missing) text = text.substr(0, text.find(':')) + ": its value is missing";
  return text + "; see --help";
}

void add_defaults(Options& options, bool quick) {
  constexpr int kQuickRepeats = 9, kRepeats = 21;
  if (options.sizes.empty()) {
    options.sizes = parse_sizes(quick ? "2^12..2^28:16" : "2^10..2^30:4");
    options.ladder_sizes = parse_sizes("2^16,2^20,2^28");
  }
  if (options.keep.empty()) options.keep = parse_keep(quick ? "10,50,90" : "1,10,50,90,99");
  if (options.item_bytes.empty())
    options.item_bytes = parse_item_bytes(quick ? "4,16" : "1,3,4,5,8,12,16,20");
  if (options.repeats == 0) options.repeats = quick ? kQuickRepeats : kRepeats;
}

}  // namespace

const std::vector<std::string>& all_suites() {
  static const std::vector<std::string> all = {"select", "partition", "records", "split",
                                               "runs",   "scan",      "reduce",  "floats",
                                               "soa",    "append",    "ladder"};
  return all;
}

std::vector<uint64_t> parse_sizes(std::string_view list) {
  std::vector<uint64_t> sizes;
  for (std::string_view part : split(list, ',')) {
    size_t dots = part.find(".."), colon = part.find(':');
    auto parse = [](std::string_view text) { return parse_integer("--n", text, kMaxItems); };
    if (dots == std::string_view::npos) {
      sizes.push_back(parse(part));
      continue;
    }
    uint64_t factor = 2;
    if (colon != std::string_view::npos) {
      factor = parse(part.substr(colon + 1));
      part = part.substr(0, colon);
    }
    uint64_t first = parse(part.substr(0, dots)), last = parse(part.substr(dots + 2));
    if (first > last || factor < 2)
      throw UsageError("--n: '" + std::string(part) + "' is an empty or endless range");
    for (uint64_t n = first; n <= last; n *= factor) sizes.push_back(n);
  }
  return sizes;
}

Options parse_options(std::span<const char* const> arguments) {
  Options options;
  bool quick = false;
  CLI::App app(
      "Times the algorithms of compaction/ against CUB's, Thrust's and a copy of the same number "
      "of\nbytes, in one process, and checks the buffers that it timed.",
      "compaction_bench");
  app.set_help_flag("--help", "print this text");
  bool suites_given = false;
  add_option(
      app, "--suite", "LIST",
      [&](const std::string& list) {
        options.suites = parse_names("--suite", list, all_suites());
        suites_given = true;
      },
      "of select,partition,records,split,runs,scan,reduce,\nfloats,soa,append,ladder\n(default: "
      "all)");
  add_option(
      app, "--n", "LIST",
      [&](const std::string& list) { options.sizes = options.ladder_sizes = parse_sizes(list); },
      "items: 1000, 2^20, 2^10..2^30 for all powers of two,\n2^10..2^30:4 for every second one "
      "(default: 2^10..2^30:4;\nthe ladder 2^16,2^20,2^28)");
  add_option(
      app, "--keep", "LIST", [&](const std::string& list) { options.keep = parse_keep(list); },
      "percentages of the items that are selected\n(default: 1,10,50,90,99)");
  add_option(
      app, "--type", "LIST",
      [&](const std::string& list) { options.item_bytes = parse_item_bytes(list); },
      "bytes of an item, of 1,3,4,5,8,12,16,20 (default: all);\n3,5,12,20 for scan and reduce "
      "only");
  add_option(
      app, "--masks", "FILE",
      [&](const std::string& path) {
        if (path.empty()) throw UsageError("--masks: the name of its file is empty");
        options.masks_path = path;
      },
      "replays what winnow render --record-masks FILE recorded:\nthe selection after each bounce "
      "of a real render; alone,\nor in addition to the suites of --suite if that is given");
  add_option(
      app, "--repeat", "N",
      [&](const std::string& text) {
        constexpr uint64_t kMaxRepeats = 10'000;
        options.repeats = int(parse_integer("--repeat", text, kMaxRepeats));
      },
      "samples of each time (default: 21)");
  add_option(
      app, "--flush", "KIND",
      [&](const std::string& kind) {
        if (kind != "write" && kind != "read")
          throw UsageError("--flush: '" + kind + "' is neither write nor read");
        options.flush = kind == "read" ? Flush::kRead : Flush::kWrite;
      },
      "empties L2 before each cold call by: write, read of a\nlarge buffer (default: write)");
  app.add_flag("--quick", quick,
               "measures less, in under two minutes on an H200:\n2^12..2^28:16, 10,50,90 %, 4 and "
               "16 bytes, 9 samples");
  add_option(
      app, "--json", "FILE", [&](const std::string& path) { options.json_path = path; },
      "file to write: the results");

  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    options.help = app.help();
    return options;
  } catch (const CLI::ParseError& error) {
    throw UsageError(reason_of(error));
  }
  if (options.json_path == "-") throw UsageError("--json: '-' is not a file");
  if (!options.masks_path.empty() && options.masks_path == options.json_path)
    throw UsageError("--json: '" + options.json_path + "' is the file of --masks");
  if (!options.masks_path.empty() && !suites_given) options.suites.clear();
  add_defaults(options, quick);
  return options;
}

}  // namespace compaction::bench
