// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <random>
#include <stdexcept>
#include <vector>

#include "compaction/ladder/look_back.h"
#include "compaction/ladder/single_pass_scan.h"
#include "tests/compaction/grid/support/find_prefixes.h"
#include "tests/support/rounds.h"

// Tests the protocol with few tiles in every order of events that it can distinguish, and with more
// tiles in many random orders.

namespace {

using compaction::kEpochs;
using compaction::LookBack;
using compaction::Sum;
using compaction::WaitForPredecessor;
using winnow::rounds;

constexpr uint32_t kFewTiles = 4;

/// The states of an earlier tile that tile `reader` reads: possibly an invalid state first, then
/// one of the two valid states.
struct Encounter {
  uint32_t reader, tile;
  TileStatus sees = TileStatus::kInclusivePrefix;
  bool comes_early = false;
  bool arrived = false, read = false;  ///< while the kernel runs
};

/// Makes each tile read the states of the script, by delaying readers and publishers.
template <class T>
struct ScriptedStates : TileStates<T> {
  std::vector<Encounter>* script = nullptr;
  uint32_t reader = 0;

  ScriptedStates seen_by(uint32_t tile) const {
    ScriptedStates states = *this;
    states.reader = tile;
    return states;
  }

  SIMT_KERNEL void publish(uint32_t tile, uint32_t epoch, TileStatus status, const T& value) const {
    for (Encounter& encounter : *script) {
      if (encounter.tile != tile) continue;
      while (encounter.comes_early && !encounter.arrived) simt::backoff();
      while (encounter.sees < status && !encounter.read) simt::backoff();
    }
    TileStates<T>::publish(tile, epoch, status, value);
  }

  SIMT_KERNEL typename TileStates<T>::State wait(uint32_t tile, uint32_t epoch) const {
    for (Encounter& encounter : *script) {
      if (encounter.tile != tile || encounter.reader != reader) continue;
      encounter.arrived = true;  // threads that wait for this run only after the first read
      if (!encounter.comes_early)
        while (this->read(tile, epoch).status == TileStatus::kInvalid) simt::backoff();
      auto state = TileStates<T>::wait(tile, epoch);
      while (state.status < encounter.sees) {
        simt::backoff();
        state = TileStates<T>::wait(tile, epoch);
      }
      EXPECT_EQ(state.status, encounter.sees);
      encounter.read = true;
      return state;
    }
    throw std::logic_error("a tile reads the state of one that it does not need");
  }
};

/// Calls `use` with every possible assignment of the encounters; returns their number. Only tile 0
/// has its prefix at once, and never publishes an aggregate; in a chain no tile does.
template <class Use>
unsigned for_each_script(std::vector<Encounter> script, bool aggregates, const Use& use,
                         size_t decided = 0) {
  if (decided == script.size()) {
    use(script);
    return 1;
  }
  unsigned count = 0;
  Encounter& encounter = script[decided];
  for (bool early : {false, true})
    for (TileStatus sees : {TileStatus::kAggregate, TileStatus::kInclusivePrefix}) {
      if (sees == TileStatus::kAggregate && (!aggregates || encounter.tile == 0)) continue;
      encounter.comes_early = early;
      encounter.sees = sees;
      count += for_each_script(script, aggregates, use, decided + 1);
    }
  return count;
}

template <class FindPrefix>
void expect_found(const std::vector<Encounter>& script, uint32_t tiles, Executor& executor) {
  std::vector<Encounter> run = script;
  ScriptedStates<Affine> states;
  states.script = &run;
  PrefixFinder<Affine, Compose> finder(tiles);
  EXPECT_TRUE(finder.finds<FindPrefix>(executor, tile_values<Affine>(tiles), states));
  for (const Encounter& encounter : run) EXPECT_TRUE(encounter.read);
}

/// Runs all scripts of `tiles` tiles, of which each reads the `reads` tiles before it; returns
/// their number.
template <class FindPrefix>
unsigned expect_found_in_all(uint32_t tiles, uint32_t reads, bool aggregates) {
  Executor forward({Order::kForward, 0, kFewTiles}), shuffled({Order::kShuffled, 1, kFewTiles});
  std::vector<Encounter> script;
  for (uint32_t reader = 1; reader < tiles; ++reader)
    for (uint32_t tile = reader > reads ? reader - reads : 0; tile < reader; ++tile)
      script.push_back({reader, tile});
  return for_each_script(script, aggregates, [&](const std::vector<Encounter>& decided) {
    expect_found<FindPrefix>(decided, tiles, forward);
    expect_found<FindPrefix>(decided, tiles, shuffled);
  });
}

// The behaviour of a tile depends only on the states that it reads. So two runs in which all tiles
// read the same states are equivalent, and there is one for each assignment of "first invalid, or
// not" and, except for tile 0, "aggregate, or prefix".
TEST(LookBackSchedules, EveryRunOfUpToFourTiles) {
  constexpr unsigned kScripts[] = {1, 1, 2, 2 * 2 * 4, 2 * 2 * 2 * 4 * 4 * 4};
  for (uint32_t tiles = 1; tiles <= kFewTiles; ++tiles)
    EXPECT_EQ(expect_found_in_all<LookBack>(tiles, kFewTiles, true), kScripts[tiles]);
}

TEST(ChainSchedules, EveryRunOfUpToFourTiles) {
  for (uint32_t tiles = 1; tiles <= kFewTiles; ++tiles)
    EXPECT_EQ(expect_found_in_all<WaitForPredecessor>(tiles, 1, false), 1u << (tiles - 1));
}

/// Runs `count` random schedules of 1 to 200 tiles, small numbers more often. One executor runs
/// many, because its stacks cost more than the threads on them.
template <class FindPrefix, class States, class T, class Op>
void expect_found_in_schedules(unsigned count) {
  constexpr unsigned kResident[] = {1, 2, 3, 5, 20, 60, 200};
  constexpr double kMaxTiles = 200;
  unsigned calls = simt::ceil_div(count, unsigned(std::size(kResident)));
  for (unsigned resident : kResident) {
    Executor executor({Order::kShuffled, resident, resident});
    std::mt19937 random(resident);
    for (unsigned call = 0; call < calls; ++call) {
      double place = std::uniform_real_distribution()(random);
      uint32_t tiles = uint32_t(std::pow(kMaxTiles + 1, place * place * place));
      PrefixFinder<T, Op> finder(tiles, random() % kEpochs);
      ASSERT_TRUE(finder.template finds<FindPrefix>(executor, tile_values<T>(tiles), States()))
          << "call " << call << ", " << tiles << " tiles, " << resident << " at once";
    }
  }
}

TEST(LookBackSchedules, HundredsAtRandom) {
  expect_found_in_schedules<LookBack, TileStates<uint32_t>, uint32_t, Sum<uint32_t>>(rounds(300));
  expect_found_in_schedules<LookBack, TornStates<Affine>, Affine, Compose>(rounds(300));
  expect_found_in_schedules<LookBack, TornStates<Interval>, Interval, Join>(rounds(150));
}

TEST(ChainSchedules, HundredsAtRandom) {
  expect_found_in_schedules<WaitForPredecessor, TornStates<Affine>, Affine, Compose>(rounds(300));
}

// Epochs restart half-way. Some calls use more tiles than the next ones and leave old states.
TEST(LookBackSchedules, OneWorkspaceServesThousandsOfCalls) {
  constexpr uint32_t kCalls = 3'000, kBefore = kCalls / 2;
  PrefixFinder<uint32_t, Sum<uint32_t>> finder(40, kEpochs - kBefore);
  Executor executor({Order::kShuffled, 1, 3});
  std::mt19937 random(2);
  std::vector<uint32_t> aggregates;
  for (uint32_t call = 0; call < kCalls; ++call) {
    ASSERT_EQ(finder.epoch(), (kEpochs - kBefore + call) % kEpochs);
    aggregates.resize(random() % 1000 == 0 ? 40 : 1 + random() % 3);
    for (uint32_t& aggregate : aggregates) aggregate = random();
    ASSERT_TRUE(finder.finds(executor, aggregates)) << "call " << call;
  }
}

}  // namespace
