// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "compaction/grid/workspace.h"
#include "compaction/simt/host/executor.h"
#include "compaction/single_pass/reduce.h"
#include "compaction/single_pass/scan.h"

namespace {

using compaction::TileQueue;
using Workspace = std::vector<std::byte>;

bool ready(const Workspace& workspace) {
  return compaction::is_ready({workspace.data(), workspace.size()});
}

/// Returns the contents of a zeroed workspace after calls with `n` items.
Workspace used_workspace() {
  constexpr uint32_t kItems = 30'000;
  std::vector<uint32_t> items(kItems, 1), sums(kItems);
  uint32_t total = 0;
  Workspace memory(
      std::max(compaction::scan_bytes<uint32_t>(kItems), compaction::reduce_bytes<uint32_t>()));
  compaction::Span<std::byte> workspace(memory.data(), memory.size());
  simt::host::Executor executor({.resident_blocks = 4});
  for (int call = 0; call < 3; ++call) {
    compaction::inclusive_scan(executor, items.data(), kItems, sums.data(),
                               compaction::Sum<uint32_t>(), 0u, &total, workspace);
    compaction::reduce(executor, items.data(), kItems, &total, compaction::Sum<uint32_t>(),
                       workspace);
  }
  EXPECT_EQ(total, kItems);
  return memory;
}

TEST(WorkspaceState, IsReadyWhenZeroedAndAfterEachCall) {
  EXPECT_TRUE(ready(Workspace(4096)));
  EXPECT_TRUE(ready(used_workspace()));
}

TEST(WorkspaceState, IsNotReadyWhereItWasNotZeroed) {
  for (int byte : {0x01, 0xA5, 0xCD, 0xFF}) EXPECT_FALSE(ready(Workspace(4096, std::byte(byte))));
  EXPECT_FALSE(ready(Workspace(8)));
}

TEST(WorkspaceState, IsNotReadyWhileTicketsAreDrawn) {
  Workspace workspace = used_workspace();
  workspace[0] = std::byte(1);
  EXPECT_FALSE(ready(workspace));
}

TEST(WorkspaceState, IsNotReadyWhereAnEarlierEpochComesAgain) {
  Workspace workspace = used_workspace();
  const uint64_t first_epoch = 0;
  std::memcpy(workspace.data(), &first_epoch, sizeof(first_epoch));
  EXPECT_FALSE(ready(workspace));
}

}  // namespace
