// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/compaction/grid/support/find_prefixes.h"

// Mistakes that are easy to make in a single-pass algorithm, planted in small copies of its parts:
// the schedules of the tests must distinguish each of them from the correct version.

namespace {

constexpr uint32_t kTiles = 20;
constexpr uint64_t kSeeds = 20;

/// Returns how many of kSeeds shuffled schedules end in an error or a wrong result.
template <class Run>
unsigned failures(const Run& run) {
  unsigned count = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    Executor executor({Order::kShuffled, seed, 7});
    try {
      if (!run(executor)) ++count;
    } catch (const KernelError&) {
      ++count;
    }
  }
  return count;
}

/// Makes two calls with different items in one workspace.
template <class States>
bool second_call_is_right(Executor& executor) {
  PrefixFinder<Interval, Join> finder(kTiles);
  std::vector<Interval> items = tile_values<Interval>(2 * kTiles);
  std::vector<Interval> first(items.begin() + kTiles, items.end());
  items.resize(kTiles);
  return finder.finds<compaction::LookBack>(executor, first, States()) &&
         finder.finds<compaction::LookBack>(executor, items, States());
}

/// Accepts states of any call.
struct AnyEpoch : TornStates<Interval> {
  SIMT_KERNEL auto wait(uint32_t tile, uint32_t) const {
    auto epoch_of_word = [&] {
      return uint32_t(words[tile * kWords] >> kEpochShift) % compaction::kEpochs;
    };
    while (words[tile * kWords] == 0) simt::backoff();
    return TornStates<Interval>::wait(tile, epoch_of_word());
  }
};

TEST(PlantedMistakes, SkippedEpochCheck) {
  EXPECT_EQ(failures(second_call_is_right<TornStates<Interval>>), 0u);
  EXPECT_EQ(failures(second_call_is_right<AnyEpoch>), kSeeds);
}

/// Tests only the first word.
struct FirstWordOnly : TornStates<Interval> {
  SIMT_KERNEL State wait(uint32_t tile, uint32_t epoch) const {
    std::vector<uint64_t> seen(kWords);
    for (;; simt::backoff()) {
      uint64_t first = simt::load_relaxed(words[tile * kWords]);
      if (first >> kEpochShift << kEpochShift == tag(TileStatus::kAggregate, epoch) ||
          first >> kEpochShift << kEpochShift == tag(TileStatus::kInclusivePrefix, epoch)) {
        for (unsigned i = 0; i < kWords; ++i)  // gives all words the tag of the first one
          seen[i] = first >> kEpochShift << kEpochShift | uint32_t(words[tile * kWords + i]);
        return TileStates<Interval>{{seen.data(), kWords}}.read(0, epoch);
      }
    }
  }
};

TEST(PlantedMistakes, WordsThatNeedNotAgree) {
  EXPECT_GT(failures(second_call_is_right<FirstWordOnly>), kSeeds / 2);
}

/// Adds the numbers of the lanes by ballots, one for each of the lowest `bits` bits.
uint32_t sum_by_ballots(unsigned bits, const std::vector<uint32_t>& numbers) {
  uint32_t sum = 0;
  Executor().launch(1, kernel_of<32>([&](auto& block) {
                      simt::Warp auto warp = block.warp();
                      uint32_t number = numbers.at(warp.thread_rank()), total = 0;
                      for (unsigned bit = 0; bit < bits; ++bit)
                        total += simt::popcount(warp.ballot(number >> bit & 1)) << bit;
                      if (warp.thread_rank() == 0) sum = total;
                    }));
  return sum;
}

// A warp that selects all of its 32 items has a total of six bits.
TEST(PlantedMistakes, FiveBitTotals) {
  std::vector<uint32_t> warp_totals(32, 31);
  EXPECT_EQ(sum_by_ballots(5, warp_totals), 32u * 31u);
  EXPECT_EQ(sum_by_ballots(6, warp_totals), 32u * 31u);
  warp_totals[3] = 32;
  EXPECT_NE(sum_by_ballots(5, warp_totals), 32u * 31u + 1u);
  EXPECT_EQ(sum_by_ballots(6, warp_totals), 32u * 31u + 1u);
}

enum class Barrier { kMissing, kThere };

/// Whether all threads of a block read the ticket that one of them draws.
template <Barrier after_draw>
bool all_threads_have_the_ticket(Executor& executor) {
  constexpr unsigned kBlockSize = 64;
  struct Shared {
    Ticket ticket;
  };
  TileQueue::State state{};
  const TileQueue queue{{&state, 1}};
  std::vector<uint32_t> threads(kTiles, 0);  // [tile], how many threads have it
  executor.launch(kTiles, kernel_of<kBlockSize, Shared>([&](auto& block, auto& shared) {
                    if (block.thread_rank() == 0) {
                      shared.ticket = queue.draw();
                      queue.after_draw(shared.ticket, block.num_groups());
                    }
                    if constexpr (after_draw == Barrier::kThere) block.sync();
                    ++threads.at(shared.ticket.tile);
                  }));
  return threads == std::vector<uint32_t>(kTiles, kBlockSize);
}

TEST(PlantedMistakes, MissingBarrier) {
  EXPECT_EQ(failures(all_threads_have_the_ticket<Barrier::kThere>), 0u);
  EXPECT_EQ(failures(all_threads_have_the_ticket<Barrier::kMissing>), kSeeds);
}

// Each block uses its index instead of a ticket. Blocks that start out of order fill the device and
// wait for blocks that then cannot start.
TEST(PlantedMistakes, BlockIndexForATicket) {
  auto run = [](Executor& executor) {
    std::vector<uint64_t> words(kTiles);
    const TileStates<uint32_t> states{span_of(words)};
    executor.launch(kTiles, kernel_of<32>([&](auto& block) {
                      compaction::look_back(block.warp(), states, 0, block.group_index(), 1u,
                                            compaction::Sum<uint32_t>());
                    }));
    return true;
  };
  EXPECT_EQ(failures(run), kSeeds);
}

}  // namespace
