// SPDX-License-Identifier: MIT
#include "compaction/grid/tile_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/compaction/grid/support/find_prefixes.h"

namespace {

using compaction::kEpochs;

constexpr uint64_t kOldWord = 0xA5A5A5A5A5A5A5A5;
constexpr uint32_t kEpoch = 7;

template <class T>
class TileStatesTest : public testing::Test {
 protected:
  static constexpr unsigned kWords = TileStates<T>::kWords;

  using Words = std::vector<uint64_t>;  ///< words of one tile

  static Words words_of(uint32_t epoch, TileStatus status, const T& value) {
    Words words(kWords);
    TileStates<T>{{words.data(), kWords}}.publish(0, epoch, status, value);
    return words;
  }
  static auto read(Words words, uint32_t epoch) {
    return TileStates<T>{{words.data(), kWords}}.read(0, epoch);
  }

  /// Words that a reader may find together: unwritten, from another call, from this call.
  std::vector<T> values_ = tile_values<T>(4);
  std::vector<Words> sources_ = {Words(kWords, 0),
                                 words_of(kEpoch - 1, TileStatus::kInclusivePrefix, values_[1]),
                                 words_of(kEpoch, TileStatus::kAggregate, values_[2]),
                                 words_of(kEpoch, TileStatus::kInclusivePrefix, values_[3])};

  /// Expects the right state for a tile whose word i comes from sources_[from[i]].
  void expect_right(const std::vector<unsigned>& from) const {
    Words words(kWords);
    bool all_agree = true;
    for (unsigned i = 0; i < kWords; ++i) {
      words[i] = sources_[from[i]][i];
      all_agree &= from[i] == from[0];
    }
    auto state = read(words, kEpoch);
    if (all_agree && from[0] >= 2) {
      EXPECT_EQ(state.status, from[0] == 2 ? TileStatus::kAggregate : TileStatus::kInclusivePrefix);
      EXPECT_TRUE(state.value == values_[from[0]]);
    } else {
      EXPECT_EQ(state.status, TileStatus::kInvalid);
    }
  }
};

// These types have 1, 4, 8, 12 and 128 bytes.
using StateTypes = testing::Types<uint8_t, NarrowAffine, Affine, Interval, Wide>;
TYPED_TEST_SUITE(TileStatesTest, StateTypes);

TYPED_TEST(TileStatesTest, ReadsWhatWasPublished) {
  for (uint32_t epoch : {0u, 1u, kEpochs - 1})
    for (TileStatus status : {TileStatus::kAggregate, TileStatus::kInclusivePrefix})
      for (const TypeParam& value : tile_values<TypeParam>(20)) {
        auto state = this->read(this->words_of(epoch, status, value), epoch);
        EXPECT_EQ(state.status, status);
        EXPECT_TRUE(state.value == value);
      }
}

TYPED_TEST(TileStatesTest, WordsOfAnotherCallAreInvalid) {
  for (uint32_t written : {0u, 1u, 2u, kEpochs / 2, kEpochs - 1})
    for (uint32_t read : {0u, 1u, 2u, kEpochs / 2, kEpochs - 1})
      if (read != written) {
        auto words = this->words_of(written, TileStatus::kInclusivePrefix, TypeParam());
        EXPECT_EQ(this->read(words, read).status, TileStatus::kInvalid);
      }
}

TYPED_TEST(TileStatesTest, ZeroIsInvalidInEveryCall) {
  for (uint32_t epoch : {0u, 1u, kEpochs - 1})
    EXPECT_EQ(this->read(this->sources_[0], epoch).status, TileStatus::kInvalid);
}

// Words are written and read one by one, so a reader may find any mixture. All 4^words mixtures of
// up to three words; of more words, random mixtures and all divisions into two parts.
TYPED_TEST(TileStatesTest, MixedWordsAreInvalid) {
  constexpr unsigned kWords = TestFixture::kWords;
  std::vector<unsigned> from(kWords, 0);
  if (kWords <= 3) {
    for (unsigned mixture = 0; mixture < 1u << (2 * kWords); ++mixture) {
      for (unsigned i = 0; i < kWords; ++i) from[i] = mixture >> (2 * i) & 3;
      this->expect_right(from);
    }
  } else {
    for (unsigned first : {0u, 1u, 2u, 3u})
      for (unsigned second : {0u, 1u, 2u, 3u})
        for (unsigned cut = 0; cut <= kWords; ++cut) {
          for (unsigned i = 0; i < kWords; ++i) from[i] = i < cut ? first : second;
          this->expect_right(from);
        }
    std::mt19937 random(1);
    for (int mixture = 0; mixture < 2000; ++mixture) {
      for (unsigned& source : from) source = random() % 4;
      this->expect_right(from);
    }
  }
}

TYPED_TEST(TileStatesTest, PublishesToItsOwnTileOnly) {
  constexpr unsigned kWords = TestFixture::kWords;
  std::vector<uint64_t> words(3 * kWords, kOldWord);
  TileStates<TypeParam>{{words.data(), words.size()}}.publish(1, kEpoch, TileStatus::kAggregate,
                                                              this->values_[0]);
  EXPECT_THAT(std::vector<uint64_t>(words.begin(), words.begin() + kWords),
              testing::Each(kOldWord));
  EXPECT_THAT(std::vector<uint64_t>(words.end() - kWords, words.end()), testing::Each(kOldWord));
}

/// The first block waits for what the second one publishes, or for nothing.
Interval seen_by_first_block(Executor executor, uint32_t blocks) {
  std::vector<uint64_t> words(2 * TileStates<Interval>::kWords, kOldWord);
  const TileStates<Interval> states{span_of(words)};
  Interval seen;
  executor.launch(blocks, kernel_of<32>([&](auto& block) {
                    if (block.thread_rank() != 0) return;
                    if (block.group_index() == 0)
                      seen = states.wait(1, kEpoch).value;
                    else
                      states.publish(1, kEpoch, TileStatus::kAggregate, {3, 4, 5});
                  }));
  return seen;
}

TEST(TileStates, WaitsForATileThatPublishesLater) {
  for (Order order : {Order::kForward, Order::kReverse})
    EXPECT_EQ(seen_by_first_block(Executor({.order = order, .resident_blocks = 2}), 2),
              (Interval{3, 4, 5}));
}

TEST(TileStates, ReportsATileThatPublishesNothing) {
  EXPECT_THROW(seen_by_first_block(Executor(), 1), KernelError);
}

}  // namespace
