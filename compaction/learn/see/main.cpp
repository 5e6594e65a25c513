// SPDX-License-Identifier: MIT
// compaction-see: writes a page that shows what the threads of an algorithm do.

#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "compaction/learn/see/algorithm.h"
#include "compaction/learn/see/page.h"

namespace compaction::see {
namespace {

using simt::host::Order;
using simt::host::Schedule;
using simt::host::Trace;

constexpr const char* kUsage =
    "Usage: compaction-see ALGORITHM [--n N] [--keep P] [--schedule S] [--blocks B] [-o "
    "PAGE.html]\n"
    "       compaction-see --list\n"
    "\n"
    "Runs an algorithm on the CPU and writes an HTML page that shows what each thread does.\n"
    "\n"
    "  --list          print the names of the algorithms and the default of --n for each\n"
    "  --n N           number of items\n"
    "  --keep P        share of the items that a select keeps, 0 to 1 (0.5)\n"
    "  --schedule S    order in which threads run: forward, reverse or shuffled:SEED (forward)\n"
    "  --blocks B      number of blocks that run at the same time (4)\n"
    "  --shrink        find a small N (at most that of --n) and a schedule that fail; show them\n"
    "  -o PAGE.html    the page to write (ALGORITHM.html, with - for / and :)\n"
    "  --result FILE   also write the final memory as JSON\n"
    "\n"
    "Exit status: 0 no failure; 1 the algorithm fails (the page is written) or a file cannot be\n"
    "written; 2 wrong options.\n";

constexpr unsigned kUsualResidentBlocks = 4;
constexpr uint32_t kMaxItems = 1u << 20;  // no page could hold the trace of more

struct WrongUsage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SeeOptions {
  std::string algorithm, page, result;
  std::optional<uint32_t> n;
  double keep = 0.5;
  Schedule schedule = {.resident_blocks = kUsualResidentBlocks, .in_turn = true};
  bool list = false, help = false, is_shrinking = false;
};

uint64_t parse_number(const std::string& option, const std::string& text, uint64_t max,
                      uint64_t min = 0) {
  uint64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last || value < min || value > max)
    throw WrongUsage(option + ": " + text + " is not a whole number from " + std::to_string(min) +
                     " to " + std::to_string(max));
  return value;
}

double parse_part(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end || !(value >= 0 && value <= 1))
    throw WrongUsage(option + ": " + text + " is not a number from 0 to 1");
  return value;
}

void parse_schedule(const std::string& text, Schedule& schedule) {
  constexpr const char kShuffled[] = "shuffled:";
  if (text == "forward") {
    schedule.order = Order::kForward;
  } else if (text == "reverse") {
    schedule.order = Order::kReverse;
  } else if (text.starts_with(kShuffled)) {
    schedule.order = Order::kShuffled;
    schedule.seed = parse_number("--schedule", text.substr(sizeof(kShuffled) - 1), ~uint64_t(0));
  } else {
    throw WrongUsage("--schedule: " + text + " is not forward, reverse or shuffled:SEED");
  }
}

SeeOptions parse_options(const std::vector<std::string>& arguments) {
  SeeOptions options;
  const std::map<std::string, bool*> flags = {{"--list", &options.list},
                                              {"--help", &options.help},
                                              {"-h", &options.help},
                                              {"--shrink", &options.is_shrinking}};
  const std::map<std::string, std::string*> files = {{"-o", &options.page},
                                                     {"--result", &options.result}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == arguments.size()) throw WrongUsage(argument + ": a value is missing");
      return arguments[++i];
    };
    if (flags.contains(argument)) {
      *flags.at(argument) = true;
    } else if (files.contains(argument)) {
      *files.at(argument) = value();
      if (*files.at(argument) == "-") throw WrongUsage(argument + ": - is not a file");
    } else if (argument == "--n") {
      options.n = uint32_t(parse_number(argument, value(), kMaxItems));
    } else if (argument == "--keep") {
      options.keep = parse_part(argument, value());
    } else if (argument == "--schedule") {
      parse_schedule(value(), options.schedule);
    } else if (argument == "--blocks") {
      constexpr uint64_t kMaxResident = 1024;
      options.schedule.resident_blocks = unsigned(parse_number(argument, value(), kMaxResident, 1));
    } else if (argument.starts_with("-")) {
      throw WrongUsage(argument + ": no such option; see --help");
    } else if (!options.algorithm.empty()) {
      throw WrongUsage(argument + ": a second algorithm; give only one");
    } else {
      options.algorithm = argument;
    }
  }
  if (options.algorithm.empty() && !options.list && !options.help)
    throw WrongUsage("no algorithm is given; --list prints their names");
  if (!options.algorithm.empty() && options.list)
    throw WrongUsage("--list: " + options.algorithm + " is not expected beside it");
  return options;
}

std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all;
  for (const auto& part : {reductions(), scans(), selects(), broken()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

Algorithm find_algorithm(const std::string& name) {
  for (const Algorithm& algorithm : all_algorithms())
    if (algorithm.name == name) return algorithm;
  throw WrongUsage(name + ": no such algorithm; --list prints their names");
}

/// Returns the final words of up to 4 bytes of each watched region: {"in": [3, 0, 7], ...}.
std::string result_json(const Trace& trace) {
  std::string json = "{";
  for (size_t i = 1; i < trace.regions.size(); ++i) {
    const simt::host::Region& region = trace.regions[i];
    const size_t size = region.cells == simt::host::Cells::kU8 ? 1 : sizeof(uint32_t);
    json += (i > 1 ? ",\"" : "\"") + region.name + "\":[";
    for (size_t at = 0; at + size <= region.after.size(); at += size) {
      uint32_t value = 0;
      std::memcpy(&value, region.after.data() + at, size);
      json += (at > 0 ? "," : "") + std::to_string(value);
    }
    json += "]";
  }
  return json + "}\n";
}

std::string page_name(std::string algorithm) {
  for (char& c : algorithm)
    if (c == '/' || c == ':') c = '-';
  return algorithm + ".html";
}

/// Returns what to do about a large page; empty for a small one.
std::string size_note(const std::string& page) {
  constexpr double kLarge = 4e6;  // bytes
  std::error_code error;
  const auto bytes = double(std::filesystem::file_size(page, error));
  if (error || bytes < kLarge) return "";
  char note[128];
  std::snprintf(note, sizeof note,
                " (%.0f MB: all events of all threads; a smaller --n makes a smaller page)",
                bytes / 1e6);
  return note;
}

int see(const SeeOptions& options) {
  const Algorithm algorithm = find_algorithm(options.algorithm);
  const std::string page = options.page.empty() ? page_name(algorithm.name) : options.page;
  const auto resolved = [](const std::string& file) {
    std::error_code none;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, none), none);
  };
  if (!options.result.empty() && resolved(page) == resolved(options.result))
    throw WrongUsage("--result: " + options.result + " is the page");
  Problem problem{options.n.value_or(algorithm.usual_n), options.keep, options.schedule};
  Trace trace;
  if (options.is_shrinking) {
    const auto run = [&](uint32_t n, Schedule schedule) {
      return algorithm.run({n, options.keep, schedule});
    };
    FailingRun found = shrink(run, problem.n);
    if (found.n == 0) {
      std::printf("%s: nothing fails up to n = %u\n", algorithm.name.c_str(), problem.n);
      return 0;
    }
    problem.n = found.n;
    problem.schedule = found.schedule;
    trace = std::move(found.trace);
  } else {
    trace = algorithm.run(problem);
  }

  const std::string how = "n = " + std::to_string(problem.n) + ", schedule " +
                          name_of(problem.schedule) + ", " +
                          std::to_string(problem.schedule.resident_blocks) + " resident blocks";
  write_page(trace, {algorithm.name, how, algorithm.about}, page);
  if (!options.result.empty()) {
    std::ofstream file(options.result);
    file << result_json(trace);
    if (!file.flush()) throw std::runtime_error(options.result + ": cannot be written");
  }
  std::printf("%s, %s: %llu events%s, %s%s\n", algorithm.name.c_str(), how.c_str(),
              static_cast<unsigned long long>(trace.event_count),
              trace.is_truncated ? " (and more)" : "", page.c_str(), size_note(page).c_str());
  if (trace.failure.message.empty()) return 0;
  std::printf("fails: %s\n", trace.failure.message.c_str());
  return 1;
}

/// Throws if what was printed could not be written, as on a full disk.
void check_output() {
  if (std::fflush(stdout) != 0) throw std::runtime_error("the output cannot be written");
}

int run(const std::vector<std::string>& arguments) {
  const SeeOptions options = parse_options(arguments);
  if (!options.help && !options.list) return see(options);
  if (options.help)
    std::fputs(kUsage, stdout);
  else
    for (const Algorithm& algorithm : all_algorithms())
      std::printf("%-26s n = %u\n", algorithm.name.c_str(), algorithm.usual_n);
  return 0;
}

}  // namespace
}  // namespace compaction::see

int main(int argc, char** argv) {
  try {
    const int status = compaction::see::run({argv + 1, argv + argc});
    compaction::see::check_output();
    return status;
  } catch (const std::exception& error) {
    constexpr int kFailure = 1, kWrongUsage = 2;
    std::string message = error.what();
    for (char& c : message)
      if (std::iscntrl(static_cast<unsigned char>(c))) c = '?';  // an argument may have lines
    std::fprintf(stderr, "compaction-see: %s\n", message.c_str());
    return dynamic_cast<const compaction::see::WrongUsage*>(&error) ? kWrongUsage : kFailure;
  }
}
