// SPDX-License-Identifier: MIT
#include "image/exif.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <turbojpeg.h>

#include <sstream>

#include "image/image_formats.h"
#include "tests/image/support/png_file.h"

namespace winnow {
namespace {

/// A directory of a width and an orientation.
std::string exif_of(uint16_t orientation, bool is_little) {
  auto number = [&](uint32_t value, size_t bytes) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i) text += char(value >> (8 * (is_little ? i : bytes - 1 - i)));
    return text;
  };
  auto entry = [&](uint32_t tag, uint32_t value) {
    return number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + number(0, 2);
  };
  return (is_little ? "II" : "MM") + number(42, 2) + number(8, 4) + number(2, 2) +
         entry(0x100, 640) + entry(0x112, orientation) + number(0, 4);
}

TEST(ExifOrientation, HasAWarningUnlessTheImageStands) {
  for (const bool is_little : {false, true}) {
    EXPECT_FALSE(warn_of_orientation(exif_of(1, is_little)));
    EXPECT_FALSE(warn_of_orientation(exif_of(0, is_little)));
    EXPECT_FALSE(warn_of_orientation(exif_of(9, is_little)));
    for (uint16_t orientation = 2; orientation <= 8; ++orientation) {
      const auto warning = warn_of_orientation(exif_of(orientation, is_little));
      ASSERT_TRUE(warning);
      EXPECT_THAT(*warning, testing::HasSubstr("(" + std::to_string(orientation) + ")"));
      EXPECT_EQ(warn_of_orientation(std::string("Exif\0\0", 6) + exif_of(orientation, is_little)),
                warning);
    }
  }
}

TEST(ExifOrientation, OfDamagedDataIsUnknown) {
  const std::string whole = exif_of(6, true);
  for (size_t size = 0; size < whole.size() - 4; ++size)
    EXPECT_FALSE(warn_of_orientation(whole.substr(0, size))) << size;
  std::string far = whole;
  for (size_t i = 4; i < 8; ++i) far[i] = char(0xff);
  EXPECT_FALSE(warn_of_orientation(far));
}

TEST(ExifOrientation, IsFoundInJpgAndPng) {
  unsigned char pixel[] = {1, 2, 3}, *jpg = nullptr;
  unsigned long size = 0;
  tjhandle encoder = tjInitCompress();
  ASSERT_EQ(tjCompress2(encoder, pixel, 1, 0, 1, TJPF_RGB, &jpg, &size, TJSAMP_444, 90, 0), 0);
  const std::string file(reinterpret_cast<char*>(jpg), size);
  tjFree(jpg);
  tjDestroy(encoder);
  const std::string data = std::string("Exif\0\0", 6) + exif_of(6, false);
  const std::string segment = std::string("\xff\xe1\0", 3) + char(data.size() + 2) + data;
  for (const std::string& image :
       {file.substr(0, 2) + segment + file.substr(2),
        png_file(1, 1, 8, 0, std::string("\0\x7f", 2), png_chunk("eXIf", exif_of(6, true)))}) {
    std::istringstream stream(image);
    EXPECT_THAT(read_bytes(stream, 4).warnings,
                testing::ElementsAre(testing::HasSubstr("Exif orientation (6) is ignored")));
  }
}

}  // namespace
}  // namespace winnow
