// SPDX-License-Identifier: MIT
#include "compaction/bench/report.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace compaction::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string utc_now() {
  char text[32];
  std::time_t now = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

Json device_json(const DeviceInfo& device) {
  return {{"name", device.name},
          {"sms", device.sms},
          {"l2_bytes", device.l2_bytes},
          {"sm_mhz", device.sm_mhz},
          {"memory_mhz", device.memory_mhz},
          {"free_bytes", device.free_bytes},
          {"total_bytes", device.total_bytes},
          {"driver", device.driver},
          {"runtime", device.runtime},
          {"cub", device.cub}};
}

Json task_json(const Task& task) {
  Json json = {{"suite", task.suite},
               {"operation", task.operation},
               {"item_bytes", task.item_bytes},
               {"n", task.n}};
  if (task.bounce >= 0) json["bounce"] = task.bounce;
  if (task.selects()) {
    json["keep"] = task.keep;
    json["kept"] = task.kept;
  }
  json["bytes"] = task.bytes;
  return json;
}

Json summary_json(const Summary& summary) {
  return {{"median", summary.median},
          {"lower_quartile", summary.lower_quartile},
          {"upper_quartile", summary.upper_quartile},
          {"min", summary.min},
          {"samples", summary.samples}};
}

/// A ratio without its baseline is omitted.
Json timing_json(const Race& race, const Timing& timing) {
  Json json = task_json(race.task);
  json["algorithm"] = timing.algorithm;
  json["launches"] = timing.launches < 0 ? Json(nullptr) : Json(timing.launches);
  json["cold_us"] = summary_json(timing.cold_us);
  json["hot_us"] = summary_json(timing.hot_us);
  json["enqueue_us"] = summary_json(timing.enqueue_us);
  if (timing.graph_us.samples > 0) json["graph_us"] = summary_json(timing.graph_us);

  auto add = [&](const char* name, double value) {
    if (value > 0) json[name] = value;
  };
  auto gb_per_s = [&](const Summary& us) {
    return us.median > 0 ? 1e-3 * double(race.task.bytes) / us.median : 0;
  };
  const Ratios ratios = ratios_of(race, timing);
  add("cold_gb_per_s", gb_per_s(timing.cold_us));
  add("hot_gb_per_s", gb_per_s(timing.hot_us));
  add("cold_speed_of_memcpy", ratios.cold_speed_of_memcpy);
  add("hot_speed_of_memcpy", ratios.hot_speed_of_memcpy);
  add("cold_time_of_cub", ratios.cold_time_of_cub);
  add("hot_time_of_cub", ratios.hot_time_of_cub);
  add("graph_time_of_cub", ratios.graph_time_of_cub);
  add("cold_time_of_thrust", ratios.cold_time_of_thrust);
  return json;
}

}  // namespace

Report::Report(DeviceInfo device, const Options& options)
    : started_(utc_now()), device_(std::move(device)), options_(options) {}

std::string Report::json() const {
  Json results = Json::array(), skipped = Json::array();
  for (const Race& race : races_)
    for (const Timing& timing : race.timings) results.push_back(timing_json(race, timing));
  for (const Task& task : skipped_) skipped.push_back(task_json(task));
  Json json = {{"program", "compaction_bench"},
               {"started", started_},
               {"device", device_json(device_)},
               {"samples", options_.repeats},
               {"flush", options_.flush == Flush::kRead ? "read" : "write"}};
  json["results"] = std::move(results);
  json["skipped"] = std::move(skipped);
  constexpr int kIndent = 1;
  return json.dump(kIndent) + "\n";
}

void Report::save(const std::string& path) const {
  std::string part = path + ".part";
  std::ofstream file(part);
  file << json();
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(part, path, error);
  if (!file || error) throw std::runtime_error("cannot write '" + path + "'");
}

// ---- the table that is printed

std::string size_text(uint64_t n) {
  return std::has_single_bit(n) ? "2^" + std::to_string(std::countr_zero(n)) : std::to_string(n);
}

std::string task_text(const Task& task) {
  std::string text = task.operation + ", " + std::to_string(task.item_bytes) +
                     "-byte items, n = " + size_text(task.n);
  if (task.bounce >= 0) text += ", bounce " + std::to_string(task.bounce);
  if (task.selects()) {
    char keep[32];
    std::snprintf(keep, sizeof keep, ", keep %g %%", task.keep);
    text += keep;
  }
  return text;
}

void print_device(const DeviceInfo& device) {
  constexpr double kMebi = 1 << 20, kGibi = 1 << 30;
  std::printf("%s, %d SMs, L2 %.0f MiB, up to %d MHz, memory %d MHz, %.1f of %.1f GiB free\n",
              device.name.c_str(), device.sms, double(device.l2_bytes) / kMebi, device.sm_mhz,
              device.memory_mhz, double(device.free_bytes) / kGibi,
              double(device.total_bytes) / kGibi);
  std::printf("driver %s, runtime %s, CUB %s\n\n", device.driver.c_str(), device.runtime.c_str(),
              device.cub.c_str());
}

void print_header() {
  std::printf(
      R"(cold: median of single calls whose input is not in L2; +-: interquartile range, %% of it.
hot: one of many calls in a row; graph: one of 100 calls in a graph, of short calls only. host: host
time to enqueue a call. runs: kernels, copies and fills of a call. of copy: speed relative to a copy
of the same number of bytes. x cub, x thrust: time relative to theirs; below 1 is faster. All
columns but hot, graph and host are of cold calls.
GB/s counts the bytes that must move for n items of s bytes, k of them selected: select ns + ks, by
flags n more, by a mask n/8 more, partition and scan 2ns, reduce ns. All columns of a structure of
arrays count as read in full.

)");
  std::printf("%-15s %4s %6s %5s %-18s %11s %5s %7s %7s %6s %8s %11s %8s %7s %5s\n", "operation",
              "item", "n", "keep", "algorithm", "cold us", "+-", "GB/s", "of copy", "x cub",
              "x thrust", "hot us", "graph us", "host us", "runs");
}

void print_race(const Race& race) {
  const Task& task = race.task;
  auto print_known = [](int width, double value) {
    value > 0 ? std::printf(" %*.2f", width, value) : std::printf(" %*s", width, "-");
  };
  for (const Timing& timing : race.timings) {
    const Ratios ratios = ratios_of(race, timing);
    const double cold = timing.cold_us.median;
    std::printf("%-15s %4u %6s", task.operation.c_str(), task.item_bytes,
                size_text(task.n).c_str());
    task.selects() ? std::printf(" %4g%%", task.keep) : std::printf(" %5s", "-");
    std::printf(" %-18s %11.2f %4.1f%% %7.0f", timing.algorithm.c_str(), cold,
                100 * timing.cold_us.spread(), 1e-3 * double(task.bytes) / cold);
    print_known(7, ratios.cold_speed_of_memcpy);
    print_known(6, ratios.cold_time_of_cub);
    print_known(8, ratios.cold_time_of_thrust);
    std::printf(" %11.2f", timing.hot_us.median);
    print_known(8, timing.graph_us.median);
    std::printf(" %7.2f", timing.enqueue_us.median);
    timing.launches < 0 ? std::printf(" %5s\n", "-") : std::printf(" %5d\n", timing.launches);
  }
  std::fflush(stdout);
}

std::string losses_text(const std::vector<Race>& races) {
  constexpr double kLost = 1.02;
  constexpr size_t kListed = 20;
  struct Loss {
    double ratio;
    std::string cell;
  };
  std::vector<Loss> losses;
  size_t cells = 0;
  for (const Race& race : races)
    for (const Timing& timing : race.timings) {
      if (timing.algorithm != kOurs) continue;
      const Ratios ratios = ratios_of(race, timing);
      for (auto [ratio, kind] :
           {std::pair(ratios.cold_time_of_cub, "cold"), std::pair(ratios.hot_time_of_cub, "hot"),
            std::pair(ratios.graph_time_of_cub, "in a graph")}) {
        if (ratio <= 0) continue;
        ++cells;
        if (ratio > kLost) losses.push_back({ratio, task_text(race.task) + ", " + kind});
      }
    }
  if (cells == 0) return "";
  std::ranges::stable_sort(losses, std::greater(), &Loss::ratio);
  std::string text = std::to_string(losses.size()) + " of " + std::to_string(cells) +
                     " times are above 1.02 of CUB's\n";
  for (size_t i = 0; i < std::min(losses.size(), kListed); ++i) {
    char ratio[32];
    std::snprintf(ratio, sizeof ratio, "%6.2f  ", losses[i].ratio);
    text += ratio + losses[i].cell + "\n";
  }
  return text;
}

}  // namespace compaction::bench
