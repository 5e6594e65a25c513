// SPDX-License-Identifier: MIT
#include "compaction/grid/workspace_cutter.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

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

}  // namespace
