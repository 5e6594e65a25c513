// SPDX-License-Identifier: MIT
#include "compaction/bench/report.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

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

/// Returns the task, the times and the ratios derived from them. A ratio without its baseline is
/// omitted.
Json timing_json(const Race& race, const Timing& timing) {
  Json json = task_json(race.task);
  json["algorithm"] = timing.algorithm;
  json["launches"] = timing.launches < 0 ? Json(nullptr) : Json(timing.launches);
  json["cold_us"] = summary_json(timing.cold_us);
  json["hot_us"] = summary_json(timing.hot_us);
  json["enqueue_us"] = summary_json(timing.enqueue_us);

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

}  // namespace compaction::bench
