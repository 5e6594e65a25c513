// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "image/image_formats.h"

namespace winnow {
namespace {

TEST(Gray16Png, KeepsItsValues) {
  const std::vector<uint16_t> values = {0, 1, 255, 256, 40000, 65535};
  std::ostringstream stream;
  write_gray16_png(stream, 3, 2, values);
  const ByteImage image = decode_png(stream.str());
  EXPECT_EQ(image.width, 3u);
  EXPECT_EQ(image.height, 2u);
  ASSERT_EQ(image.values_16.size(), 4 * values.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(image.values_16[4 * i], values[i]);
  EXPECT_TRUE(image.warnings.empty());
}

TEST(Gray16Png, HasOnlyTheChunksThatItNeeds) {
  std::ostringstream stream;
  write_gray16_png(stream, 1, 1, {7});
  const std::string png = stream.str();
  std::set<std::string> chunks;
  for (size_t at = 8; at + 12 <= png.size();) {
    size_t size = 0;
    for (size_t i = 0; i < 4; ++i) size = size << 8 | uint8_t(png[at + i]);
    chunks.insert(png.substr(at + 4, 4));
    at += size + 12;
  }
  EXPECT_EQ(chunks, (std::set<std::string>{"IHDR", "IDAT", "IEND"}));
}

}  // namespace
}  // namespace winnow
