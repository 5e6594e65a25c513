// SPDX-License-Identifier: MIT
#include "compaction/simt/host/source_lines.h"

#include <gtest/gtest.h>

namespace source_lines_test {

TEST(SourceLines, AreUnknownOfAddressesWithoutCode) {
  const auto lines = simt::host::source_lines({0, ~uintptr_t(0)});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].line, 0u);
  EXPECT_EQ(lines[1].line, 0u);
}

}  // namespace source_lines_test
