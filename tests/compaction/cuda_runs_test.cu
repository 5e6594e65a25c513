// SPDX-License-Identifier: MIT
#include <functional>

#include "tests/compaction/support/cuda_arrays.cuh"

namespace {

/// Keys in runs of random lengths from 1 to about 2 * `mean`.
std::vector<uint32_t> random_runs(size_t n, uint32_t mean) {
  std::mt19937 random(mean);
  std::vector<uint32_t> keys;
  for (uint32_t key = 0; keys.size() < n; ++key)
    for (uint32_t i = 1 + random() % (2 * mean); i > 0 && keys.size() < n; --i) keys.push_back(key);
  return keys;
}

class CudaRuns : public OnGpu {};

TEST_P(CudaRuns, FirstItemsLengthsAndSums) {
  for (size_t n : {1, 1000, 100'000, 1'081'345, 5'000'003})
    for (uint32_t mean : {1u, 20u, 30'000u}) {
      SCOPED_TRACE(testing::Message() << n << " items, mean " << mean);
      const std::vector<uint32_t> keys = random_runs(n, mean), numbers = random_numbers(n, mean);
      std::vector<uint32_t> expected_keys, lengths, sums;
      for (size_t i = 0; i < n; ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) {
          expected_keys.push_back(keys[i]);
          lengths.push_back(0);
          sums.push_back(0);
        }
        ++lengths.back();
        sums.back() += numbers[i];
      }
      const size_t runs = expected_keys.size();
      Array<uint32_t> in(keys), values(numbers), run_keys(runs), run_values(runs), count(1);
      Workspace workspace;
      check(workspace.reserve(
          compaction::reduce_by_key_bytes<uint32_t, compaction::Items<uint32_t>, Sum<uint32_t>>(
              n)));
      check(compaction::reduce_by_key(in.data(), values.data(), run_keys.data(), run_values.data(),
                                      {count.data()}, {n}, Sum<uint32_t>(), workspace));
      EXPECT_EQ(count.read()[0], runs);
      EXPECT_TRUE(run_keys.read() == expected_keys);
      EXPECT_TRUE(run_values.read() == sums);

      size_t bytes = 0;
      check(compaction::run_length_encode(nullptr, bytes, in.data(), run_keys.data(),
                                          run_values.data(), {count.data()}, {n}));
      Array<std::byte> temp(bytes);
      check(compaction::run_length_encode(temp.data(), bytes, in.data(), run_keys.data(),
                                          run_values.data(), {count.data()}, {n}));
      EXPECT_TRUE(run_values.read() == lengths);

      run_keys.write(std::vector<uint32_t>(runs, ~0u));
      Workspace other;
      check(other.reserve(compaction::unique_bytes<uint32_t>(n)));
      check(compaction::unique(in.data(), run_keys.data(), {count.data()}, {n}, other));
      EXPECT_EQ(count.read()[0], runs);
      EXPECT_TRUE(run_keys.read() == expected_keys);
    }
}

struct IsLarge {
  __host__ __device__ bool operator()(uint32_t flag) const { return flag > 3'000'000'000u; }
};

TEST_P(CudaRuns, FlagsThatAPredicateSelects) {
  const std::vector<uint32_t> numbers = random_numbers(500'000, 1),
                              flags = random_numbers(500'000, 2);
  std::vector<uint32_t> expected;
  for (size_t i = 0; i < flags.size(); ++i)
    if (IsLarge()(flags[i])) expected.push_back(numbers[i]);
  Array<uint32_t> in(numbers), flag(flags), out(expected.size()), count(1);
  Workspace workspace;
  using Source = compaction::ItemsIf<uint32_t, IsLarge>;
  check(workspace.reserve(
      compaction::select_bytes<Source, compaction::WriteColumns<uint32_t>>(flags.size())));
  check(compaction::select_flagged_if(in.data(), flag.data(), out.data(), {count.data()},
                                      {flags.size()}, IsLarge(), workspace));
  EXPECT_EQ(count.read()[0], expected.size());
  EXPECT_TRUE(out.read() == expected);
}

TEST_P(CudaRuns, ScansOfSegmentsAndSumsOfBytes) {
  using compaction::Items;
  using compaction::ScanKind;
  using Begins = compaction::BeginsRun<uint32_t, compaction::Equals>;
  constexpr size_t kItems = 3'000'001;
  const std::vector<uint32_t> keys = random_runs(kItems, 50), numbers = random_numbers(kItems, 7);
  std::vector<uint32_t> expected(kItems);
  for (size_t i = 0; i < kItems; ++i)
    expected[i] = (i > 0 && keys[i] == keys[i - 1] ? expected[i - 1] : 0) + numbers[i];
  Array<uint32_t> in(keys), values(numbers), out(kItems);
  Workspace workspace;
  check(workspace.reserve(
      compaction::segmented_scan_bytes<Items<uint32_t>, Begins, Sum<uint32_t>>(kItems)));
  check(compaction::scan_by_key<ScanKind::kInclusive>(in.data(), values.data(), out.data(),
                                                      {kItems}, Sum<uint32_t>(), workspace));
  EXPECT_TRUE(out.read() == expected);

  using Load = compaction::Widened<uint64_t, Items<uint8_t>>;
  const std::vector<uint8_t> bytes(kItems, 255);
  Array<uint8_t> small(bytes);
  Array<uint64_t> sum(1);
  Workspace other;
  check(other.reserve(
      compaction::scan_loaded_bytes<Load, compaction::StoreNothing, Sum<uint64_t>>(kItems)));
  check(compaction::reduce_loaded(Load{{small.data()}}, sum.data(), {kItems}, Sum<uint64_t>(),
                                  other));
  EXPECT_EQ(sum.read()[0], 255 * kItems);
}

TEST_P(CudaRuns, TakesAnyIntegersOperatorsAndStorage) {
  constexpr int kItems = 100'001;
  const std::vector<uint32_t> keys = random_runs(kItems, 20);
  std::vector<unsigned long long> lengths;
  for (int i = 0; i < kItems; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) lengths.push_back(0);
    ++lengths.back();
  }
  const int runs = int(lengths.size());
  Array<uint32_t> in(keys), run_keys(runs), out(kItems);
  Array<uint8_t> ones(std::vector<uint8_t>(kItems, 1));
  Array<unsigned long long> sums(runs);
  Array<int> count(1);
  const auto expect_lengths = [&] {
    EXPECT_EQ(count.read()[0], runs);
    EXPECT_TRUE(sums.read() == lengths);
    count.write({0});
    sums.write(std::vector<unsigned long long>(runs, 0));
  };
  const auto run_with = [&](const compaction::Storage& storage) {
    // Bytes are summed in 64 bits.
    check(compaction::reduce_by_key(in.data(), ones.data(), run_keys.data(), sums.data(),
                                    count.data(), kItems, std::plus<>(), storage));
    expect_lengths();
    check(compaction::run_length_encode(in.data(), nullptr, sums.data(), count.data(), kItems,
                                        storage));
    expect_lengths();
    check(compaction::unique(in.data(), run_keys.data(), count.data(), kItems, storage));
    EXPECT_EQ(run_keys.read().back(), keys.back());
    check(compaction::scan_by_key<compaction::ScanKind::kInclusive>(
        in.data(), in.data(), out.data(), kItems, compaction::Max<uint32_t>(), storage));
    EXPECT_TRUE(out.read() == keys);
  };
  run_with(compaction::stream_ordered);
  Workspace workspace;
  check(workspace.reserve(compaction::bytes_for<uint32_t, uint8_t, unsigned long long>(kItems)));
  run_with(workspace);
  EXPECT_EQ(compaction::unique(in.data(), run_keys.data(), count.data(), -1, workspace),
            cudaErrorInvalidValue);
}

TEST_P(CudaRuns, TwoPhaseFormOfSegments) {
  using compaction::Items;
  constexpr int kItems = 100'000, kLength = 10;
  std::vector<uint8_t> begins(kItems, 0);
  for (int i = 0; i < kItems; i += kLength) begins[i] = 1;
  const std::vector<uint32_t> ones(kItems, 1);
  Array<uint8_t> flags(begins);
  Array<uint32_t> values(ones), out(kItems), count(1), sum(1);
  const auto in_temp = [](auto call) {
    size_t bytes = 0;
    check(call(nullptr, bytes));
    Array<std::byte> temp(bytes);
    check(call(temp.data(), bytes));
    check(cudaDeviceSynchronize());
  };
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::segmented_reduce(temp, bytes, flags.data(), values.data(), out.data(),
                                        count.data(), kItems, std::plus<>());
  });
  EXPECT_EQ(count.read()[0], uint32_t(kItems / kLength));
  EXPECT_EQ(out.read(kItems / kLength), std::vector<uint32_t>(kItems / kLength, kLength));
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::segmented_scan<compaction::ScanKind::kInclusive>(
        temp, bytes, Items<uint32_t>{values.data()}, compaction::BeginsAtFlag{flags.data()},
        out.data(), kItems, std::plus<>(), 0u);
  });
  EXPECT_EQ(out.read()[kItems - 1], uint32_t(kLength));
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::reduce_loaded(temp, bytes, Items<uint32_t>{values.data()}, sum.data(),
                                     kItems, std::plus<>());
  });
  EXPECT_EQ(sum.read()[0], uint32_t(kItems));
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::scan_loaded<compaction::ScanKind::kExclusive>(
        temp, bytes, Items<uint32_t>{values.data()}, compaction::StoreItems<uint32_t>{out.data()},
        kItems, std::plus<>(), 5u);
  });
  EXPECT_EQ(out.read()[kItems - 1], uint32_t(kItems + 4));
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaRuns, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
