// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compaction/learn/see/record_run.h"
#include "compaction/simt/span.h"

namespace compaction::see {

struct Problem {
  uint32_t n = 0;     ///< number of items
  double keep = 0.5;  ///< share of the items that a select keeps, in [0, 1]
  simt::host::Schedule schedule;
};

struct Algorithm {
  std::string name;  ///< "scan/blelloch"
  uint32_t usual_n = 0;
  /// Runs the algorithm and returns its trace. The failure of the trace is what the executor found,
  /// or a wrong result.
  std::function<simt::host::Trace(const Problem&)> run;
  std::string about;  ///< a few sentences for the page
};

std::vector<Algorithm> reductions();
std::vector<Algorithm> scans();
std::vector<Algorithm> selects();
std::vector<Algorithm> broken();  ///< kernels with one mistake each, such as "broken:race"

/// Returns n items with one digit, which are easy to follow: 3, 0, 7, 4, 1, 8, ...
std::vector<uint32_t> digits(uint32_t n);
/// Returns n pseudorandom flags, the same in each call; about the share `keep` of them is 1.
std::vector<uint8_t> random_flags(uint32_t n, double keep);

template <class T>
simt::Span<T> span_of(std::vector<T>& items) {
  return {items.data(), items.size()};
}

/// Memory that an algorithm uses between its kernels, and what a page shows of it.
struct Workspace {
  std::vector<std::byte> memory = {};
  std::vector<Watched> watched = {};
};
Workspace workspace_of_words(size_t bytes);                  ///< shown as one region
Workspace workspace_of_tiles(size_t bytes, uint64_t tiles);  ///< with a queue before the states

/// Sets the failure of `trace` if `actual` differs from `expected`, unless the trace has one.
void expect_result(simt::host::Trace& trace, const std::string& name,
                   const std::vector<uint32_t>& actual, const std::vector<uint32_t>& expected);

}  // namespace compaction::see
