// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "compaction/grid/workspace.h"

namespace {

TEST(WorkspaceCutter, PartsAreAlignedAndApart) {
  std::vector<std::byte> memory(4096);
  compaction::WorkspaceCutter cutter({memory.data(), memory.size()});
  simt::Span<uint32_t> first = cutter.take<uint32_t>(65);  // 260 bytes take 512
  simt::Span<uint64_t> none = cutter.take<uint64_t>(0);
  simt::Span<uint64_t> second = cutter.take<uint64_t>(2);
  EXPECT_EQ(first.size, 65u);
  EXPECT_EQ(none.size, 0u);
  EXPECT_EQ(static_cast<void*>(first.data), memory.data());
  EXPECT_EQ(static_cast<void*>(second.data), memory.data() + 512);
  EXPECT_EQ(cutter.rest().size, 4096u - 512 - 256);
}

TEST(WorkspaceCutter, HasNoPartsWhereTheWorkspaceIsTooSmallOrNotAligned) {
  std::vector<uint64_t> memory(128);
  auto* data = reinterpret_cast<std::byte*>(memory.data());
  compaction::WorkspaceCutter small({data, 255});
  EXPECT_EQ(small.take<uint64_t>(1).size, 0u);
  EXPECT_EQ(small.rest().size, 0u);
  compaction::WorkspaceCutter odd({data + 1, 1023});
  EXPECT_EQ(odd.take<uint64_t>(1).size, 0u);
  compaction::WorkspaceCutter fits({data, 256});
  EXPECT_EQ(fits.take<uint64_t>(1).size, 1u);
}

}  // namespace
