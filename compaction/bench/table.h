// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

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

}  // namespace compaction::bench
