// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "compaction/grid/workspace.h"
#include "tests/compaction/support/ordered_items.h"

namespace {

using compaction::TileWorkspace;

template <class T>
void expect_room(uint32_t tiles) {
  std::vector<std::byte> memory(TileWorkspace<T>::bytes(tiles));
  TileWorkspace<T> workspace(simt::Span<std::byte>{memory.data(), memory.size()});
  EXPECT_EQ(workspace.queue.state.size, 1u);
  EXPECT_GE(workspace.states.words.size, size_t(tiles) * compaction::TileStates<T>::kWords);
  EXPECT_GE(workspace.states.words.data,
            reinterpret_cast<uint64_t*>(workspace.queue.state.data + 1));
  EXPECT_EQ(reinterpret_cast<std::byte*>(workspace.states.words.end()), &memory.back() + 1);
}

TEST(TileWorkspace, HasRoomForTheQueueAndAllTiles) {
  for (uint32_t tiles : {0u, 1u, 31u, 32u, 33u, 1000u}) {
    expect_room<uint8_t>(tiles);
    expect_room<Interval>(tiles);
    expect_room<Wide>(tiles);
  }
}

TEST(TileWorkspace, CountsMoreBytesThan32Bits) {
  EXPECT_GE(TileWorkspace<uint64_t>::bytes(uint64_t(1) << 30), uint64_t(1) << 34);
}

}  // namespace
