// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "compaction/cuda.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"

namespace {

class CudaApi : public OnGpu {};

TEST_P(CudaApi, RefusesInvalidArguments) {
  constexpr uint64_t kItems = 10'000, kTooMany = (uint64_t(1) << 40) + 1;
  Array<uint32_t> in(kItems), out(kItems);
  Array<uint64_t> count(1);
  Workspace workspace;
  const size_t bytes = compaction::select_if_bytes<uint32_t, Below>(kItems);
  check(workspace.reserve(std::max(bytes, compaction::reduce_bytes<uint32_t>())));
  const simt::Span<std::byte> none, small = workspace.span().subspan(0, bytes - 1);
  const uint32_t* items = in.data();
  auto select = [&](uint64_t n, simt::Span<std::byte> workspace) {
    return compaction::select_if(items, out.data(), {count.data()}, {n}, kBelowHalf, workspace);
  };
  EXPECT_EQ(select(kItems, none), cudaErrorInvalidValue);
  EXPECT_EQ(select(kItems, small), cudaErrorInvalidValue);
  EXPECT_EQ(select(kTooMany, workspace), cudaErrorInvalidValue);
  EXPECT_EQ(compaction::inclusive_scan(items, out.data(), {kTooMany}, Sum<uint32_t>(), workspace),
            cudaErrorInvalidValue);
  EXPECT_EQ(compaction::exclusive_scan(items, out.data(), {kItems}, Sum<uint32_t>(), none),
            cudaErrorInvalidValue);
  EXPECT_EQ(compaction::reduce(items, out.data(), {kItems}, Sum<uint32_t>(), none),
            cudaErrorInvalidValue);
  EXPECT_EQ(compaction::partition_if(items, out.data(), out.data(), {count.data()}, {kItems},
                                     kBelowHalf, none),
            cudaErrorInvalidValue);
  size_t too_few = 1;
  EXPECT_EQ(compaction::select_if(in.data(), too_few, items, out.data(), {count.data()}, {kItems},
                                  kBelowHalf),
            cudaErrorInvalidValue);
  check(cudaDeviceSynchronize());
  EXPECT_EQ(count.read()[0], 0xA5A5A5A5A5A5A5A5u);
  EXPECT_EQ(out.read(), std::vector<uint32_t>(kItems, 0xA5A5A5A5u));
  EXPECT_EQ(select(kItems, workspace), cudaSuccess);
}

/// Calls with a null pointer for the size, then with that much temporary storage at any address.
template <class Call>
void in_temp(Call call) {
  size_t bytes = 0;
  check(call(nullptr, bytes));
  for (size_t offset : {size_t(0), size_t(1), size_t(8), size_t(255)}) {
    Array<std::byte> temp(bytes + offset + 1);  // poisoned
    check(call(temp.data() + offset, bytes));
    std::vector<std::byte> after = temp.read();
    EXPECT_TRUE(std::all_of(after.begin(), after.begin() + ptrdiff_t(offset),
                            [](std::byte byte) { return byte == std::byte{0xA5}; }));
    EXPECT_EQ(after.back(), std::byte{0xA5});
  }
}

TEST_P(CudaApi, AnyMemoryIsTemporaryStorage) {
  constexpr uint64_t kItems = 50'000;
  std::vector<uint32_t> numbers = random_numbers(kItems, 1);
  std::vector<uint32_t> selected = reference_select(numbers, kItems, kBelowHalf);
  Array<uint32_t> in(numbers), out(kItems), rejected(kItems), sum(1);
  Array<uint64_t> count(1);
  const uint32_t* items = in.data();
  const ItemCount n{kItems};
  std::vector<uint32_t> sums(kItems);

  in_temp([&](void* temp, size_t& bytes) {
    return compaction::select_if(temp, bytes, items, out.data(), {count.data()}, n, kBelowHalf);
  });
  EXPECT_EQ(count.read()[0], selected.size());
  EXPECT_EQ(out.read(selected.size()), selected);
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::partition_if(temp, bytes, items, out.data(), rejected.data(), {count.data()},
                                    n, kBelowHalf);
  });
  EXPECT_EQ(out.read(selected.size()), selected);
  std::stable_partition(numbers.begin(), numbers.end(), kBelowHalf);
  EXPECT_EQ(rejected.read(kItems - selected.size()),
            std::vector<uint32_t>(numbers.begin() + ptrdiff_t(selected.size()), numbers.end()));
  numbers = random_numbers(kItems, 1);
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::inclusive_scan(temp, bytes, items, out.data(), n, Sum<uint32_t>());
  });
  std::inclusive_scan(numbers.begin(), numbers.end(), sums.begin());
  EXPECT_EQ(out.read(), sums);
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::exclusive_scan(temp, bytes, items, out.data(), n, Sum<uint32_t>());
  });
  std::exclusive_scan(numbers.begin(), numbers.end(), sums.begin(), 0u);
  EXPECT_EQ(out.read(), sums);
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::exclusive_scan(temp, bytes, items, out.data(), n, Sum<uint32_t>(), nullptr,
                                      5u, sum.data());
  });
  std::exclusive_scan(numbers.begin(), numbers.end(), sums.begin(), 5u);
  EXPECT_EQ(out.read(), sums);
  EXPECT_EQ(sum.read()[0], sums.back() + numbers.back());
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::inclusive_scan(temp, bytes, items, out.data(), n, Sum<uint32_t>(), nullptr,
                                      5u, sum.data());
  });
  std::inclusive_scan(numbers.begin(), numbers.end(), sums.begin(), std::plus<>(), 5u);
  EXPECT_EQ(out.read(), sums);
  EXPECT_EQ(sum.read()[0], sums.back());
  in_temp([&](void* temp, size_t& bytes) {
    return compaction::reduce(temp, bytes, items, sum.data(), n, Sum<uint32_t>());
  });
  EXPECT_EQ(sum.read()[0], std::accumulate(numbers.begin(), numbers.end(), 0u));
}

TEST_P(CudaApi, AnyMemoryIsTemporaryStorageForEverySelectAndPartition) {
  constexpr uint64_t kItems = 50'000;
  constexpr uint32_t kBits = 32;
  std::vector<uint32_t> numbers = random_numbers(kItems, 1), mask(kItems / kBits + 1, 0);
  const std::vector<uint32_t> selected = reference_select(numbers, kItems, kBelowHalf);
  std::vector<uint8_t> flags(kItems);
  for (uint32_t i = 0; i < kItems; ++i) {
    flags[i] = kBelowHalf(numbers[i]);
    mask[i / kBits] |= uint32_t(flags[i]) << i % kBits;
  }
  std::vector<uint32_t> parted = numbers;
  std::stable_partition(parted.begin(), parted.end(), kBelowHalf);
  const std::vector<uint32_t> others(parted.begin() + ptrdiff_t(selected.size()), parted.end());
  Array<uint32_t> in(numbers), out(kItems), rejected(kItems), device_mask(mask);
  Array<uint8_t> device_flags(flags);
  Array<uint32_t> count(1);
  auto expect_selects = [&](auto call) {
    in_temp(call);
    EXPECT_EQ(count.read()[0], selected.size());
    EXPECT_EQ(out.read(selected.size()), selected);
    count.write({0});
  };
  const compaction::ItemsIf<uint32_t, Below> source{in.data(), kBelowHalf};
  const compaction::WriteItems<uint32_t> to{out.data()}, to_rejected{rejected.data()};
  expect_selects([&](void* temp, size_t& bytes) {
    return compaction::select(temp, bytes, source, to, kItems, count.data());
  });
  expect_selects([&](void* temp, size_t& bytes) {
    return compaction::select_flagged(temp, bytes, in.data(), device_flags.data(), out.data(),
                                      count.data(), kItems);
  });
  expect_selects([&](void* temp, size_t& bytes) {
    return compaction::select_masked(temp, bytes, in.data(), device_mask.data(), out.data(),
                                     count.data(), kItems);
  });
  expect_selects([&](void* temp, size_t& bytes) {
    return compaction::partition(temp, bytes, source, to, to_rejected, kItems, count.data());
  });
  EXPECT_EQ(rejected.read(others.size()), others);
  expect_selects([&](void* temp, size_t& bytes) {
    return compaction::partition_in_one_if(temp, bytes, in.data(), out.data(), count.data(), kItems,
                                           kBelowHalf);
  });
  EXPECT_EQ(out.read(), parted);
}

/// 12 bytes, which no vector load moves.
struct Triple {
  uint32_t key, b, c;
};
struct KeyBelow {
  uint32_t limit;
  __host__ __device__ bool operator()(const Triple& item) const { return item.key < limit; }
};

TEST_P(CudaApi, SelectsByPredicateFlagsAndMask) {
  constexpr uint64_t kItems = 40'000;
  constexpr uint32_t kBits = 32;
  std::vector<uint32_t> keys = random_numbers(kItems, 1);
  std::vector<uint32_t> selected = reference_select(keys, kItems, kBelowHalf);
  std::vector<Triple> triples(kItems);
  std::vector<uint8_t> flags(kItems);
  std::vector<uint32_t> mask((kItems + kBits - 1) / kBits, 0);
  for (uint32_t i = 0; i < kItems; ++i) {
    triples[i] = {keys[i], i, ~i};
    flags[i] = kBelowHalf(keys[i]);
    mask[i / kBits] |= uint32_t(flags[i]) << i % kBits;
  }
  Array<Triple> in(triples), out(kItems);
  Array<uint8_t> device_flags(flags);
  Array<uint32_t> device_mask(mask), count(1);
  const Triple* items = in.data();
  Workspace workspace;
  check(workspace.reserve(std::max(
      {compaction::select_if_bytes<Triple, KeyBelow>(kItems),
       compaction::select_bytes<compaction::Flagged, compaction::WriteColumns<Triple>>(kItems),
       compaction::select_bytes<compaction::Masked, compaction::WriteColumns<Triple>>(kItems)})));
  auto expect_selected = [&] {
    ASSERT_EQ(count.read()[0], selected.size());
    std::vector<Triple> got = out.read(selected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(got[i].key, selected[i]);
      ASSERT_EQ(got[i].c, ~got[i].b);
    }
    count.write({0});
  };
  check(compaction::select_if(items, out.data(), {count.data()}, {kItems}, KeyBelow{1u << 31},
                              workspace));
  expect_selected();
  check(compaction::select_flagged(items, device_flags.data(), out.data(), {count.data()}, {kItems},
                                   workspace));
  expect_selected();
  check(compaction::select_masked(items, device_mask.data(), out.data(), {count.data()}, {kItems},
                                  workspace));
  expect_selected();
  // Only items that a vector load moves may be overwritten, or none at all.
  EXPECT_EQ(compaction::select_if(items, in.data(), {count.data()}, {kItems}, KeyBelow{1u << 31},
                                  workspace),
            cudaErrorInvalidValue);
  count.write({1});
  const decltype(items) no_items = nullptr;
  check(compaction::select_if(no_items, decltype(in.data())(nullptr), {count.data()}, {0},
                              KeyBelow{1u << 31}, workspace));
  EXPECT_EQ(count.read()[0], 0u);
}

TEST_P(CudaApi, SelectsOverItsInput) {
  constexpr uint64_t kItems = 3'000'000;
  std::vector<uint32_t> numbers = random_numbers(kItems, 1);
  Array<uint32_t> items(kItems);
  Array<uint64_t> count(1);
  Workspace workspace;
  check(workspace.reserve(compaction::select_if_bytes<uint32_t, Below>(kItems)));
  for (uint32_t limit : {1u << 28, 1u << 31, ~0u << 28}) {
    std::vector<uint32_t> selected = reference_select(numbers, kItems, Below(limit));
    for (int repetition = 0; repetition < 10; ++repetition) {
      items.write(numbers);
      check(compaction::select_if(static_cast<const uint32_t*>(items.data()), items.data(),
                                  {count.data()}, {kItems}, Below(limit), workspace));
      ASSERT_EQ(count.read()[0], selected.size());
      ASSERT_EQ(items.read(selected.size()), selected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaApi, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
