// SPDX-License-Identifier: MIT
#include "compaction/advise/device_model.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>

namespace compaction::advise {

double TimesBySize::operator()(double items) const {
  const auto after = std::upper_bound(kItems.begin() + 1, kItems.end() - 1, items);
  const size_t i = size_t(after - kItems.begin());
  const double share = (items - kItems[i - 1]) / (kItems[i] - kItems[i - 1]);
  return ns[i - 1] + std::max(0.0, share) * (ns[i] - ns[i - 1]);
}

double PassTimesBySize::operator()(double capacity, double items) const {
  return few(capacity) + (full(capacity) - few(capacity)) * items / capacity;
}

DeviceModel built_in_device() {
  // Measured on 2026-11-29 (CUDA 13.0, driver 580.159.04), passes one after the other. Passes that
  // take turns with steps took about 500 ns more, which is added here. Passes of 2^10 and 2^14
  // items are estimates.
  return {.name = "NVIDIA H200",
          .source = "built in",
          .launch_ns = 537,
          .bytes_per_ns = 4200,
          .resident_warps = 132 * 64,
          .scan_ns = {{1286, 1296, 1296, 1306, 1478, 2026, 4246, 13480}},
          .select_ns = {.few = {{3500, 3500, 3600, 3650, 3650, 3600, 4900, 5200}},
                        .full = {{3600, 3650, 3900, 4200, 4300, 5800, 13300, 61300}}},
          .split_ns = {.few = {{3000, 2950, 6000, 6600, 7900, 11900, 13000, 14200}},
                       .full = {{3200, 4100, 6500, 7350, 9600, 15600, 32900, 113000}}}};
}

namespace {

/// Calls visit(name, numbers) for the numbers of a device, each a list.
template <class Device, class Visit>
void for_each_number(Device& device, Visit visit) {
  visit("launch_ns", std::span(&device.launch_ns, 1));
  visit("bytes_per_ns", std::span(&device.bytes_per_ns, 1));
  visit("resident_warps", std::span(&device.resident_warps, 1));
  visit("scan_ns", std::span(device.scan_ns.ns));
  visit("select_few_ns", std::span(device.select_ns.few.ns));
  visit("select_ns", std::span(device.select_ns.full.ns));
  visit("split_few_ns", std::span(device.split_ns.few.ns));
  visit("split_ns", std::span(device.split_ns.full.ns));
}

}  // namespace

DeviceModel read_device_model(const std::string& path) {
  std::ifstream file(path);
  const auto fail = [&](const std::string& reason) {
    throw std::runtime_error("'" + path + "' " + reason);
  };
  if (!file) fail("cannot be read");
  DeviceModel device{.name = {}, .source = path};
  std::set<std::string> missing;
  for_each_number(device, [&](const char* name, auto) { missing.insert(name); });
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    if (!(words >> word) || word[0] == '#') continue;
    if (word == "name") {
      std::getline(words >> std::ws, device.name);
      continue;
    }
    bool is_known = false;
    for_each_number(device, [&](const std::string& name, std::span<double> numbers) {
      if (name != word) return;
      is_known = true;
      missing.erase(name);
      for (double& value : numbers)
        if (!(words >> value) || !std::isfinite(value) || value < 0)
          fail("has no " +
               (numbers.size() == 1 ? "number" : std::to_string(numbers.size()) + " numbers") +
               " from 0 on after '" + word + "'");
    });
    if (!is_known) fail("has the unknown name '" + word + "'");
  }
  if (!missing.empty()) fail("lacks '" + *missing.begin() + "'");
  if (device.bytes_per_ns == 0) fail("has a 'bytes_per_ns' of 0");
  constexpr double kMaxCount = 0x1p20;
  if (const double warps = device.resident_warps;
      warps != std::floor(warps) || warps < 1 || warps > kMaxCount)
    fail("has no whole number from 1 to 1048576 after 'resident_warps'");
  return device;
}

std::string device_model_text(const DeviceModel& device) {
  std::ostringstream text;
  text << "name " << device.name << '\n';
  for_each_number(device, [&](const char* name, std::span<const double> numbers) {
    text << name;
    for (const double number : numbers) text << ' ' << number;
    text << '\n';
  });
  return text.str();
}

}  // namespace compaction::advise
