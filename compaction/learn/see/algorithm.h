// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compaction/learn/see/record_run.h"

namespace compaction::see {

/// What an algorithm is shown with.
struct Problem {
  uint32_t n = 0;     ///< items
  double keep = 0.5;  ///< part of the items that a select keeps, in [0, 1]
  simt::host::Schedule schedule;
};

/// An algorithm that compaction-see can show.
struct Algorithm {
  std::string name;   ///< "scan/blelloch"
  std::string about;  ///< two sentences
  uint32_t usual_n = 0;
  /// Records it. The trace's failure is what the executor found, or that the result is wrong.
  std::function<simt::host::Trace(const Problem&)> run;
};

std::vector<Algorithm> reductions();
std::vector<Algorithm> scans();
std::vector<Algorithm> selects();
std::vector<Algorithm> broken();  ///< with a mistake each, to see what it does: "broken:race"

/// Items with one digit, which are easy to follow: 3, 0, 7, 4, 1, 8, ...
std::vector<uint32_t> digits(uint32_t n);
/// 1 for about this part of n items, at random but always the same.
std::vector<uint8_t> random_flags(uint32_t n, double keep);

/// Sets the failure of `trace`, unless it has one, where `actual` is not `expected`.
void expect_result(simt::host::Trace& trace, const std::string& name,
                   const std::vector<uint32_t>& actual, const std::vector<uint32_t>& expected);

}  // namespace compaction::see
