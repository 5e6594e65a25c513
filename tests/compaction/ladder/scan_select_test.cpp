// SPDX-License-Identifier: MIT
#include "compaction/ladder/scan_select.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "compaction/ladder/hillis_steele_scan.h"
#include "compaction/ladder/multi_block_scan.h"
#include "compaction/ladder/naive_scan.h"
#include "compaction/ladder/sequential.h"
#include "compaction/ladder/source.h"
#include "tests/compaction/support/host_test.h"

namespace {

template <class Scan>
class ScanSelect : public testing::Test {
 protected:
  void expect_right(std::vector<uint8_t> flags) {
    SCOPED_TRACE(testing::Message() << flags.size() << " flags");
    uint32_t n = uint32_t(flags.size());
    compaction::FlagSource source{span_of(std::as_const(flags))};
    std::vector<uint32_t> expected(n);
    expected.resize(compaction::sequential_select(source, n, span_of(expected)));

    std::vector<uint32_t> selected(expected.size()), count(1, ~0u);
    Memory workspace(compaction::scan_select_bytes<Scan>(n), std::byte{0xA5});
    Executor executor({Order::kShuffled, 1, 3});
    compaction::scan_select<Scan>(executor, source, compaction::ItemCount{n}, span_of(selected),
                                  span_of(count), workspace.span());
    EXPECT_EQ(selected, expected);
    EXPECT_EQ(count[0], expected.size());
  }
};

using Scans =
    testing::Types<compaction::NaiveScan, compaction::HillisSteeleScan, compaction::KoggeStoneScan,
                   compaction::BrentKungScan, compaction::CoarsenedScan>;
TYPED_TEST_SUITE(ScanSelect, Scans);

TYPED_TEST(ScanSelect, WritesSelectedItemsInOrder) {
  for (uint32_t n : {0u, 1u, 2u, 33u, 256u, 513u, 1500u}) {
    std::vector<uint8_t> flags(n);
    for (uint32_t i = 0; i < n; ++i) flags[i] = i * 2'654'435'761u >> 31;
    this->expect_right(flags);
    this->expect_right(std::vector<uint8_t>(n, 1));
  }
}

// A published scatter takes the rank from the previous item, which the first item does not have.
TYPED_TEST(ScanSelect, FirstItemComesFirst) {
  this->expect_right({1});
  this->expect_right({1, 0, 0, 1});
  this->expect_right({1, 1, 0});
}

}  // namespace
