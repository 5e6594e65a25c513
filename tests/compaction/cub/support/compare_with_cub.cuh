// SPDX-License-Identifier: MIT
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "compaction/cub/cub_compat.cuh"
#include "tests/compaction/support/cuda_arrays.cuh"

// Each function of cub_compat.cuh is called by one text, once with CUB's class and once with ours,
// on the same data. Each test file includes the header of CUB's class that it needs.

namespace {

namespace ours = compaction::cub_compat;

struct Halved {
  __host__ __device__ uint32_t operator()(uint32_t number) const { return number / 2; }
};
/// Associative and without an identity.
struct Largest {
  __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return a < b ? b : a; }
};
struct IsSetFlag {
  __host__ __device__ bool operator()(uint32_t flag) const { return flag % 2 == 1; }
};

/// A predicate whose call operator is not const.
struct IsOdd {
  uint32_t divisor;
  __host__ __device__ bool operator()(uint32_t flag) { return flag % divisor == 1; }
};

/// The arrays that all calls use.
struct CompatArrays {
  explicit CompatArrays(size_t n)
      : numbers(random_numbers(n, 11)), in(numbers), flags(n), keys(n), bytes(n) {
    std::vector<uint8_t> set(n), small(n);
    std::vector<uint32_t> run(n);
    for (size_t i = 0; i < n; ++i) {
      set[i] = numbers[i] % 3 == 0;
      small[i] = uint8_t(numbers[i]);
      run[i] = uint32_t(i / 7 * (numbers[i / 7] % 2));
    }
    flags.write(set);
    keys.write(run);
    bytes.write(small);
  }

  std::vector<uint32_t> numbers;
  Array<uint32_t> in;
  Array<uint8_t> flags;
  Array<uint32_t> keys;
  Array<uint8_t> bytes;
};

/// The outputs of a call.
struct Outputs {
  explicit Outputs(size_t n) : a(n + 1), b(n + 1), wide(n + 1), count(1) {}
  bool operator==(const Outputs& other) const {
    return a.read() == other.a.read() && b.read() == other.b.read() &&
           wide.read() == other.wide.read() && count.read() == other.count.read();
  }
  Array<uint32_t> a, b;
  Array<unsigned long long> wide;
  Array<int> count;
};

/// Runs both phases of `call(temp, bytes)`.
template <class Call>
void in_two_phases(Call call) {
  size_t bytes = 0;
  check(call(nullptr, bytes));
  Array<std::byte> temp(std::max<size_t>(bytes, 1));
  check(call(temp.data(), bytes));
  check(cudaDeviceSynchronize());
}

/// Expects the same outputs of CUB's class and of ours. `call` is given an object of the class, the
/// arrays, the outputs, the number of items, temporary storage and its size.
template <class Theirs, class Ours, class Call>
void expect_same(const char* name, Call call) {
  for (size_t n : {1, 1000, 300'000}) {
    SCOPED_TRACE(testing::Message() << name << " of " << n << " items");
    const CompatArrays arrays(n);
    Outputs expected(n), got(n);
    const int items = int(n);
    in_two_phases([&](void* temp, size_t& bytes) {
      return call(Theirs(), arrays, expected, items, temp, bytes);
    });
    in_two_phases(
        [&](void* temp, size_t& bytes) { return call(Ours(), arrays, got, items, temp, bytes); });
    EXPECT_TRUE(got == expected);
  }
}

/// Calls expect_same() for an expression in which B is CUB's class `name` or ours, `in` are the
/// arrays and `o` the outputs.
#define EXPECT_SAME(name, ...)                                                               \
  expect_same<cub::name, ours::name>(                                                        \
      #__VA_ARGS__,                                                                          \
      [](auto which, const CompatArrays& in, Outputs& o, int n, void* temp, size_t& bytes) { \
        using B = decltype(which);                                                           \
        (void)in;                                                                            \
        (void)o;                                                                             \
        return __VA_ARGS__;                                                                  \
      })

inline auto counting() {
  return thrust::make_counting_iterator(5u);
}
template <class T>
auto halved(const T* items) {
  return thrust::make_transform_iterator(items, Halved());
}

}  // namespace
