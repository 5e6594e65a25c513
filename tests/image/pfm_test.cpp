// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>

#include "image/image_io.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

using Warnings = std::vector<std::string>;

class ScaledPfm : public FolderTest {
 protected:
  /// Reads a grey pixel of 0.25 from a file with a scale.
  Image read(const std::string& scale, ImageRules rules) const {
    std::ofstream(file_, std::ios::binary)
        << "Pf\n1 1\n" + scale + "\n" + std::string("\0\0\x80\x3e", 4);
    return read_image(file_, rules);
  }

  const std::filesystem::path file_ = folder_ / "grey.pfm";
};

TEST_F(ScaledPfm, IsMultipliedInScenesOfMitsuba) {
  EXPECT_EQ(read("-2.0", ImageRules::kMitsuba).pixels[0], glm::vec3(0.5f));
  EXPECT_EQ(read("-0.5", ImageRules::kMitsuba).pixels[0], glm::vec3(0.125f));
  EXPECT_EQ(read("-2.0", ImageRules::kMitsuba).warnings, Warnings{});
}

TEST_F(ScaledPfm, GivesAWarningElsewhere) {
  const Image image = read("-2.0", ImageRules::kPlain);
  EXPECT_EQ(image.pixels[0], glm::vec3(0.25f));
  EXPECT_EQ(image.warnings,
            Warnings{file_.string() + ": its scale of 2 is ignored: programs "
                                      "multiply by it, divide by it, or ignore it"});
  EXPECT_EQ(read("-1.0", ImageRules::kPlain).warnings, Warnings{});
  EXPECT_EQ(read("-1", ImageRules::kPlain).warnings, Warnings{});
}

/// A blank at the end of the scale's line shifted all pixels by a byte.
TEST_F(ScaledPfm, MayEndItsLineWithBlanks) {
  for (const char* scale : {"-1.0 ", "-1.0\r", "-1.0\t "})
    EXPECT_EQ(read(scale, ImageRules::kPlain).pixels[0], glm::vec3(0.25f)) << scale;
  std::ofstream(file_, std::ios::binary) << "Pf\n1 1\n-1 " + std::string("\0\0\x80\x3e", 4);
  EXPECT_EQ(read_image(file_, ImageRules::kPlain).pixels[0], glm::vec3(0.25f))
      << "one white space ends the header";
}

}  // namespace
}  // namespace winnow
