// SPDX-License-Identifier: MIT
#include "compaction/append.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/compaction/ladder/support/ladder.h"

namespace {

class BlockAppend : public testing::TestWithParam<LadderBackend> {
 protected:
  void SetUp() override {
    if (std::string why = GetParam().why_unavailable(); !why.empty()) GTEST_SKIP() << why;
    selects_ = GetParam().make_selects();
  }

  std::unique_ptr<LadderSelects> selects_;
};

TEST_P(BlockAppend, AppendsEachPushedValueOnce) {
  std::mt19937 random(5);
  for (uint32_t n : {1u, 32u, 127u, 128u, 129u, 384u, 385u, 5000u})
    for (unsigned percent : {0u, 3u, 50u, 100u}) {
      SCOPED_TRACE(testing::Message() << n << " items, " << percent << " % pushed");
      std::vector<uint8_t> flags(n);
      std::vector<uint32_t> values(n), pushed;
      for (uint32_t i = 0; i < n; ++i) {
        flags[i] = random() % 100 < percent;
        values[i] = i;
        if (flags[i]) pushed.push_back(i);
      }
      std::vector<uint32_t> appended = selects_->append(flags, values);
      std::sort(appended.begin(), appended.end());
      EXPECT_EQ(appended, pushed);
      appended = selects_->append_many(flags, values);
      std::sort(appended.begin(), appended.end());
      EXPECT_EQ(appended, pushed) << "several values of each thread";
    }
}

TEST_P(BlockAppend, KeepsTheOrderWithinABatch) {
  std::vector<uint8_t> flags(128);
  std::vector<uint32_t> values(128), pushed;
  for (uint32_t i = 0; i < 128; ++i) {
    flags[i] = i % 5 < 2;
    values[i] = 1000 - i;
    if (flags[i]) pushed.push_back(values[i]);
  }
  EXPECT_EQ(selects_->append(flags, values), pushed);
  EXPECT_EQ(selects_->append_many(flags, values), pushed);
}

std::string name_of(const testing::TestParamInfo<LadderBackend>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Host, BlockAppend, testing::ValuesIn(host_ladders()), name_of);
#if defined(WINNOW_CUDA)
INSTANTIATE_TEST_SUITE_P(Gpu, BlockAppend, testing::ValuesIn(cuda_ladders()), name_of);
#endif

}  // namespace
