// SPDX-License-Identifier: MIT
#include "ranks/ranks.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/ranks/support/thread_ranks.h"

namespace winnow {
namespace {

using testing::ElementsAre;

TEST(Ranks, AgreeOnSumsAndOnWhatTheFirstOneSays) {
  ThreadRanks::run(3, [](Ranks& ranks) {
    for (int round = 0; round < 50; ++round) {
      std::vector<uint64_t> values = {ranks.rank(), 1, uint64_t(round)};
      sum(ranks, values);
      EXPECT_THAT(values, ElementsAre(3u, 3u, uint64_t(3 * round)));
    }
    EXPECT_TRUE(any(ranks, ranks.rank() == 2));
    EXPECT_FALSE(any(ranks, false));
    EXPECT_EQ(value_of_first(ranks, 7.5 + ranks.rank()), 7.5);
    EXPECT_THAT(values_of_first(ranks, std::vector<int>(ranks.rank() == 0 ? 2 : 5, 4)),
                ElementsAre(4, 4));
    EXPECT_EQ(text_of_first(ranks, ranks.is_first() ? "first" : "another one"), "first");
    EXPECT_EQ(text_of_first(ranks, ranks.is_first() ? "" : "another one"), "");
    EXPECT_THAT(texts_of_all(ranks, std::string(ranks.rank() * 2, 'x')),
                ElementsAre("", "xx", "xxxx"));
  });
}

TEST(Ranks, ReceiveFewerBytesThanTheyExpectInTheOrderInWhichTheyWereSent) {
  ThreadRanks::run(2, [](Ranks& ranks) {
    std::vector<std::vector<std::byte>> bytes(3, std::vector<std::byte>(10));
    std::vector<std::unique_ptr<Transfer>> transfers;
    for (size_t i = 0; i < bytes.size(); ++i)
      if (ranks.is_first()) {
        transfers.push_back(ranks.start_receive(bytes[i], 1));
      } else {
        bytes[i].assign(2 * i, std::byte(i));
        transfers.push_back(ranks.start_send(bytes[i], 0));
      }
    for (const size_t i : {2, 0, 1}) {
      nap_until([&] { return transfers[i]->is_complete(); }, kRestlessForBytes);
      if (!ranks.is_first()) continue;
      EXPECT_EQ(transfers[i]->bytes(), 2 * i);
      EXPECT_EQ(size_t(std::count(bytes[i].begin(), bytes[i].end(), std::byte(i))),
                i == 0 ? 10 : 2 * i);
    }
  });
}

TEST(Ranks, OfASingleProcessAgreeWithThemselves) {
  const std::unique_ptr<Ranks> ranks = make_single_rank();
  EXPECT_TRUE(ranks->is_first());
  EXPECT_EQ(ranks->count(), 1u);
  EXPECT_TRUE(any(*ranks, true));
  EXPECT_FALSE(any(*ranks, false));
  EXPECT_EQ(value_of_first(*ranks, 3), 3);
  EXPECT_EQ(text_of_first(*ranks, "a"), "a");
  EXPECT_THAT(texts_of_all(*ranks, "a"), ElementsAre("a"));
}

}  // namespace
}  // namespace winnow
