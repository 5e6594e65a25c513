// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/bench/results.h"

namespace compaction::bench {

/// "2^20" for a power of two, else the plain number.
std::string size_text(uint64_t n);

/// "select_if, 4-byte items, n = 2^20, keep 10 %"
std::string task_text(const Task& task);

void print_device(const DeviceInfo& device);
/// Prints the legend and the heads of the columns.
void print_header();
void print_race(const Race& race);

/// What the library loses to CUB: how many times, cold and hot, are above 1.02 of CUB's, and the
/// largest of them. Empty if there is none to compare.
std::string losses_text(const std::vector<Race>& races);

}  // namespace compaction::bench
