// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include "app/sequence/sequence.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::HasSubstr;

TEST(NumberedFiles, HaveTheNumberWhereThePatternSays) {
  EXPECT_EQ(numbered_file("a-%04d.png", 7), "a-0007.png");
  EXPECT_EQ(numbered_file("b/%d.exr", 12), "b/12.exr");
  EXPECT_EQ(numbered_file("%02d-c.jpg", 123), "123-c.jpg");
  EXPECT_EQ(numbered_file("100%-%03d.png", 1), "100%-001.png");
  EXPECT_EQ(numbered_file("%00d%0d%1d%%02d%0", 5), "%00d%0d%1d%05%0");
}

TEST(NumberedFiles, HaveTheNumberBeforeTheExtensionOtherwise) {
  EXPECT_EQ(numbered_file("a.png", 7), "a-0007.png");
  EXPECT_EQ(numbered_file("d%d/a.b.exr", 12345), "d%d/a.b-12345.exr");
  EXPECT_EQ(numbered_file("50%.png", 0), "50%-0000.png");
}

TEST(NumberedFiles, HaveOneNumber) {
  EXPECT_THAT(message_of<UsageError>([] { numbered_file("%d-%04d.png", 7); }),
              HasSubstr("%d-%04d.png: has two places for the number"));
}

TEST(FrameRanges, AreFirstLastAndStep) {
  const FrameRange one = parse_frames("--frames", "7"), two = parse_frames("--frames", "3:9"),
                   three = parse_frames("--frames", "0:100:25");
  EXPECT_EQ(one.first, 7u);
  EXPECT_EQ(one.last, 7u);
  EXPECT_EQ(two.last, 9u);
  EXPECT_EQ(two.step, 1u);
  EXPECT_EQ(three.step, 25u);
  for (const char* wrong : {"", "a", "1:", ":2", "2:1", "1:2:0", "1:2:3:4", "-1:2", "0:1000001"})
    EXPECT_THAT(message_of<UsageError>([&] { parse_frames("--frames", wrong); }),
                HasSubstr("--frames"))
        << wrong;
}

}  // namespace
}  // namespace winnow
