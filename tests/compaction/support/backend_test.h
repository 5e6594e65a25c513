// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/compaction/support/backends.h"

// Common parts of the tests of the library's functions. Each test runs with every backend.

namespace {

using compaction::ScanKind;
using fast::Bytes;
using fast::Partition;
using fast::Select;
using fast::SelectProblem;

class OnBackend : public testing::TestWithParam<fast::Backend> {
 protected:
  void SetUp() override {
    if (std::string why = GetParam().why_unavailable(); !why.empty()) GTEST_SKIP() << why;
  }
};

/// Returns numbers of items around multiples of warps, tiles, all blocks and look-ahead windows.
template <class On>
std::vector<uint64_t> edge_sizes(On& on, uint64_t tile) {
  constexpr uint64_t kMaxItems = 200'000;  // for a test on the host
  std::vector<uint64_t> sizes = {0, 1, 2, 3, 5, 31, 32, 33, 1000};
  const uint64_t tiles[] = {1,
                            2,
                            on.blocks(),
                            2 * on.blocks(),
                            on.window_tiles(),
                            on.window_tiles() + on.blocks(),
                            2 * on.window_tiles()};
  for (uint64_t edge : tiles)
    for (uint64_t size : {tile, tile / 2})  // tiles are smaller for few items
      for (uint64_t n : {edge * size - 1, edge * size, edge * size + 1})
        if (n <= std::max(kMaxItems, 3 * tile)) sizes.push_back(n);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

inline std::string name_of_backend(const testing::TestParamInfo<fast::Backend>& info) {
  return info.param.name;
}

}  // namespace
