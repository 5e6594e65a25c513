// SPDX-License-Identifier: MIT
#include "ranks/places.h"

#include <gtest/gtest.h>

#include <thread>

#include "tests/ranks/support/thread_ranks.h"

namespace winnow {
namespace {

TEST(RankPlaces, CountTheRanksOfEachHost) {
  const std::vector<RankPlace> places = {
      {0, "a", "11"}, {1, "b", "11"}, {0, "a", "11"}, {1, "b", "11"}, {0, "a", "11"}};
  EXPECT_EQ(local_rank(places, 0), 0u);
  EXPECT_EQ(local_rank(places, 3), 1u);
  EXPECT_EQ(local_rank(places, 4), 2u);
}

TEST(RankPlaces, DivideTheProcessorsThatRanksShare) {
  const std::string eight = "11111111";
  // Unbound ranks of a host share all of its processors; the first ones get what is left over.
  const std::vector<RankPlace> unbound = {
      {0, "a", eight}, {0, "a", eight}, {0, "a", eight}, {3, "b", eight}};
  EXPECT_EQ(thread_count(unbound, 0), 3u);
  EXPECT_EQ(thread_count(unbound, 1), 3u);
  EXPECT_EQ(thread_count(unbound, 2), 2u);
  EXPECT_EQ(thread_count(unbound, 3), 8u);
  // Ranks that are bound to processors of their own have them.
  const std::vector<RankPlace> bound = {{0, "a", "1111"}, {0, "a", "00001111"}};
  EXPECT_EQ(thread_count(bound, 0), 4u);
  EXPECT_EQ(thread_count(bound, 1), 4u);
  // More ranks than processors.
  const std::vector<RankPlace> crowded(5, {0, "a", "11"});
  for (uint32_t rank = 0; rank < 5; ++rank) EXPECT_EQ(thread_count(crowded, rank), 1u);
}

TEST(RankPlaces, AreKnownToAllRanks) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    const std::vector<RankPlace> places = find_places(ranks);
    ASSERT_EQ(places.size(), 3u);
    EXPECT_EQ(places[1].host, 0u);
    EXPECT_EQ(places[2].host, 2u);
    EXPECT_FALSE(places[2].host_name.empty());
    EXPECT_EQ(places[0].processors, places[2].processors);
    EXPECT_EQ(thread_count(places, 2), std::thread::hardware_concurrency());
  });
}

}  // namespace
}  // namespace winnow
