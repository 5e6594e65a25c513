// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "image/image_formats.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using BmpValues = std::vector<uint8_t>;

std::string little_endian(uint32_t value, size_t size = 4) {
  std::string bytes;
  for (size_t i = 0; i < size; ++i) bytes += char(value >> 8 * i);
  return bytes;
}

/// @param colors  palette or masks, after the header
std::string bmp_file(int width, int height, uint32_t bits, const std::string& pixels,
                     const std::string& colors = "", uint32_t compression = 0, uint32_t count = 0) {
  constexpr uint32_t kFileHeader = 14, kInfoHeader = 40;
  const uint32_t first_pixel = kFileHeader + kInfoHeader + uint32_t(colors.size());
  return "BM" + little_endian(first_pixel + uint32_t(pixels.size())) + little_endian(0) +
         little_endian(first_pixel) + little_endian(kInfoHeader) + little_endian(uint32_t(width)) +
         little_endian(uint32_t(height)) + little_endian(1, 2) + little_endian(bits, 2) +
         little_endian(compression) + std::string(12, '\0') + little_endian(count) +
         little_endian(0) + colors + pixels;
}

std::string bmp_error(const std::string& file) {
  return message_of([&] { decode_bmp(file); });
}

TEST(ReadBmp, ReadsEveryKindOfPixel) {
  EXPECT_EQ(decode_bmp(bmp_file(1, 1, 24, "\3\2\1")).values, (BmpValues{1, 2, 3, 255}));
  EXPECT_EQ(decode_bmp(bmp_file(1, 1, 32, "\3\2\1\4")).values, (BmpValues{1, 2, 3, 4}));
  EXPECT_EQ(decode_bmp(bmp_file(1, 1, 16, "\x1f\x7c")).values, (BmpValues{255, 0, 255, 255}));
  const std::string palette("cba\0zyx\0", 8);
  EXPECT_EQ(decode_bmp(bmp_file(2, 1, 8, std::string("\1\0", 2), palette, 0, 2)).values,
            (BmpValues{'x', 'y', 'z', 255, 'a', 'b', 'c', 255}));
  EXPECT_EQ(decode_bmp(bmp_file(2, 1, 4, "\x10", palette, 0, 2)).values,
            (BmpValues{'x', 'y', 'z', 255, 'a', 'b', 'c', 255}));
  EXPECT_EQ(decode_bmp(bmp_file(2, 1, 1, "\x40", palette)).values,
            (BmpValues{'a', 'b', 'c', 255, 'x', 'y', 'z', 255}));
  const std::string masks = little_endian(0xf800) + little_endian(0x07e0) + little_endian(0x001f);
  EXPECT_EQ(decode_bmp(bmp_file(1, 1, 16, std::string("\xe0\xff", 2), masks, 3)).values,
            (BmpValues{255, 255, 0, 255}));
}

TEST(ReadBmp, ReadsRowsFromBothEnds) {
  const std::string rows("\1\1\1\0\2\2\2\0", 8);
  EXPECT_EQ(decode_bmp(bmp_file(1, 2, 24, rows)).values, (BmpValues{2, 2, 2, 255, 1, 1, 1, 255}));
  EXPECT_EQ(decode_bmp(bmp_file(1, -2, 24, rows)).values, (BmpValues{1, 1, 1, 255, 2, 2, 2, 255}));
}

TEST(ReadBmp, IsOpaqueIfNoPixelIsVisible) {
  EXPECT_EQ(decode_bmp(bmp_file(2, 1, 32, std::string("\3\2\1\0\6\5\4\0", 8))).values,
            (BmpValues{1, 2, 3, 255, 4, 5, 6, 255}));
}

TEST(ReadBmp, RefusesRunLengthsByName) {
  EXPECT_EQ(bmp_error(bmp_file(1, 1, 8, "\1\1", std::string(8, 'x'), 1, 2)),
            "cannot be decoded: a BMP with run lengths (RLE) is not supported");
  EXPECT_EQ(bmp_error(bmp_file(1, 1, 24, "\1\1", "", 4)),
            "cannot be decoded: the compression 4 of a BMP is not supported");
  EXPECT_EQ(bmp_error(bmp_file(1, 1, 7, "\1\1")),
            "cannot be decoded: a BMP of 7 bits is not supported");
}

TEST(ReadBmp, RefusesSizesThatTheFileCannotHold) {
  EXPECT_EQ(bmp_error(bmp_file(2, 2, 24, "\1\1\1\2\2\2")),
            "truncated: it is too short for its size in pixels");
  for (int side : {0, -2147483647 - 1, 2147483647})
    EXPECT_NE(bmp_error(bmp_file(side, side, 24, "xyz")).find("expected sides from 1 to"),
              std::string::npos);
  const std::string whole = bmp_file(1, 1, 24, "\3\2\1");
  for (size_t size = 2; size < whole.size(); ++size)
    EXPECT_EQ(bmp_error(whole.substr(0, size)).rfind("truncated", 0), 0u) << size;
}

TEST(ReadBmp, WarnsOfAColourProfile) {
  auto warnings_of = [](const std::string& space) {  // in a header of version 5
    constexpr uint32_t kFileHeader = 14, kVersion5 = 124;
    const std::string header = little_endian(kVersion5) + little_endian(1) + little_endian(1) +
                               little_endian(1, 2) + little_endian(24, 2) + std::string(24, '\0') +
                               std::string(16, '\0') + space;
    return decode_bmp("BM" + std::string(8, '\0') + little_endian(kFileHeader + kVersion5) +
                      header + std::string(kVersion5 - header.size(), '\0') +
                      std::string("\3\2\1\0", 4))
        .color_warnings.size();
  };
  EXPECT_EQ(warnings_of("BGRs"), 0u);  // "sRGB", back to front
  EXPECT_EQ(warnings_of(" niW"), 0u);
  EXPECT_EQ(warnings_of("DEBM"), 1u);
  EXPECT_EQ(warnings_of("KNIL"), 1u);
}

}  // namespace
}  // namespace winnow
