// SPDX-License-Identifier: MIT
// Items that are aligned to more than a vector access.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/partition.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan_loaded.h"
#include "tests/compaction/support/host_test.h"

namespace {

/// x -> a x + b. Composition does not commute.
template <size_t kAlignment>
struct alignas(kAlignment) AlignedMap {
  bool operator==(const AlignedMap&) const = default;
  uint32_t a, b;
};
template <class Map>
struct ComposeAligned {
  Map identity() const { return {1, 0}; }
  Map operator()(const Map& first, const Map& then) const {
    return {first.a * then.a, first.b * then.a + then.b};
  }
};

template <class Map>
class AlignedItems : public testing::Test {};
using Maps = testing::Types<AlignedMap<16>, AlignedMap<32>, AlignedMap<64>, AlignedMap<128>>;
TYPED_TEST_SUITE(AlignedItems, Maps);

TYPED_TEST(AlignedItems, AreReducedAndScanned) {
  using Map = TypeParam;
  const ComposeAligned<Map> op;
  for (uint32_t n : {1u, 33u, 700u, 5000u}) {
    std::vector<Map> items(n), expected(n), out(n);
    Map sum = op.identity(), reduced{};
    for (uint32_t i = 0; i < n; ++i) {
      items[i] = {2 * i + 1, i};
      expected[i] = sum = op(sum, items[i]);
    }
    Executor on({.order = Order::kShuffled, .seed = n, .resident_blocks = 3});
    Memory memory(1 << 20);
    compaction::reduce(on, items.data(), compaction::ItemCount{n}, &reduced, op, memory.span());
    EXPECT_TRUE(reduced == sum) << n;
    compaction::inclusive_scan(on, items.data(), compaction::ItemCount{n}, out.data(), op,
                               op.identity(), static_cast<Map*>(nullptr), memory.span());
    EXPECT_TRUE(out == expected) << n;
    std::fill(out.begin(), out.end(), Map{});
    compaction::scan_loaded<compaction::ScanKind::kInclusive>(
        on, compaction::Items<Map>{items.data()}, compaction::StoreItems<Map>{out.data()},
        compaction::ItemCount{n}, op, op.identity(), static_cast<Map*>(nullptr), memory.span());
    EXPECT_TRUE(out == expected) << n;
  }
}

}  // namespace
