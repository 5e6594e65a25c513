#include "compaction/ladder/sequential_select.h"

#include <gtest/gtest.h>

#include <vector>

#include "compaction/ladder/flag_source.h"

namespace {

static_assert(compaction::Source<compaction::FlagSource>);

TEST(SequentialSelect, WritesIndicesOfSetFlagsInOrder) {
  std::vector<uint8_t> flags = {0, 1, 1, 0, 2};
  std::vector<uint32_t> selected(3);
  EXPECT_EQ(compaction::sequential_select(compaction::FlagSource{{flags.data(), 5}}, 5,
                                          {selected.data(), 3}),
            3u);
  EXPECT_EQ(selected, (std::vector<uint32_t>{1, 2, 4}));
}

TEST(SequentialSelect, NothingSelectsNothing) {
  EXPECT_EQ(compaction::sequential_select(compaction::FlagSource{}, 0, {}), 0u);
}

}  // namespace
