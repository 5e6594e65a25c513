// SPDX-License-Identifier: MIT
#include "compaction/append.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/compaction/ladder/support/ladder.h"
#include "tests/compaction/support/select_items.h"

namespace {

/// Returns the items whose flag is set.
std::vector<uint32_t> flagged(const std::vector<uint8_t>& flags,
                              const std::vector<uint32_t>& items) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < items.size(); ++i)
    if (flags[i]) out.push_back(items[i]);
  return out;
}

class BlockAppend : public testing::TestWithParam<LadderBackend> {
 protected:
  void SetUp() override {
    if (std::string why = GetParam().why_unavailable(); !why.empty()) GTEST_SKIP() << why;
    selects_ = GetParam().make_selects();
  }

  std::unique_ptr<LadderSelects> selects_;
};

TEST_P(BlockAppend, AppendsEachPushedValueOnce) {
  for (uint32_t n : {1u, 32u, 127u, 128u, 129u, 384u, 385u, 5000u})
    for (double density : {0.0, 0.03, 0.5, 1.0}) {
      SCOPED_TRACE(testing::Message() << n << " items, " << density << " of them pushed");
      const std::vector<uint8_t> flags = fast::random_keep(n, density);
      std::vector<uint32_t> values(n);
      std::iota(values.begin(), values.end(), 0);
      const std::vector<uint32_t> pushed = flagged(flags, values);
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
  for (uint32_t i = 0; i < 128; ++i) flags[i] = i % 5 < 2;
  std::vector<uint32_t> values(128);
  std::iota(values.rbegin(), values.rend(), 873);  // descending
  const std::vector<uint32_t> pushed = flagged(flags, values);
  EXPECT_EQ(selects_->append(flags, values), pushed);
  EXPECT_EQ(selects_->append_many(flags, values), pushed);
}

std::string name_of_ladder(const testing::TestParamInfo<LadderBackend>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Host, BlockAppend, testing::ValuesIn(host_ladders()), name_of_ladder);
#if defined(WINNOW_GPU_TESTS)
INSTANTIATE_TEST_SUITE_P(Gpu, BlockAppend, testing::ValuesIn(cuda_ladders()), name_of_ladder);
#endif

}  // namespace
