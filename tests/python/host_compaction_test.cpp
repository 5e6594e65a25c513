// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "compaction/simt/host/executor.h"
#include "python/compaction_calls.h"

namespace winnow::python {
namespace {

using Bytes = std::vector<uint8_t>;

/// Returns the items at `indices`, one after the other.
Bytes items_at(const Bytes& items, const std::vector<uint64_t>& indices, unsigned item_bytes) {
  Bytes found;
  for (const uint64_t index : indices)
    found.insert(found.end(), items.begin() + int64_t(index * item_bytes),
                 items.begin() + int64_t((index + 1) * item_bytes));
  return found;
}

/// Items of 1 to 16 bytes. More than one tile needs a thousand of them.
class HostItems : public testing::TestWithParam<unsigned> {
 protected:
  static constexpr uint64_t kCount = 5000;
  static constexpr uint8_t kUntouched = 0xa5;

  HostItems() : items_(kCount * bytes()), flags_(kCount), out_(items_.size(), kUntouched) {
    std::mt19937 random(bytes());
    for (uint8_t& byte : items_) byte = uint8_t(random());
    for (uint8_t& flag : flags_) flag = random() % 3 == 0;
  }

  static unsigned bytes() { return GetParam(); }

  /// Returns the indices of the items whose flag is `flag`.
  std::vector<uint64_t> with_flag(uint8_t flag) const {
    std::vector<uint64_t> indices;
    for (uint64_t i = 0; i < kCount; ++i)
      if (flags_[i] == flag) indices.push_back(i);
    return indices;
  }

  Bytes items_, flags_, out_;
};

TEST_P(HostItems, SelectsAndPartitionsInOrderAndWritesNothingElse) {
  Bytes rejected = out_;
  int64_t count = -1;
  SelectCall call{.items = items_.data(),
                  .flags = flags_.data(),
                  .selected = out_.data(),
                  .rejected = nullptr,
                  .count = &count,
                  .n = kCount,
                  .item_bytes = bytes()};
  Bytes expected = items_at(items_, with_flag(1), bytes());
  expected.resize(items_.size(), kUntouched);
  run_on_host(call, {});
  EXPECT_EQ(count, int64_t(with_flag(1).size()));
  EXPECT_EQ(out_, expected);

  std::fill(out_.begin(), out_.end(), kUntouched);
  call.rejected = rejected.data();
  run_on_host(call, {});
  EXPECT_EQ(out_, expected);
  expected = items_at(items_, with_flag(0), bytes());
  expected.resize(items_.size(), kUntouched);
  EXPECT_EQ(rejected, expected);
}

TEST_P(HostItems, SplitsStablyAndDropsOtherKeys) {
  for (const unsigned classes : {5u, 200u}) {
    std::vector<int32_t> keys(kCount);
    for (uint64_t i = 0; i < kCount; ++i) keys[i] = int32_t(i * 7 % (classes + 1)) - 1;
    std::vector<int64_t> offsets(SplitCall::kMaxClasses + 1);
    run_on_host(SplitCall{.items = items_.data(),
                          .keys = keys.data(),
                          .out = out_.data(),
                          .offsets = offsets.data(),
                          .key_type = {},
                          .n = kCount,
                          .item_bytes = bytes(),
                          .classes = classes},
                {});
    std::vector<uint64_t> indices(kCount);
    std::iota(indices.begin(), indices.end(), uint64_t(0));
    std::erase_if(indices, [&](uint64_t i) { return keys[i] < 0; });
    std::ranges::stable_sort(indices, {}, [&](uint64_t i) { return keys[i]; });
    EXPECT_EQ(Bytes(out_.begin(), out_.begin() + int64_t(indices.size() * bytes())),
              items_at(items_, indices, bytes()));
    EXPECT_EQ(offsets[classes], int64_t(indices.size()));
  }
}

INSTANTIATE_TEST_SUITE_P(ItemBytes, HostItems, testing::Values(1, 2, 4, 8, 12, 16));

TEST(HostScan, AddsAndRefusesOtherTypes) {
  std::vector<int64_t> in(3000), out(in.size()), expected(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = int64_t(i % 10) - 4;
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), int64_t(0));
  ScanCall call{.in = in.data(),
                .out = out.data(),
                .n = in.size(),
                .type = "int64",
                .op = ScanOp::kSum,
                .kind = compaction::ScanKind::kExclusive};
  run_on_host(call, {});
  EXPECT_EQ(out, expected);
  call.type = "int16";
  EXPECT_THROW(run_on_host(call, {}), Error);
}

}  // namespace
}  // namespace winnow::python
