// SPDX-License-Identifier: MIT
// scripts/league, without the other programs.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/folder_test.h"
#include "tests/support/this_build.h"

namespace winnow {
namespace {

using LeagueScript = FolderTest;

TEST_F(LeagueScript, WritesScenesAndComparesPrograms) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() &&
        std::system((std::string(candidate) + " -c 'import numpy' 2>/dev/null").c_str()) == 0)
      python = candidate;
  if (python.empty()) GTEST_SKIP() << "python3 has no NumPy";
  const std::string output = (folder_ / "output.txt").string();
  const std::string command = "cd '" + folder_.string() + "' && WINNOW='" + kThisBuild.winnow +
                              "' PYTHONDONTWRITEBYTECODE=1 " + python + " '" + WINNOW_SOURCE_DIR +
                              "/tests/scripts/league_test.py' >'" + output + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0)
      << std::string(std::istreambuf_iterator<char>(std::ifstream(output).rdbuf()), {});
}

}  // namespace
}  // namespace winnow
