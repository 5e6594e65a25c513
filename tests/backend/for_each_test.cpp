#include "backend/for_each.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "compaction/simt/host/executor.h"

namespace winnow {
namespace {

using simt::host::Executor;
using simt::host::Order;

/// Marks its path, and pushes multiples of 3 to queue 0 and multiples of 5 to queue 1.
struct MarkAndPush {
  static constexpr Stage kStage = Stage::kShade;
  Span<uint32_t> visits;

  SIMT_HOST_DEVICE uint32_t operator()(PathId path) const {
    ++visits[path];
    return (path % 3 == 0 ? 1 : 0) | (path % 5 == 0 ? 2 : 0);
  }
};

/// Marks its item.
struct Mark {
  Span<uint32_t> visits;
  SIMT_HOST_DEVICE void operator()(uint32_t i) const { ++visits[i]; }
};

constexpr uint32_t kCapacity = 1000;

std::vector<PathId> sorted(const std::vector<PathId>& ids, uint32_t count) {
  std::vector<PathId> first(ids.begin(), ids.begin() + count);
  std::sort(first.begin(), first.end());
  return first;
}

TEST(ForEach, VisitsEveryItemOnceAndNoneBeyond) {
  for (uint32_t count : {0u, 1u, 127u, 128u, 129u, 500u}) {
    std::vector<uint32_t> visits(kCapacity);
    Executor executor;
    executor.launch(simt::ceil_div(kCapacity, kStageBlockSize),
                    ForEachItem<Mark>{count, Mark{{visits.data(), kCapacity}}});
    EXPECT_EQ(std::accumulate(visits.begin(), visits.begin() + count, 0u), count);
    EXPECT_EQ(std::accumulate(visits.begin() + count, visits.end(), 0u), 0u);
  }
}

TEST(ForEach, VisitsThePathsOfAQueue) {
  std::vector<PathId> ids = {7, 3, 999, 0};
  std::vector<uint32_t> visits(kCapacity);
  uint32_t count = 3;  // the fourth is not in the queue
  Executor executor;
  executor.launch(1, ForEachPath<Mark>{{{ids.data(), 4}, &count, 4}, {{visits.data(), kCapacity}}});
  EXPECT_EQ(visits[7] + visits[3] + visits[999], 3u);
  EXPECT_EQ(visits[0], 0u);
}

TEST(ForEach, PushesEachPathWhereItsStageSays) {
  for (Order order : {Order::kForward, Order::kReverse, Order::kShuffled})
    for (uint32_t count : {0u, 1u, 130u, kCapacity}) {
      std::vector<uint32_t> visits(kCapacity);
      std::vector<PathId> threes(kCapacity), fives(kCapacity);
      uint32_t queue_count = count, threes_count = 0, fives_count = 0;
      ForEachPathPush<MarkAndPush, 2> kernel{
          .queue = {{}, &queue_count, kCapacity},
          .stage = {{visits.data(), kCapacity}},
          .pushed = {{{threes.data(), kCapacity}, &threes_count, kCapacity},
                     {{fives.data(), kCapacity}, &fives_count, kCapacity}}};
      Executor executor({.order = order, .seed = 3, .resident_blocks = 3});
      executor.launch(simt::ceil_div(kCapacity, kStageBlockSize), kernel);

      EXPECT_EQ(std::accumulate(visits.begin(), visits.end(), 0u), count);
      std::vector<PathId> expected_threes, expected_fives;
      for (PathId path = 0; path < count; ++path) {
        if (path % 3 == 0) expected_threes.push_back(path);
        if (path % 5 == 0) expected_fives.push_back(path);
      }
      EXPECT_EQ(sorted(threes, threes_count), expected_threes);
      EXPECT_EQ(sorted(fives, fives_count), expected_fives);
    }
}

TEST(ForEach, DropsWhatIsPushedToNoQueue) {
  std::vector<uint32_t> visits(kCapacity);
  std::vector<PathId> fives(kCapacity);
  uint32_t queue_count = 100, fives_count = 0;
  ForEachPathPush<MarkAndPush, 2> kernel{
      .queue = {{}, &queue_count, kCapacity},
      .stage = {{visits.data(), kCapacity}},
      .pushed = {{}, {{fives.data(), kCapacity}, &fives_count, kCapacity}}};
  Executor executor;
  executor.launch(1, kernel);
  EXPECT_EQ(fives_count, 20u);
}

}  // namespace
}  // namespace winnow
