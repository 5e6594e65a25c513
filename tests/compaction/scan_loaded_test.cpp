// SPDX-License-Identifier: MIT
#include "compaction/single_pass/scan_loaded.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/host_test.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::ItemCount;
using compaction::Items;
using compaction::ScanKind;

class ScanLoaded : public testing::TestWithParam<NamedSchedule> {
 protected:
  /// In tiny tiles, of which a few thousand items make many.
  template <class Job>
  void run_tiny(const Job& job, uint64_t n) {
    fast::TinyCalls::run(device_, job, ItemCount{n}, memory_.span());
  }

  template <ScanKind kKind>
  void expect_segments(const std::vector<Affine>& values, const std::vector<uint8_t>& begins,
                       bool tiny) {
    SCOPED_TRACE(testing::Message() << name_of(kKind) << ", " << values.size() << " items");
    const Affine init{7, 9};
    std::vector<Affine> expected, out = values;
    Affine before;
    for (size_t i = 0; i < values.size(); ++i) {
      const bool first = i == 0 || begins[i];
      const Affine inclusive = first ? values[i] : Compose()(before, values[i]);
      expected.push_back(kKind == ScanKind::kInclusive ? inclusive : first ? init : before);
      before = inclusive;
    }
    using Begins = compaction::BeginsAtFlag;
    using Job = compaction::SegmentedScanJob<Items<Affine>, Begins, Compose, kKind>;
    using Combine = typename Job::Combine;
    const bool in_place = values.size() % 2 == 0;
    const Items<Affine> load{in_place ? out.data() : values.data()};
    const Begins flags{begins.data()};
    if (tiny)
      run_tiny(
          Job{{nullptr, nullptr, {}, Combine().identity(), nullptr}, load, flags, out.data(), init},
          values.size());
    else
      compaction::segmented_scan<kKind>(device_.launcher(), load, flags, out.data(),
                                        ItemCount{values.size()}, Compose(), init, memory_.span());
    EXPECT_TRUE(out == expected);
  }

  HostDevice device_{GetParam().schedule};
  Memory memory_{1 << 18};
};

TEST_P(ScanLoaded, SegmentsStartAnew) {
  std::mt19937 random(5);
  for (size_t n : {0, 1, 2, 33, 64, 65, 129, 1000, 2049, 4001})
    for (unsigned length : {1u, 4u, 300u}) {
      std::vector<uint8_t> begins(n);
      for (uint8_t& begin : begins)
        if (random() % length == 0) begin = uint8_t(1 + random() % 255);  // any value but 0 is set
      const std::vector<Affine> values = ordered_items<Affine>(n);
      expect_segments<ScanKind::kInclusive>(values, begins, true);
      expect_segments<ScanKind::kExclusive>(values, begins, true);
      if (length == 4) expect_segments<ScanKind::kExclusive>(values, begins, false);
    }
}

TEST_P(ScanLoaded, SumsOfBytesIn64Bits) {
  using Load = compaction::Widened<uint64_t, Items<uint8_t>>;
  const std::vector<uint8_t> bytes(20'000, 255);
  std::vector<uint32_t> out(bytes.size());
  uint64_t total = 0, sum = 0;
  compaction::scan_loaded<ScanKind::kInclusive>(
      device_.launcher(), Load{{bytes.data()}}, compaction::StoreItems<uint32_t>{out.data()},
      ItemCount{bytes.size()}, compaction::Sum<uint64_t>(), uint64_t(3), &total, memory_.span());
  for (uint32_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], 3 + 255 * (i + 1));
  EXPECT_EQ(total, 3 + 255 * bytes.size());
  compaction::reduce_loaded(device_.launcher(), Load{{bytes.data()}}, ItemCount{bytes.size()}, &sum,
                            compaction::Sum<uint64_t>(), memory_.span());
  EXPECT_EQ(sum, 255 * bytes.size());
}

TEST_P(ScanLoaded, ReductionsOfIntegersBeginAtAnyAddress) {
  std::vector<uint32_t> numbers(40'004);
  for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i * i;
  for (uint32_t offset = 0; offset < 4; ++offset)
    for (const uint64_t n : {uint64_t(2), uint64_t(999), uint64_t(numbers.size() - offset)}) {
      const uint32_t* first = numbers.data() + offset;
      uint32_t sum = 0;
      compaction::reduce_loaded(device_.launcher(), compaction::Items<uint32_t>{first},
                                ItemCount(numbers.size() - offset, &n), &sum,
                                compaction::Sum<uint32_t>(), memory_.span());
      ASSERT_EQ(sum, std::accumulate(first, first + n, 0u)) << n << " items from " << offset;
    }
}

/// Expects the running sums of bytes in `out` from index 1 to 16 on, and nothing beside them.
template <class Out, class Sum>
void expect_sums_at_any_address(HostDevice& device, Span<std::byte> workspace) {
  std::vector<uint8_t> bytes(9001);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = uint8_t(i * i);
  for (unsigned offset = 1; offset <= 16; offset += 5) {
    std::vector<Out> out(bytes.size() + offset + 1, Out(77)), expected = out;
    Out sum = 0;
    for (size_t i = 0; i < bytes.size(); ++i) expected[offset + i] = sum = Out(sum + bytes[i]);
    compaction::scan_loaded<ScanKind::kInclusive>(
        device.launcher(), compaction::Widened<Sum, Items<uint8_t>>{{bytes.data()}},
        compaction::StoreItems<Out>{out.data() + offset}, ItemCount{bytes.size()},
        compaction::Sum<Sum>(), Sum(0), nullptr, workspace);
    EXPECT_EQ(out, expected) << "offset " << offset;
  }
}

TEST_P(ScanLoaded, ResultsBeginAtAnyAddress) {
  expect_sums_at_any_address<uint8_t, uint8_t>(device_, memory_.span());
  expect_sums_at_any_address<uint16_t, uint16_t>(device_, memory_.span());
  expect_sums_at_any_address<uint64_t, uint64_t>(device_, memory_.span());
  expect_sums_at_any_address<uint8_t, uint32_t>(device_, memory_.span());
}

TEST_P(ScanLoaded, RunsOfKeysAreSegments) {
  using Begins = compaction::BeginsRun<uint16_t, compaction::Equals>;
  std::vector<uint16_t> keys(3000);
  for (uint32_t i = 0; i < keys.size(); ++i) keys[i] = uint16_t(i / 7);
  std::vector<uint32_t> out(keys.size());
  compaction::segmented_scan<ScanKind::kInclusive>(
      device_.launcher(), compaction::Counting<uint32_t>{1}, Begins{keys.data(), {}}, out.data(),
      ItemCount{keys.size()}, compaction::Max<uint32_t>(), 0u, memory_.span());
  for (uint32_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i + 1);
  compaction::segmented_scan<ScanKind::kExclusive>(
      device_.launcher(), compaction::Constant<uint32_t>{1}, Begins{keys.data(), {}}, out.data(),
      ItemCount{keys.size()}, compaction::Sum<uint32_t>(), 0u, memory_.span());
  for (uint32_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i % 7);
}

/// Scans of the items from index `offset` on, of sorted keys in runs, into an output that begins at
/// index `out_offset`.
template <ScanKind kKind, class Key, class Value>
void expect_scan_by_key(HostDevice& device, Span<std::byte> workspace, size_t n, unsigned length,
                        unsigned offset, unsigned out_offset) {
  SCOPED_TRACE(testing::Message() << n << " items in runs of about " << length << ", offsets "
                                  << offset << " and " << out_offset);
  std::mt19937 random(length);
  std::vector<Key> keys(n + offset);
  std::vector<Value> values(n + offset), out(n + out_offset + 1, Value(77)), expected = out;
  for (size_t i = 1; i < keys.size(); ++i) keys[i] = Key(keys[i - 1] + (random() % length == 0));
  for (Value& value : values) value = Value(random() % 100);
  Value sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const bool first = i == 0 || keys[offset + i] != keys[offset + i - 1];
    const Value value = values[offset + i];
    expected[out_offset + i] =
        kKind == ScanKind::kExclusive ? first ? Value(5) : sum : Value((first ? 0 : sum) + value);
    sum = Value((first ? 0 : sum) + value);
  }
  compaction::segmented_scan<kKind>(
      device.launcher(), Items<Value>{values.data() + offset},
      compaction::BeginsRun<Key, compaction::Equals>{keys.data() + offset, {}},
      out.data() + out_offset, ItemCount{n}, compaction::Sum<Value>(), Value(5), workspace);
  EXPECT_EQ(out, expected);
}

TEST_P(ScanLoaded, RunsOfItemsThatVectorsLoadOrNot) {
  constexpr size_t kItems = 9001;
  for (unsigned length : {1u, 6u, 200u, 100'000u}) {
    expect_scan_by_key<ScanKind::kInclusive, uint32_t, uint32_t>(device_, memory_.span(), kItems,
                                                                 length, 0, 0);
    expect_scan_by_key<ScanKind::kExclusive, uint32_t, uint32_t>(device_, memory_.span(), kItems,
                                                                 length, 0, 1);
    expect_scan_by_key<ScanKind::kInclusive, uint32_t, uint8_t>(device_, memory_.span(), kItems,
                                                                length, 0, 5);
  }
  for (unsigned offset : {1u, 2u, 3u}) {
    expect_scan_by_key<ScanKind::kInclusive, uint8_t, uint32_t>(device_, memory_.span(), kItems, 9,
                                                                offset, 0);
    expect_scan_by_key<ScanKind::kExclusive, uint64_t, uint16_t>(device_, memory_.span(), kItems, 9,
                                                                 offset, offset);
  }
  expect_scan_by_key<ScanKind::kExclusive, uint64_t, uint8_t>(device_, memory_.span(), kItems, 9, 0,
                                                              0);
}

TEST_P(ScanLoaded, NothingIsTheIdentity) {
  uint64_t sum = 1;
  compaction::reduce_loaded(device_.launcher(), compaction::Constant<uint64_t>{5}, ItemCount{0},
                            &sum, compaction::Sum<uint64_t>(), memory_.span());
  EXPECT_EQ(sum, 0u);
}

INSTANTIATE_TEST_SUITE_P(Schedules, ScanLoaded, testing::ValuesIn(host_schedules()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
