// SPDX-License-Identifier: MIT
// Workspaces that are not as they must be: a call on the host executor ends with an error or with
// the right result, never with another one. compaction/README.md has the table.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "tests/compaction/single_pass/support/jobs.h"

namespace {

constexpr TileShape kMisuseTiles = fast::kTinyTiles;

/// A select of random numbers in several tiles.
class Misuse : public testing::Test {
 protected:
  using Pipeline = TilePipeline<SelectNumbers, kMisuseTiles>;
  static constexpr uint64_t kTiles = 5, kItems = kTiles * Pipeline::kTileSize;
  static constexpr size_t kBytes = 4096, kGuard = 64;

  /// The numbers that are selected with this workspace; none if that is an error.
  std::optional<std::vector<uint32_t>> select(Span<std::byte> workspace) {
    std::vector<uint32_t> out(kItems);
    uint64_t count = 0;
    const SelectNumbers job{{in_.data(), kBelowHalf}, {out.data()}, {}, {.count = &count}};
    try {
      compaction::run_pipeline<Pipeline>(executor_, job, ItemCount{kItems}, workspace);
    } catch (const KernelError&) {
      return std::nullopt;
    }
    out.resize(count);
    return out;
  }

  Executor executor_{{Order::kShuffled, 3, 3}};
  const std::vector<uint32_t> in_ = random_numbers(kItems, 8);
  const std::vector<uint32_t> expected_ = reference_below(in_, kBelowHalf);
};

TEST_F(Misuse, AWorkspaceOfRandomBytesIsAnError) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    std::vector<uint32_t> memory = random_numbers(kBytes / sizeof(uint32_t), seed);
    EXPECT_FALSE(select({reinterpret_cast<std::byte*>(memory.data()), kBytes})) << seed;
  }
}

TEST_F(Misuse, StaleTileStatesAreNotRead) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    std::vector<uint32_t> memory = random_numbers(kBytes / sizeof(uint32_t), seed);
    std::fill_n(memory.begin(), sizeof(TileQueue::State) / sizeof(uint32_t), 0u);
    EXPECT_EQ(select({reinterpret_cast<std::byte*>(memory.data()), kBytes}), expected_) << seed;
  }
}

TEST_F(Misuse, AWorkspaceThatIsTooSmallIsAnErrorAndNothingBehindItChanges) {
  constexpr std::byte kPoison{0xA5};
  bool has_failed = false;
  size_t least = 0;
  for (size_t bytes = 0; bytes <= 512; ++bytes) {
    std::vector<std::byte> memory(bytes + kGuard, std::byte{0});
    std::fill_n(memory.end() - kGuard, kGuard, kPoison);
    const auto selected = select({memory.data(), bytes});
    EXPECT_EQ(selected.value_or(expected_), expected_) << bytes;
    has_failed |= !selected;
    if (!selected) least = bytes + 1;
    EXPECT_TRUE(std::all_of(memory.end() - kGuard, memory.end(),
                            [](std::byte byte) { return byte == kPoison; }));
  }
  EXPECT_TRUE(has_failed);
  // All that are large enough work, and those are not many more than a word for each tile.
  EXPECT_EQ(least, compaction::kWorkspaceAlignment + kTiles * sizeof(uint64_t));
}

TEST_F(Misuse, AWorkspaceThatIsNotAlignedIsAnError) {
  std::vector<uint64_t> memory(kBytes / sizeof(uint64_t) + 1);
  auto* data = reinterpret_cast<std::byte*>(memory.data());
  for (unsigned offset = 0; offset < sizeof(uint64_t); ++offset) {
    std::fill(memory.begin(), memory.end(), 0);
    EXPECT_EQ(select({data + offset, kBytes}).has_value(), offset == 0) << offset;
  }
}

TEST_F(Misuse, AnErrorLeavesTheExecutorAndOtherWorkspacesUsable) {
  Memory garbage(kBytes, std::byte{0xCD}), good(kBytes);
  EXPECT_FALSE(select(garbage.span()));
  EXPECT_EQ(select(good.span()), expected_);
  std::fill(garbage.bytes.begin(), garbage.bytes.end(), std::byte{0});
  EXPECT_EQ(select(garbage.span()), expected_);
}

}  // namespace
