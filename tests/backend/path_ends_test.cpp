#include "backend/path_ends.h"

#include <gtest/gtest.h>

namespace winnow {
namespace {

TEST(DeathMaps, SortWhatTheFilmCountedByPixel) {
  std::vector<uint32_t> deaths(2 * kDeathCount);
  deaths[uint32_t(Death::kEscaped)] = 3;
  deaths[kDeathCount + uint32_t(Death::kMaxDepth)] = 4;
  DeathMaps maps = make_death_maps({3, 4}, {5, 6}, deaths);
  ASSERT_EQ(maps.deaths.size(), 2u);
  EXPECT_EQ(maps.samples, (std::vector<uint32_t>{3, 4}));
  EXPECT_EQ(maps.bounces, (std::vector<uint32_t>{5, 6}));
  EXPECT_EQ(maps.deaths[0][uint32_t(Death::kEscaped)], 3u);
  EXPECT_EQ(maps.deaths[0][uint32_t(Death::kMaxDepth)], 0u);
  EXPECT_EQ(maps.deaths[1][uint32_t(Death::kMaxDepth)], 4u);
}

TEST(DeathMaps, AreEmptyWhereNobodyAsked) {
  EXPECT_TRUE(make_death_maps({1, 2}, {}, {}).samples.empty());
}

TEST(AliveMasks, CutTheRecordByBounce) {
  // Room for three words a bounce; the third bounce did not happen.
  std::vector<AliveMask> masks = make_alive_masks({1, 2, 3, 4, 5, 6, 7, 8, 9}, {65, 32, 0}, 3);
  ASSERT_EQ(masks.size(), 2u);
  EXPECT_EQ(masks[0].entries, 65u);
  EXPECT_EQ(masks[0].words, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_EQ(masks[1].entries, 32u);
  EXPECT_EQ(masks[1].words, (std::vector<uint32_t>{4}));
}

TEST(AliveMasks, AreNoneWhereNothingWasRecorded) {
  EXPECT_TRUE(make_alive_masks({}, {}, 0).empty());
}

}  // namespace
}  // namespace winnow
