// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <thread>

#include "processes/processes.h"
#include "tests/processes/support/thread_processes.h"

namespace winnow {
namespace {

TEST(ProcessPlaces, CountTheProcessesOfEachHost) {
  const std::vector<ProcessPlace> places = {
      {0, "a", "11"}, {1, "b", "11"}, {0, "a", "11"}, {1, "b", "11"}, {0, "a", "11"}};
  EXPECT_EQ(local_index(places, 0), 0u);
  EXPECT_EQ(local_index(places, 3), 1u);
  EXPECT_EQ(local_index(places, 4), 2u);
}

TEST(ProcessPlaces, DivideTheProcessorsThatProcessesShare) {
  const std::string eight = "11111111";
  // Unbound processes of a host share all of its processors; the first ones get what is left over.
  const std::vector<ProcessPlace> unbound = {
      {0, "a", eight}, {0, "a", eight}, {0, "a", eight}, {3, "b", eight}};
  EXPECT_EQ(thread_count(unbound, 0), 3u);
  EXPECT_EQ(thread_count(unbound, 1), 3u);
  EXPECT_EQ(thread_count(unbound, 2), 2u);
  EXPECT_EQ(thread_count(unbound, 3), 8u);
  // Processes that are bound to processors of their own have them.
  const std::vector<ProcessPlace> bound = {{0, "a", "1111"}, {0, "a", "00001111"}};
  EXPECT_EQ(thread_count(bound, 0), 4u);
  EXPECT_EQ(thread_count(bound, 1), 4u);
  // More processes than processors.
  const std::vector<ProcessPlace> crowded(5, {0, "a", "11"});
  for (uint32_t process = 0; process < 5; ++process) EXPECT_EQ(thread_count(crowded, process), 1u);
}

TEST(ProcessPlaces, AreKnownToAllProcesses) {
  ThreadProcesses::run(3, [](Processes& processes) {
    const std::vector<ProcessPlace> places = find_places(processes);
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
