// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <random>

#include "tests/compaction/support/scans_test.h"

namespace {

class FastScan : public OnScans {};

TEST_P(FastScan, CombinesAllEarlierItemsInOrder) {
  for (uint64_t n : edge_sizes(*on<uint32_t>(), on<uint32_t>()->tile_items()))
    expect_scans<uint32_t>({.in = items_of<uint32_t>(n), .init = 3});
}

TEST_P(FastScan, OperatorsThatDoNotCommute) {
  for (uint64_t n : edge_sizes(*on<Affine>(), on<Affine>()->tile_items()))
    expect_scans<Affine>({.in = items_of<Affine>(n), .init = {5, 7}});
}

TEST_P(FastScan, ItemsOfAnySize) {
  for_all_types([&]<class T>(T) {
    const uint64_t tile = on<T>()->tile_items();
    for (uint64_t n : {uint64_t(1), uint64_t(33), tile - 1, tile + 1, 3 * tile + 5})
      expect_scans<T>({.in = items_of<T>(n), .init = T(OperatorOf<T>().identity())});
  });
}

TEST_P(FastScan, AnyAlignment) {
  for_all_types([&]<class T>(T) {
    const uint64_t tile = on<T>()->tile_items();
    constexpr unsigned kOffsets[][2] = {{0, 1}, {1, 0}, {1, 1}, {3, 2}, {5, 13}};  // in and out
    for (const auto& [in, out] : kOffsets)
      for (uint64_t n : {uint64_t(1), uint64_t(18), uint64_t(1100), tile + 3})
        expect_scans<T>({.in = items_of<T>(n),
                         .offsets = {.in = in, .out = out},
                         .init = T(OperatorOf<T>().identity())});
  });
}

TEST_P(FastScan, WritesOverItsInput) {
  for_all_types([&]<class T>(T) {
    const uint64_t tile = on<T>()->tile_items();
    for (unsigned in : {0u, 3u})
      for (uint64_t n : {uint64_t(5), tile, 3 * tile + 7})
        expect_scans<T>({.in = items_of<T>(n),
                         .offsets = {.in = in},
                         .in_place = true,
                         .init = T(OperatorOf<T>().identity())});
  });
}

TEST_P(FastScan, CountOnTheDeviceLimitsTheItems) {
  const uint64_t tile = on<Affine>()->tile_items();
  for (uint64_t n : {uint64_t(0), uint64_t(1), tile - 1, tile, tile + 1, 2 * tile + 3})
    for (uint64_t capacity : {3 * tile, 9 * tile + 1})
      expect_scans<Affine>({.in = items_of<Affine>(n),
                            .capacity = capacity,
                            .count_on_device = true,
                            .init = {3, 4}});
}

INSTANTIATE_TEST_SUITE_P(Host, FastScan, testing::ValuesIn(fast::host_backends()), name_of_backend);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, FastScan, testing::ValuesIn(fast::cuda_backends()), name_of_backend);
#endif

}  // namespace
