// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "image/image_formats.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using TgaValues = std::vector<uint8_t>;

constexpr char kTopFirst = 0x20, kRightFirst = 0x10;

/// @param map  its count of colours, bits of each, and their bytes
struct TgaMap {
  char count = 0, bits = 0;
  std::string colors = {};
};

std::string tga_file(char type, char width, char height, char bits, const std::string& pixels,
                     char descriptor = kTopFirst, const TgaMap& map = {}, char first = 0) {
  const std::string id = "id";
  std::string file = {char(id.size()), char(map.count > 0), type, first, 0, map.count, 0, map.bits};
  file += std::string(4, '\0');
  file += {width, 0, height, 0, bits, descriptor};
  return file + id + map.colors + pixels;
}

TgaValues tga_values(const std::string& file) {
  EXPECT_TRUE(is_tga(file));
  return decode_tga(file).values;
}

std::string tga_error(const std::string& file) {
  return message_of([&] { decode_tga(file); });
}

TEST(ReadTga, ReadsEveryKindOfPixel) {
  EXPECT_EQ(tga_values(tga_file(2, 1, 1, 24, "\x03\x02\x01")), (TgaValues{1, 2, 3, 255}));
  EXPECT_EQ(tga_values(tga_file(2, 1, 1, 32, "\x03\x02\x01\x04")), (TgaValues{1, 2, 3, 4}));
  EXPECT_EQ(tga_values(tga_file(2, 1, 1, 16, std::string("\x1f\x7c", 2))),
            (TgaValues{255, 0, 255, 255}));
  EXPECT_EQ(tga_values(tga_file(3, 1, 1, 8, "\x07")), (TgaValues{7, 7, 7, 255}));
  EXPECT_EQ(tga_values(tga_file(3, 1, 1, 16, "\x07\x08")), (TgaValues{7, 7, 7, 8}));
  const TgaMap map{2, 24, "cbazyx"};
  EXPECT_EQ(tga_values(tga_file(1, 2, 1, 8, std::string("\1\0", 2), kTopFirst, map)),
            (TgaValues{'x', 'y', 'z', 255, 'a', 'b', 'c', 255}));
  EXPECT_EQ(tga_values(tga_file(1, 1, 1, 8, "\x06", kTopFirst, map, 5)),
            (TgaValues{'x', 'y', 'z', 255}));
}

TEST(ReadTga, StartsAtEachCorner) {
  auto greys = [](char descriptor) {
    const TgaValues all = tga_values(tga_file(3, 2, 2, 8, "\1\2\3\4", descriptor));
    return TgaValues{all[0], all[4], all[8], all[12]};
  };
  EXPECT_EQ(greys(kTopFirst), (TgaValues{1, 2, 3, 4}));
  EXPECT_EQ(greys(0), (TgaValues{3, 4, 1, 2}));
  EXPECT_EQ(greys(kTopFirst | kRightFirst), (TgaValues{2, 1, 4, 3}));
}

TEST(ReadTga, ReadsRunsAcrossRows) {
  const TgaValues all = tga_values(tga_file(11, 3, 2, 8, "\x83\x09\x01\x05\x06"));
  TgaValues greys;
  for (size_t i = 0; i < all.size(); i += 4) greys.push_back(all[i]);
  EXPECT_EQ(greys, (TgaValues{9, 9, 9, 9, 5, 6}));
}

TEST(ReadTga, RefusesWhatIsTooShort) {
  const std::string short_message = "truncated: it is too short for its size in pixels";
  EXPECT_EQ(tga_error(tga_file(2, 2, 1, 24, "\3\2\1\3\2")), short_message);
  EXPECT_EQ(tga_error(tga_file(10, 127, 127, 24, "\xff\2\1\3")), short_message);
  EXPECT_EQ(tga_error(tga_file(11, 3, 1, 8, "\1\5")), "truncated");
  EXPECT_EQ(tga_error(tga_file(1, 1, 1, 8, "", kTopFirst, {9, 24, "abc"})), "truncated");
  EXPECT_EQ(tga_error(tga_file(1, 1, 1, 8, "\7", kTopFirst, {1, 24, "abc"})),
            "corrupt: a pixel is not in its colour map");
}

TEST(ReadTga, IsNotTakenForText) {
  EXPECT_FALSE(is_tga("This is not an image, whatever its name says.\n"));
  EXPECT_FALSE(is_tga(""));
  EXPECT_FALSE(is_tga(std::string(100, '\0')));
}

TEST(ReadTga, WarnsOfColoursThatMeanSomethingElse) {
  const std::string file = tga_file(2, 1, 1, 32, "\x03\x02\x01\x04");
  auto with_extension = [&](char numerator, char denominator, char alpha_type) {
    std::string extension(495, '\0');
    extension[478] = numerator;
    extension[480] = denominator;
    extension[494] = alpha_type;
    const std::string footer = std::string{char(file.size()), 0, 0, 0} + std::string(4, '\0') +
                               std::string("TRUEVISION-XFILE.\0", 18);
    return decode_tga(file + extension + footer).color_warnings;
  };
  using Warnings = std::vector<std::string>;
  EXPECT_EQ(with_extension(0, 0, 3), Warnings{});
  EXPECT_EQ(with_extension(22, 10, 3), Warnings{});
  EXPECT_EQ(with_extension(18, 10, 3),
            Warnings{"its gamma of 1.80 is ignored: its values are taken as sRGB"});
  EXPECT_EQ(with_extension(0, 0, 4),
            Warnings{"its colours are multiplied by alpha and are used as they are"});
}

}  // namespace
}  // namespace winnow
