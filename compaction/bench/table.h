// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compaction/bench/results.h"

namespace compaction::bench {

/// Returns "2^20" for a power of two, otherwise the plain number.
std::string size_text(uint64_t n);

/// Returns a text such as "select_if, 4-byte items, n = 2^20, keep 10 %".
std::string task_text(const Task& task);

void print_device(const DeviceInfo& device);
/// Prints the legend and the heads of the columns.
void print_header();
void print_race(const Race& race);

/// Returns how often the library is slower than CUB: how many of its cold and hot times exceed 1.02
/// times CUB's, and the largest ratio. Empty if there is nothing to compare.
std::string losses_text(const std::vector<Race>& races);

}  // namespace compaction::bench
