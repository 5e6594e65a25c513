// SPDX-License-Identifier: MIT
#include "compaction/ladder/scan_split.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/compaction/support/host_device.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/split_on.h"

namespace {

class ScanSplit : public testing::TestWithParam<NamedSchedule> {
 protected:
  /// Items [0, n) of `keys`, where n is on the device.
  template <unsigned kClasses>
  void expect_right(const fast::Bytes& keys, uint32_t capacity) {
    SCOPED_TRACE(testing::Message() << keys.size() << " of " << capacity << " items");
    std::vector<uint32_t> indices(keys.size());
    for (uint32_t i = 0; i < indices.size(); ++i) indices[i] = i;
    const fast::SplitAnswer expected =
        fast::reference_split(kClasses, keys, fast::to_bytes(indices));
    const uint64_t n = keys.size();
    Memory memory(compaction::scan_split_bytes<kClasses>(capacity), std::byte(0xA5));
    std::vector<uint32_t> out(expected.offsets.back()), offsets(kClasses + 1);
    compaction::scan_split<kClasses>(executor_, span_of(keys), {capacity, &n}, span_of(out),
                                     span_of(offsets), memory.span());
    EXPECT_TRUE(fast::to_bytes(out) == expected.items);
    EXPECT_TRUE(std::equal(offsets.begin(), offsets.end(), expected.offsets.begin()));
  }

  Executor executor_{GetParam().schedule};
};

TEST_P(ScanSplit, KeepsTheOrderInEachClass) {
  std::mt19937 random(3);
  for (uint32_t n : {0u, 1u, 33u, 2047u, 2048u, 2049u, 9000u}) {
    fast::Bytes keys(n);
    for (uint8_t& key : keys) key = uint8_t(random() % 9);
    expect_right<8>(keys, n);  // drops one class
    expect_right<256>(keys, n + 3000);
  }
  expect_right<1>(fast::Bytes(3000, 0), 3000);
  expect_right<32>(fast::Bytes(3000, 31), 3000);
}

INSTANTIATE_TEST_SUITE_P(Schedules, ScanSplit, testing::ValuesIn(host_schedules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
