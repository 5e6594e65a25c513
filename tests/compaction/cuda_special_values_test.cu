// SPDX-License-Identifier: MIT
// Minima and maxima of NaNs, infinities and zeros on a GPU have the bits of a loop on the host.

#include <limits>

#include "tests/compaction/support/cuda_arrays.cuh"
#include "tests/compaction/support/same_bits.h"

namespace {

using compaction::Max;
using compaction::Min;

class CudaSpecialValues : public OnGpu {};

/// Reduces and scans random special values, of the first `kinds` kinds.
template <class Op, class T>
void expect_bits_of_a_loop(size_t n, unsigned kinds, const Workspace& workspace) {
  using Of = std::numeric_limits<T>;
  SCOPED_TRACE(testing::Message() << n << " values of " << kinds << " kinds");
  const T values[] = {Of::quiet_NaN(),
                      -Of::quiet_NaN(),
                      Of::infinity(),
                      -Of::infinity(),
                      T(0),
                      -T(0),
                      Of::denorm_min(),
                      T(1)};
  std::mt19937 random{uint32_t(n + kinds)};
  std::vector<T> items(n), expected(n);
  T total = Op::identity();
  for (size_t i = 0; i < n; ++i) {
    items[i] = values[random() % kinds];
    expected[i] = total = Op()(total, items[i]);
  }
  Array<T> in(items), out(n), result(1);
  check(compaction::reduce(in.data(), result.data(), n, Op(), workspace));
  EXPECT_TRUE(same_bits(result.read(), {total}));
  check(compaction::inclusive_scan(in.data(), out.data(), n, Op(), workspace));
  EXPECT_TRUE(same_bits(out.read(), expected));
}

template <class T>
void expect_bits_of_loops() {
  constexpr size_t kMaxItems = 5'000'003;
  Workspace workspace;
  check(workspace.reserve(compaction::bytes_for<T>(kMaxItems)));
  for (size_t n : {size_t(1), size_t(33), size_t(4097), size_t(200'001), kMaxItems})
    for (unsigned kinds : {2u, 3u, 6u, 8u}) {
      expect_bits_of_a_loop<Min<T>, T>(n, kinds, workspace);
      expect_bits_of_a_loop<Max<T>, T>(n, kinds, workspace);
    }
}

TEST_P(CudaSpecialValues, MinAndMaxOfFloatsHaveTheBitsOfALoop) {
  expect_bits_of_loops<float>();
}
TEST_P(CudaSpecialValues, MinAndMaxOfDoublesHaveTheBitsOfALoop) {
  expect_bits_of_loops<double>();
}

TEST_P(CudaSpecialValues, NaNBesideTheLeastNumberIsNotTheMinimum) {
  constexpr size_t kItems = 1 << 20;
  std::vector<float> items(kItems);
  for (size_t i = 0; i < kItems; ++i) items[i] = 1 + float(i % 1000);
  Array<float> in(items), result(1);
  Workspace workspace;
  check(workspace.reserve(compaction::bytes_for<float>(kItems)));
  std::mt19937 random(7);
  const float special[2] = {0.5f, std::numeric_limits<float>::quiet_NaN()};
  for (int repetition = 0; repetition < 500; ++repetition) {
    const size_t at = random() % (kItems - 1), nan_first = repetition % 2;
    const float pair[2] = {special[nan_first], special[1 - nan_first]};
    check(cudaMemcpy(in.data() + at, pair, sizeof(pair), cudaMemcpyHostToDevice));
    check(compaction::reduce(in.data(), result.data(), kItems, Min<float>(), workspace));
    ASSERT_EQ(result.read()[0], 0.5f) << at;
    check(cudaMemcpy(in.data() + at, items.data() + at, sizeof(pair), cudaMemcpyHostToDevice));
  }
}

INSTANTIATE_TEST_SUITE_P(Gpu, CudaSpecialValues, testing::Values("cuda"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
