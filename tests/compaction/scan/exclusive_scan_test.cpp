#include "compaction/scan/exclusive_scan.h"

#include <gtest/gtest.h>

#include <random>

#include "compaction/scan/sequential_scan.h"
#include "tests/compaction/algorithms.h"

namespace {

std::vector<uint32_t> random_items(uint32_t n) {
  std::mt19937 random(11);
  std::vector<uint32_t> items(n);
  for (uint32_t& item : items) item = uint32_t(random());  // sums wrap around
  return items;
}

class ExclusiveScan : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (std::string why = GetParam().why_unavailable(); !why.empty()) GTEST_SKIP() << why;
    algorithms_ = GetParam().make();
  }

  void expect_right(const ScanProblem& problem) {
    std::vector<uint32_t> expected(problem.in.size());
    uint32_t expected_total = compaction::sequential_exclusive_scan(
        {problem.in.data(), problem.in.size()}, {expected.data(), expected.size()});
    ScanResult result = algorithms_->exclusive_scan(problem);
    EXPECT_EQ(result.out, expected);
    EXPECT_EQ(result.total, expected_total);
  }

  std::unique_ptr<Algorithms> algorithms_;
};

TEST_P(ExclusiveScan, SumsAllEarlierItems) {
  for (uint32_t n : {0u, 1u, 2u, 31u, 32u, 33u, 511u, 512u, 513u, 1024u, 5000u})
    for (bool in_place : {false, true}) {
      SCOPED_TRACE(testing::Message() << n << " items, in place: " << in_place);
      expect_right({.in = random_items(n), .capacity = n, .in_place = in_place});
    }
}

TEST_P(ExclusiveScan, ScansTheSumsOfTheTileSums) {
  uint32_t n = 512 * 512 + 1;
  expect_right({.in = random_items(n), .capacity = n});
}

TEST_P(ExclusiveScan, CountOnTheDeviceLimitsTheItems) {
  for (uint32_t capacity : {1u, 512u, 3000u})
    for (uint32_t n : {0u, 1u, 511u, 512u, 2999u}) {
      if (n > capacity) continue;
      SCOPED_TRACE(testing::Message() << n << " of at most " << capacity << " items");
      expect_right({.in = random_items(n), .capacity = capacity, .count_on_device = true});
    }
}

TEST(ExclusiveScanBytes, GrowWithTheCapacity) {
  size_t before = 0;
  for (uint32_t capacity = 0; capacity < 600'000; capacity += 1000) {
    size_t bytes = compaction::exclusive_scan_bytes(capacity);
    EXPECT_GE(bytes, before);
    before = bytes;
  }
}

std::string name_of(const testing::TestParamInfo<Backend>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Host, ExclusiveScan, testing::ValuesIn(host_backends()), name_of);
#if defined(WINNOW_CUDA)
INSTANTIATE_TEST_SUITE_P(Gpu, ExclusiveScan, testing::ValuesIn(cuda_backends()), name_of);
#endif

}  // namespace
