// SPDX-License-Identifier: MIT
// The extension of Blender (src/blender): what it makes of scenes, without Blender.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/folder_test.h"
#include "tests/support/this_build.h"

namespace winnow {
namespace {

using BlenderExtension = FolderTest;

TEST_F(BlenderExtension, TranslatesScenesThatWinnowReads) {
  const std::string output = (folder_ / "output.txt").string();
  const std::string command = std::string("WINNOW='") + kThisBuild.winnow + "' python3 '" +
                              WINNOW_SOURCE_DIR + "/tests/blender/test_translation.py' >'" +
                              output + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0)
      << std::string(std::istreambuf_iterator<char>(std::ifstream(output).rdbuf()), {});
}

}  // namespace
}  // namespace winnow
