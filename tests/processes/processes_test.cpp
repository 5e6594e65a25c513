// SPDX-License-Identifier: MIT
#include "processes/processes.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/processes/support/thread_processes.h"

namespace winnow {
namespace {

using testing::ElementsAre;

TEST(Processes, AgreeOnSumsAndOnWhatTheFirstOneSays) {
  ThreadProcesses::run(3, [](Processes& processes) {
    for (int round = 0; round < 50; ++round) {
      std::vector<uint64_t> values = {processes.index(), 1, uint64_t(round)};
      sum(processes, values);
      EXPECT_THAT(values, ElementsAre(3u, 3u, uint64_t(3 * round)));
    }
    EXPECT_TRUE(any(processes, processes.index() == 2));
    EXPECT_FALSE(any(processes, false));
    EXPECT_EQ(value_of_first(processes, 7.5 + processes.index()), 7.5);
    EXPECT_THAT(values_of_first(processes, std::vector<int>(processes.index() == 0 ? 2 : 5, 4)),
                ElementsAre(4, 4));
    EXPECT_EQ(text_of_first(processes, processes.is_first() ? "first" : "another one"), "first");
    EXPECT_EQ(text_of_first(processes, processes.is_first() ? "" : "another one"), "");
    EXPECT_THAT(texts_of_all(processes, std::string(processes.index() * 2, 'x')),
                ElementsAre("", "xx", "xxxx"));
  });
}

TEST(Processes, ReceiveFewerBytesThanTheyExpectInTheOrderInWhichTheyWereSent) {
  ThreadProcesses::run(2, [](Processes& processes) {
    std::vector<std::vector<std::byte>> bytes(3, std::vector<std::byte>(10));
    std::vector<std::unique_ptr<Transfer>> transfers;
    for (size_t i = 0; i < bytes.size(); ++i)
      if (processes.is_first()) {
        transfers.push_back(processes.start_receive(bytes[i], 1));
      } else {
        bytes[i].assign(2 * i, std::byte(i));
        transfers.push_back(processes.start_send(bytes[i], 0));
      }
    for (const size_t i : {2, 0, 1}) {
      nap_until([&] { return transfers[i]->is_complete(); }, kRestlessForBytes);
      if (!processes.is_first()) continue;
      EXPECT_EQ(transfers[i]->bytes(), 2 * i);
      EXPECT_EQ(size_t(std::count(bytes[i].begin(), bytes[i].end(), std::byte(i))),
                i == 0 ? 10 : 2 * i);
    }
  });
}

TEST(Processes, OfASingleProcessAgreeWithThemselves) {
  const std::unique_ptr<Processes> processes = make_single_process();
  EXPECT_TRUE(processes->is_first());
  EXPECT_EQ(processes->count(), 1u);
  EXPECT_TRUE(any(*processes, true));
  EXPECT_FALSE(any(*processes, false));
  EXPECT_EQ(value_of_first(*processes, 3), 3);
  EXPECT_EQ(text_of_first(*processes, "a"), "a");
  EXPECT_THAT(texts_of_all(*processes, "a"), ElementsAre("a"));
}

}  // namespace
}  // namespace winnow
