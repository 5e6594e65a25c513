#pragma once

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "compaction/bench/device_info.h"
#include "compaction/bench/json_writer.h"
#include "compaction/bench/options.h"
#include "compaction/bench/record.h"

namespace compaction::bench {

/// Now, as 2026-01-31T23:59:59Z.
inline std::string utc_now() {
  char text[32];
  std::time_t now = std::time(nullptr);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return text;
}

/// The results of all races, as JSON.
class Report {
 public:
  Report(DeviceInfo device, const Options& options)
      : device_(std::move(device)), options_(options) {}

  void add(Race race) { races_.push_back(std::move(race)); }
  /// A task for which the device has too little memory.
  void add_skipped(Task task) { skipped_.push_back(std::move(task)); }
  bool empty() const { return races_.empty(); }

  std::string json() const {
    JsonWriter json;
    json.object([&] {
      json.key("program").value("compaction_bench");
      json.key("started").value(started_);
      json.key("device").object([&] { write_device(json); });
      json.key("samples").value(options_.repeats);
      json.key("flush").value(options_.flush == Flush::kRead ? "read" : "write");
      json.key("results").array([&] {
        for (const Race& race : races_)
          for (const Timing& timing : race.timings)
            json.object([&] {
              write_task(json, race.task);
              write_timing(json, race, timing);
            });
      });
      json.key("skipped").array([&] {
        for (const Task& task : skipped_) json.object([&] { write_task(json, task); });
      });
    });
    return json.text() + "\n";
  }

  /// Writes json() to a file beside `path` and renames it, so that `path` is always whole. Throws
  /// std::runtime_error where that fails.
  void save(const std::string& path) const {
    std::string part = path + ".part";
    std::ofstream file(part);
    file << json();
    file.close();
    std::error_code error;
    if (file) std::filesystem::rename(part, path, error);
    if (!file || error) throw std::runtime_error("cannot write '" + path + "'");
  }

 private:
  void write_device(JsonWriter& json) const {
    json.key("name").value(device_.name);
    json.key("sms").value(device_.sms);
    json.key("l2_bytes").value(device_.l2_bytes);
    json.key("sm_mhz").value(device_.sm_mhz);
    json.key("memory_mhz").value(device_.memory_mhz);
    json.key("free_bytes").value(device_.free_bytes);
    json.key("total_bytes").value(device_.total_bytes);
    json.key("driver").value(device_.driver);
    json.key("runtime").value(device_.runtime);
    json.key("cub").value(device_.cub);
  }

  static void write_task(JsonWriter& json, const Task& task) {
    json.key("suite").value(task.suite);
    json.key("operation").value(task.operation);
    json.key("item_bytes").value(task.item_bytes);
    json.key("n").value(task.n);
    if (task.bounce >= 0) json.key("bounce").value(task.bounce);
    if (task.selects()) {
      json.key("keep").value(task.keep);
      json.key("kept").value(task.kept);
    }
    json.key("bytes").value(task.bytes);
  }

  static void write_timing(JsonWriter& json, const Race& race, const Timing& timing) {
    auto summary = [&](const char* name, const Summary& s) {
      json.key(name).object([&] {
        json.key("median").value(s.median);
        json.key("lower_quartile").value(s.lower_quartile);
        json.key("upper_quartile").value(s.upper_quartile);
        json.key("min").value(s.min);
        json.key("samples").value(s.samples);
      });
    };
    auto ratio = [&](const char* name, double numerator, double denominator) {
      if (numerator > 0 && denominator > 0) json.key(name).value(numerator / denominator);
    };
    double cold = timing.cold_us.median, hot = timing.hot_us.median;
    json.key("algorithm").value(timing.algorithm);
    json.key("launches");
    timing.launches < 0 ? json.null() : json.value(timing.launches);
    summary("cold_us", timing.cold_us);
    summary("hot_us", timing.hot_us);
    summary("enqueue_us", timing.enqueue_us);
    ratio("cold_gb_per_s", 1e-3 * double(race.task.bytes), cold);
    ratio("hot_gb_per_s", 1e-3 * double(race.task.bytes), hot);
    ratio("cold_speed_of_memcpy", cold_us(race, kMemcpy), cold);
    ratio("hot_speed_of_memcpy", hot_us(race, kMemcpy), hot);
    ratio("cold_time_of_cub", cold, cold_us(race, kCub));
    ratio("hot_time_of_cub", hot, hot_us(race, kCub));
    ratio("cold_time_of_thrust", cold, cold_us(race, kThrust));
  }

  std::string started_ = utc_now();
  DeviceInfo device_;
  Options options_;
  std::vector<Race> races_;
  std::vector<Task> skipped_;
};

}  // namespace compaction::bench
