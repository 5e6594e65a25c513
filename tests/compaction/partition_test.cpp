// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "tests/compaction/support/selects_test.h"
#include "tests/support/rounds.h"

namespace {

class FastPartition : public OnSelects {
 protected:
  /// Into two outputs, into one of which one side is reversed, and, up to 64 bytes, into one.
  void expect_all(const SelectProblem& problem) {
    expect_right(Partition::kIntoTwo, problem);
    expect_right(Partition::kIntoOneReversed, problem);
    if (problem.item_bytes <= 64) expect_right(Partition::kIntoOne, problem);
  }
};

TEST_P(FastPartition, KeepsTheOrderOnBothSides) {
  for (uint64_t n : edge_sizes(*selects_, selects_->tile_items(4)))
    expect_all({.keep = fast::random_keep(n, 0.5)});
}

TEST_P(FastPartition, AnyPattern) {
  const uint64_t tile = selects_->tile_items(4);
  for (const Bytes& keep : keep_patterns(tile, 3 * tile + 77)) expect_all({.keep = keep});
}

TEST_P(FastPartition, ItemsOfAnySize) {
  for (unsigned bytes : {1u, 12u, 16u, 64u, 128u}) {
    const uint64_t tile = selects_->tile_items(bytes);
    for (uint64_t n : {uint64_t(1), tile - 1, 2 * tile + 31})
      expect_all({.item_bytes = bytes, .keep = fast::random_keep(n, 0.4)});
  }
}

TEST_P(FastPartition, AnyAlignment) {
  for (unsigned bytes : {1u, 4u, 16u}) {
    const uint64_t tile = selects_->tile_items(bytes);
    for (unsigned in : {0u, 3u})
      for (auto [out, rejected] : {std::pair(0u, 2u), std::pair(5u, 0u)})
        for (uint64_t n : {uint64_t(18), tile + 3})
          expect_all({.item_bytes = bytes,
                      .keep = fast::random_keep(n, 0.5, uint32_t(n)),
                      .offsets = {.in = in, .out = out, .rejected = rejected}});
  }
}

TEST_P(FastPartition, CountOnTheDeviceLimitsTheItems) {
  const uint64_t tile = selects_->tile_items(4);
  for (uint64_t n : {uint64_t(0), uint64_t(1), tile, tile + 1, 2 * tile + 3})
    for (uint64_t capacity : {3 * tile, 9 * tile + 1})
      expect_all(
          {.keep = fast::random_keep(n, 0.5), .capacity = capacity, .count_on_device = true});
}

TEST_P(FastPartition, WorkspaceNeedsNoMoreThanIsAskedFor) {
  const uint64_t tile = selects_->tile_items(4);
  for (uint64_t n : {uint64_t(0), uint64_t(1), 2 * tile, 9 * tile + 1})
    expect_all({.keep = fast::random_keep(n, 0.5), .offsets = {.in = 3}, .exact_workspace = true});
}

TEST_P(FastPartition, WorkspaceServesManyCalls) {
  std::mt19937 random(3);
  const uint64_t most = 5 * selects_->tile_items(4);
  for (unsigned call = 0; call < winnow::rounds(6); ++call)
    expect_all({.keep = fast::random_keep(random() % most, 0.5, uint32_t(random())),
                .offsets = {.in = unsigned(random() % 5)}});
}

INSTANTIATE_TEST_SUITE_P(Host, FastPartition, testing::ValuesIn(fast::host_backends()),
                         name_of_backend);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, FastPartition, testing::ValuesIn(fast::cuda_backends()),
                         name_of_backend);
#endif

}  // namespace
