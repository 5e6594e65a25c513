// SPDX-License-Identifier: MIT
#include "tests/compaction/support/order_of_combination.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "compaction/op/known_operators.h"
#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"
#include "compaction/single_pass/scan_loaded.h"
#include "tests/support/rounds.h"

// Scans and reductions have the bits that the order of combination gives, whatever the schedule,
// the device, the capacity and the address.

namespace {

using compaction::ItemCount;
using compaction::ScanKind;
using simt::host::Order;

constexpr ScanKind kInclusive = ScanKind::kInclusive, kExclusive = ScanKind::kExclusive;

/// Numbers that are added one by one.
template <class Number, unsigned kNumbers>
struct Several {
  std::array<Number, kNumbers> numbers;
};
template <class Number, unsigned kNumbers>
struct AddSeveral {
  static constexpr bool kCommutative = true;
  using T = Several<Number, kNumbers>;
  static T identity() { return {}; }
  T operator()(const T& a, const T& b) const {
    T sum;
    for (unsigned i = 0; i < kNumbers; ++i) sum.numbers[i] = a.numbers[i] + b.numbers[i];
    return sum;
  }
};

/// The map x -> scale * x + shift. Composition is neither commutative nor exact.
struct Map {
  float scale, shift;
};
struct ComposeMaps {
  static Map identity() { return {1, 0}; }
  Map operator()(const Map& a, const Map& b) const {
    return {a.scale * b.scale, a.shift * b.scale + b.shift};
  }
};

/// A byte as a number whose addition is not associative.
struct AddAndLimit {
  static constexpr bool kCommutative = true;
  static int8_t identity() { return 0; }
  int8_t operator()(int8_t a, int8_t b) const {
    return int8_t(std::max(-100, std::min(100, a + b)));
  }
};

template <class T>
T random_item(std::mt19937& random) {
  if constexpr (std::is_integral_v<T>) {
    return T(random());
  } else if constexpr (std::is_floating_point_v<T>) {
    if (random() % 16 == 0) return -T(0);
    return std::ldexp(T(int32_t(random())), int(random() % 24) - 40);
  } else if constexpr (std::is_same_v<T, Map>) {
    return {1 + std::ldexp(random_item<float>(random), -20), random_item<float>(random)};
  } else {
    T item;
    for (auto& number : item.numbers)
      number = random_item<std::remove_reference_t<decltype(number)>>(random);
    return item;
  }
}
template <class T>
std::vector<T> random_items(size_t n) {
  std::mt19937 random(7);
  std::vector<T> items(n);
  constexpr size_t kPeriod = 4999;
  for (size_t i = 0; i < n; ++i)
    items[i] = i < kPeriod ? random_item<T>(random) : items[i - kPeriod];
  return items;
}

template <class T>
bool same_bits(const T* a, const T* b, size_t n) {
  return std::memcmp(static_cast<const void*>(a), static_cast<const void*>(b), n * sizeof(T)) == 0;
}

/// The executor, as a device with any number of multiprocessors and any shared memory.
struct AnyDevice : simt::host::Executor {
  using Executor::Executor;
  unsigned multiprocessors() const { return reported; }
  size_t max_shared_bytes() const { return shared_of_block; }
  size_t shared_bytes_per_multiprocessor() const { return shared_of_multiprocessor; }

  unsigned reported = 1;
  size_t shared_of_block = 0, shared_of_multiprocessor = 0;
};

/// How a call differs from another one of the same items.
struct Circumstances {
  unsigned seed;
  AnyDevice device;
  uint64_t capacity;
  bool count_on_device, in_place;
  unsigned in_offset, out_offset;  // items

  Circumstances(unsigned seed, uint64_t n)
      : seed(seed),
        device({Order(seed % 3), seed, 1 + seed % 5}),
        capacity(n),
        count_on_device(seed % 4 == 1),
        in_place(seed % 7 == 2),
        in_offset(seed % 2 == 0 ? 0 : seed / 2 % 5),
        out_offset(seed % 3 == 0 ? 0 : seed / 3 % 4) {
    constexpr size_t kKib = 1 << 10;
    constexpr struct {
      size_t block, multiprocessor;
    } kShared[] = {{227 * kKib, 228 * kKib},  // sm_90
                   {163 * kKib, 164 * kKib},  // sm_80
                   {64 * kKib, 64 * kKib},    // sm_75
                   {227 * kKib, 0},           // no waves
                   {64 * kKib, 0}};
    constexpr unsigned kMultiprocessors[] = {132, 1, 3, 24, 7};
    device.shared_of_block = kShared[seed % 5].block;
    device.shared_of_multiprocessor = kShared[seed % 5].multiprocessor;
    device.reported = kMultiprocessors[(seed + seed / 5) % 5];  // every pair in 25 seeds
    if (count_on_device) capacity = n * (1 + seed % 40) + seed % 3;
  }
};

/// Scans in `seeds` ways by each of `kKinds` in turn.
template <class T, class Op, ScanKind... kKinds>
void expect_scans(size_t n, unsigned seeds) {
  const std::vector<T> in = random_items<T>(n);
  std::mt19937 random(9);
  const T init = random_item<T>(random);
  auto expect = [&]<ScanKind kKind>(unsigned first_seed) {
    const ordered::Scan<T> expected = ordered::scan(kKind, in, init, Op());
    for (unsigned seed = first_seed; seed < seeds; seed += sizeof...(kKinds)) {
      SCOPED_TRACE(testing::Message() << n << " items of " << sizeof(T) << " bytes, seed " << seed);
      Circumstances call(seed, n);
      constexpr size_t kVector = simt::kVectorBytes;
      std::vector<T> memory(n + 2 * kVector), other(n + 2 * kVector);
      auto aligned = [](std::vector<T>& items) {
        T* at = items.data();
        while (sizeof(T) < kVector && reinterpret_cast<uintptr_t>(at) % kVector != 0 &&
               at < items.data() + kVector)
          ++at;
        return at;
      };
      T* from = aligned(memory) + call.in_offset;
      T* to = call.in_place ? from : aligned(other) + call.out_offset;
      std::copy(in.begin(), in.end(), from);
      T total = init;
      std::vector<std::byte> workspace(compaction::scan_bytes<T, Op>(call.capacity));
      const uint64_t count = n;
      const ItemCount items =
          call.count_on_device ? ItemCount(call.capacity, &count) : ItemCount(n);
      const simt::Span<std::byte> span{workspace.data(), workspace.size()};
      if constexpr (kKind == ScanKind::kInclusive)
        compaction::inclusive_scan(call.device, static_cast<const T*>(from), items, to, Op(), init,
                                   &total, span);
      else
        compaction::exclusive_scan(call.device, static_cast<const T*>(from), items, to, Op(), init,
                                   &total, span);
      ASSERT_TRUE(same_bits(to, expected.out.data(), n));
      ASSERT_TRUE(same_bits(&total, &expected.total, 1));
    }
  };
  unsigned first_seed = 0;
  (expect.template operator()<kKinds>(first_seed++), ...);
}

TEST(OrderOfCombination, ScansOfFloatsInAnySchedule) {
  using Sum = compaction::Sum<float>;
  expect_scans<float, Sum, kExclusive, kInclusive>(0, 4);
  expect_scans<float, Sum, kExclusive, kInclusive>(1, 10);
  expect_scans<float, Sum, kExclusive, kInclusive>(4097, 10);
  expect_scans<float, Sum, kExclusive, kInclusive>(20'001, winnow::rounds(50));
}

TEST(OrderOfCombination, ScansOfSeveralRowsOfTiles) {
  using Large = Several<float, 16>;
  expect_scans<Large, AddSeveral<float, 16>, kExclusive>(2 * 32 * 512 + 700, winnow::rounds(2));
  expect_scans<float, compaction::Sum<float>, kInclusive>(2 * 32 * 8192 + 9000, winnow::rounds(1));
  // On 132 multiprocessors, tiles are a quarter of those of the order.
  expect_scans<Several<double, 2>, AddSeveral<double, 2>, kExclusive>(130 * 512 + 7, 1);
}

// Sizes of 1 to 200 bytes, powers of two or not: each size has tiles of its own. The kinds of scans
// differ only where they write, so each size is scanned by one of them.
TEST(OrderOfCombination, ScansOfItemsOfAnySize) {
  const unsigned seeds = winnow::rounds(5);
  expect_scans<Map, ComposeMaps, kExclusive>(9'001, seeds);
  expect_scans<int8_t, AddAndLimit, kInclusive>(40'001, seeds);
  expect_scans<Several<float, 3>, AddSeveral<float, 3>, kExclusive>(8'001, seeds);
  expect_scans<Several<double, 2>, AddSeveral<double, 2>, kExclusive>(6'001, seeds);
  expect_scans<Several<float, 5>, AddSeveral<float, 5>, kInclusive>(5'001, seeds);
  expect_scans<Several<float, 50>, AddSeveral<float, 50>, kExclusive>(1'501, seeds);
}

/// Expects the documented order of scans by segment, in segments of about `length` items.
template <class T, class Op, ScanKind... kKinds>
void expect_segmented_scans(size_t n, unsigned length, unsigned seeds) {
  const std::vector<T> in = random_items<T>(n);
  std::mt19937 random(5);
  std::vector<uint8_t> begins(n);
  for (uint8_t& flag : begins) flag = random() % length == 0;
  const T init = random_item<T>(random);
  auto expect = [&]<ScanKind kKind>(unsigned first_seed) {
    const std::vector<T> expected = ordered::segmented_scan(kKind, in, begins, init, Op());
    for (unsigned seed = first_seed; seed < seeds; seed += sizeof...(kKinds)) {
      SCOPED_TRACE(testing::Message() << n << " items of " << sizeof(T) << " bytes in segments of "
                                      << length << ", seed " << seed);
      Circumstances call(seed, n);
      std::vector<T> out(n + call.out_offset);
      using Load = compaction::Items<T>;
      using Begins = compaction::BeginsAtFlag;
      std::vector<std::byte> workspace(
          compaction::segmented_scan_bytes<Load, Begins, Op>(call.capacity));
      const uint64_t count = n;
      compaction::segmented_scan<kKind>(
          call.device, Load{in.data()}, Begins{begins.data()}, out.data() + call.out_offset,
          call.count_on_device ? ItemCount(call.capacity, &count) : ItemCount(n), Op(), init,
          {workspace.data(), workspace.size()});
      ASSERT_TRUE(same_bits(out.data() + call.out_offset, expected.data(), n));
    }
  };
  unsigned first_seed = 0;
  (expect.template operator()<kKinds>(first_seed++), ...);
}

TEST(OrderOfCombination, ScansBySegmentInAnySchedule) {
  using Sum = compaction::Sum<float>;
  const unsigned seeds = winnow::rounds(5);
  for (unsigned length : {3u, 700u, 9'000u, 1u << 30})
    expect_segmented_scans<float, Sum, kExclusive, kInclusive>(15'001, length, seeds);
  expect_segmented_scans<Map, ComposeMaps, kExclusive>(9'001, 2'000, seeds);
  expect_segmented_scans<int8_t, AddAndLimit, kInclusive>(40'001, 9'000, seeds);
  expect_segmented_scans<Several<float, 3>, AddSeveral<float, 3>, kExclusive>(8'001, 2'000, seeds);
  expect_segmented_scans<Several<float, 16>, AddSeveral<float, 16>, kInclusive>(20'001, 9'000,
                                                                                seeds);
}

TEST(OrderOfCombination, ScansOfComputedItemsAreThoseOfStoredItems) {
  const std::vector<float> in = random_items<float>(20'001);
  const auto expected = ordered::scan(ScanKind::kInclusive, in, 0.f, compaction::Sum<float>());
  using Load = compaction::Items<float>;
  using Store = compaction::StoreItems<float>;
  for (unsigned seed = 0; seed < winnow::rounds(10); ++seed) {
    Circumstances call(seed, in.size());
    std::vector<float> memory(in.size() + call.out_offset);
    float* out = memory.data() + call.out_offset;
    float total = 0;
    std::vector<std::byte> workspace(
        compaction::scan_loaded_bytes<Load, Store, compaction::Sum<float>>(in.size()));
    const simt::Span<std::byte> span{workspace.data(), workspace.size()};
    compaction::scan_loaded<ScanKind::kInclusive>(call.device, Load{in.data()}, Store{out},
                                                  ItemCount(in.size()), compaction::Sum<float>(),
                                                  0.f, &total, span);
    ASSERT_TRUE(same_bits(out, expected.out.data(), in.size())) << "seed " << seed;
    ASSERT_TRUE(same_bits(&total, &expected.total, 1)) << "seed " << seed;
  }
}

/// Takes only temporaries, which is what loads return.
struct Negated {
  SIMT_HOST_DEVICE float operator()(float&& value) const { return -value; }
};

/// Expects that reductions of loads of these items, in any schedule, have the bits of those of
/// arrays.
template <class Op>
void expect_reductions_of_loads(size_t n, const Op& op) {
  constexpr unsigned kStride = 3;
  const std::vector<float> in = random_items<float>(n * kStride + 1);
  for (unsigned offset : {0u, 1u}) {
    const float* from = in.data() + offset;
    const auto expect = [&](const auto& load) {
      std::vector<float> items(n);
      for (size_t i = 0; i < n; ++i) items[i] = load(i);
      const float expected = ordered::reduce<float>(items, op);
      for (unsigned seed = 0; seed < winnow::rounds(4); ++seed) {
        Circumstances call(seed, n);
        std::vector<std::byte> workspace(compaction::reduce_bytes<float>());
        float reduced = 0;
        compaction::reduce_loaded(call.device, load, ItemCount(n), &reduced, op,
                                  simt::Span<std::byte>{workspace.data(), workspace.size()});
        ASSERT_TRUE(same_bits(&reduced, &expected, 1)) << n << " items, seed " << seed;
      }
    };
    using Load = compaction::Items<float>;
    expect(Load{from});
    expect(compaction::Transformed<Load, Negated>{{from}, {}});
    expect(compaction::Widened<float, compaction::Transformed<Load, Negated>>{{{from}, {}}});
    expect(compaction::Strided<float>{from, kStride});
  }
}

TEST(OrderOfCombination, ReductionsOfComputedItemsAreThoseOfStoredItems) {
  for (size_t n : {3u, 700u, 40'001u}) {
    expect_reductions_of_loads(n, compaction::Sum<float>());
    expect_reductions_of_loads(n, compaction::WithIdentity{compaction::Sum<float>(), 0.0f});
  }
}

/// Returns a Python that has NumPy; empty if there is none.
std::string python_with_numpy() {
  for (const char* python : {"python3", "/usr/bin/python3"})
    if (std::system((std::string(python) + " -c 'import numpy' 2>/dev/null").c_str()) == 0)
      return python;
  return {};
}

// compaction/examples/float_scan.py, which README.md shows.
TEST(OrderOfCombination, TheNumPyProgramHasTheSameBits) {
  const std::string python = python_with_numpy();
  if (python.empty()) GTEST_SKIP() << "NumPy is not installed";
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(testing::TempDir()) / "compaction_float_scan";
  fs::create_directories(folder);
  const fs::path in_file = folder / "in", out_file = folder / "out";
  for (size_t n : {1u, 700u, 300'001u}) {
    const std::vector<float> in = random_items<float>(n);
    std::ofstream(in_file, std::ios::binary)
        .write(reinterpret_cast<const char*>(in.data()), std::streamsize(n * sizeof(float)));
    const std::string command = python + " '" + WINNOW_SOURCE_DIR +
                                "/compaction/examples/float_scan.py' '" + in_file.string() + "' '" +
                                out_file.string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::vector<float> out(n);
    std::ifstream(out_file, std::ios::binary)
        .read(reinterpret_cast<char*>(out.data()), std::streamsize(n * sizeof(float)));

    std::vector<float> expected(n);
    float total = 0;
    AnyDevice device({Order::kShuffled, 1, 3});
    std::vector<std::byte> workspace(compaction::scan_bytes<float>(n));
    compaction::inclusive_scan(device, in.data(), ItemCount(n), expected.data(),
                               compaction::Sum<float>(), 0.f, &total,
                               {workspace.data(), workspace.size()});
    ASSERT_TRUE(same_bits(out.data(), expected.data(), n)) << n << " items";
  }
  fs::remove_all(folder);
}

template <class T, class Op, class In = T>
void expect_reduces(size_t n, unsigned seeds) {
  const std::vector<In> in = random_items<In>(n);
  const T expected = ordered::reduce<T>(in, Op());
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << n << " items of " << sizeof(In) << " bytes into "
                                    << sizeof(T) << ", seed " << seed);
    Circumstances call(seed, n);
    std::vector<In> memory(n + call.in_offset);
    std::copy(in.begin(), in.end(), memory.begin() + call.in_offset);
    std::vector<std::byte> workspace(compaction::reduce_bytes<T>());
    const uint64_t count = n;
    T result = T(Op().identity());
    compaction::reduce(call.device, static_cast<const In*>(memory.data()) + call.in_offset,
                       call.count_on_device ? ItemCount(call.capacity, &count) : ItemCount(n),
                       &result, Op(), {workspace.data(), workspace.size()});
    ASSERT_TRUE(same_bits(&result, &expected, 1));
  }
}

TEST(OrderOfCombination, ReductionsInAnySchedule) {
  for (size_t n : {0u, 1u, 5u, 8193u, 16'384u, 16'385u})
    expect_reduces<float, compaction::Sum<float>>(n, 12);
  const unsigned seeds = winnow::rounds(5);
  expect_reduces<float, compaction::Sum<float>>(100'003, winnow::rounds(15));
  expect_reduces<double, compaction::Sum<double>>(50'003, seeds);
  expect_reduces<double, compaction::Sum<double>, float>(60'003, seeds);
  expect_reduces<Map, ComposeMaps>(50'003, winnow::rounds(10));
  expect_reduces<Several<float, 3>, AddSeveral<float, 3>>(20'003, seeds);
  expect_reduces<Several<double, 2>, AddSeveral<double, 2>>(20'003, seeds);
  expect_reduces<Several<float, 20>, AddSeveral<float, 20>>(2'003, seeds);
}

// More steps than shares: 1,056 shares of one or two steps of 512 items of 36 bytes.
TEST(OrderOfCombination, ReductionsOfManyShares) {
  expect_reduces<Several<float, 9>, AddSeveral<float, 9>>(550'001, 1);
}

}  // namespace
