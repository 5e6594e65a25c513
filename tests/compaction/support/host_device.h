// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <ostream>
#include <string>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "tests/support/rounds.h"

/// A device for tests: the host executor, or a launcher derived from it, and its memory.
template <class Launcher>
class HostDeviceOf {
 public:
  /// @param place  what the launcher is constructed from: for the executor, a schedule
  template <class Place>
  explicit HostDeviceOf(const Place& place) : launcher_(place) {}

  Launcher& launcher() { return launcher_; }
  void* allocate(size_t bytes) { return ::operator new(bytes); }
  void free(void* memory) { ::operator delete(memory); }
  void write(void* to, const void* from, size_t bytes) { copy(to, from, bytes); }
  void read(void* to, const void* from, size_t bytes) { copy(to, from, bytes); }
  void finish() {}

 private:
  static void copy(void* to, const void* from, size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }

  Launcher launcher_;
};

using HostDevice = HostDeviceOf<simt::host::Executor>;

struct NamedSchedule {
  std::string name;
  simt::host::Schedule schedule;

  friend void PrintTo(const NamedSchedule& self, std::ostream* out) { *out << self.name; }
};

/// Returns the schedules of all tests of algorithms.
inline std::vector<NamedSchedule> host_schedules() {
  using simt::host::Order;
  std::vector<NamedSchedule> schedules = {
      {"forward", {.order = Order::kForward}},
      {"reverse_3_blocks", {.order = Order::kReverse, .resident_blocks = 3}},
      {"shuffled_5_blocks", {.order = Order::kShuffled, .seed = 2, .resident_blocks = 5}}};
  if (winnow::is_long_search())
    schedules.push_back({"shuffled_1_block", {.order = Order::kShuffled, .seed = 1}});
  return schedules;
}
