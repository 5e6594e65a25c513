// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compaction/bench/options.h"
#include "compaction/bench/results.h"

namespace compaction::bench {

class Report {
 public:
  /// Records the current time as the start of the measurement.
  Report(DeviceInfo device, const Options& options);

  void add(Race race) { races_.push_back(std::move(race)); }
  /// Adds a task for which the device has too little memory.
  void add_skipped(Task task) { skipped_.push_back(std::move(task)); }

  const std::vector<Race>& races() const { return races_; }

  std::string json() const;

  /// Writes json() to a file beside `path` and renames it, so that `path` is always complete.
  /// Throws std::runtime_error if that fails.
  void save(const std::string& path) const;

 private:
  std::string started_;  ///< UTC, as in 2026-01-31T23:59:59Z
  DeviceInfo device_;
  Options options_;
  std::vector<Race> races_;
  std::vector<Task> skipped_;
};

// ---- the table that is printed

/// Returns "2^20" for a power of two, otherwise the plain number.
std::string size_text(uint64_t n);

/// Returns a text such as "select_if, 4-byte items, n = 2^20, keep 10 %".
std::string task_text(const Task& task);

void print_device(const DeviceInfo& device);
void print_header();
void print_race(const Race& race);

/// Returns how often the library is slower than CUB: how many of its cold and hot times exceed 1.02
/// times CUB's, and the largest ratio. Empty if there is nothing to compare.
std::string losses_text(const std::vector<Race>& races);

}  // namespace compaction::bench
