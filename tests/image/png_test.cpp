// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>
#include <zlib.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/limits.h"
#include "image/image_formats.h"
#include "tests/image/support/png_file.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using ByteValues = std::vector<uint8_t>;
using Warnings = std::vector<std::string>;

std::string png_error(const std::string& file) {
  return message_of([&] { decode_png(file); });
}

const std::string kGreyRow("\0\x7f", 2);

/// A picture of one pixel with a further chunk.
std::string png_with(const std::string& type, const std::string& data) {
  return png_file(1, 1, 8, 0, kGreyRow, png_chunk(type, data));
}

TEST(ReadPng, KeepsSixteenBitsAndRoundsThemToEight) {
  const std::string row("\0\x12\xff\xab\x01\xcd\x80\xfe\x7f", 9);
  const ByteImage colors = decode_png(png_file(1, 1, 16, 6, row));
  EXPECT_EQ(colors.values_16, (std::vector<uint16_t>{0x12ff, 0xab01, 0xcd80, 0xfe7f}));
  EXPECT_EQ(colors.values, (ByteValues{0x13, 0xaa, 0xcd, 0xfe}));
  const ByteImage greys = decode_png(png_file(2, 1, 16, 0, std::string("\0\x12\xff\xab\x01", 5)));
  EXPECT_EQ(greys.values_16, (std::vector<uint16_t>{0x12ff, 0x12ff, 0x12ff, 0xffff, 0xab01, 0xab01,
                                                    0xab01, 0xffff}));
  const ByteImage bytes = decode_png(png_file(1, 1, 8, 0, std::string("\0\x7f", 2)));
  EXPECT_TRUE(bytes.values_16.empty());
}

TEST(ReadPng, OfSixteenBitsIsASkyOfSixteenBits) {
  const std::pair<std::string, float> kValues[] = {{std::string("\x00\xff", 2), 3.011649e-4f},
                                                   {std::string("\x01\xff", 2), 6.035109e-4f},
                                                   {std::string("\x40\xff", 2), 0.05244931f},
                                                   {std::string("\x80\xff", 2), 0.21766745f}};
  for (const auto& [bytes, linear] : kValues) {
    std::istringstream stream(png_file(1, 1, 16, 0, std::string(1, '\0') + bytes));
    EXPECT_NEAR(read_png_jpg(stream).pixels[0].x / linear, 1.0f, 1e-5f);
  }
}

TEST(ReadPng, ExpandsPalettesAndGreys) {
  const std::string palette = png_chunk("PLTE", "abcxyz") + png_chunk("tRNS", "\x40");
  EXPECT_EQ(decode_png(png_file(2, 1, 1, 3, std::string("\0\x40", 2), palette)).values,
            (ByteValues{'a', 'b', 'c', 0x40, 'x', 'y', 'z', 255}));
  EXPECT_EQ(decode_png(png_file(1, 2, 8, 4, std::string("\0\x20\x30\0\x40\x50", 6))).values,
            (ByteValues{0x20, 0x20, 0x20, 0x30, 0x40, 0x40, 0x40, 0x50}));
}

TEST(ReadPng, RefusesSizesThatTheFileCannotHold) {
  EXPECT_EQ(png_error(png_file(30000, 30000, 8, 6, "row")),
            "truncated: it is too short for its size in pixels");
  EXPECT_EQ(png_error(png_file(40000, 1, 8, 6, "row")),
            "its size is 40000x1; expected sides from 1 to 32768");
  EXPECT_NE(png_error(png_file(2, 1, 8, 6, std::string("\0\1\2\3\4", 5))), "");
}

TEST(ReadPng, SkipsLargeChunksOfText) {
  const std::string many(size_t{1} << 20, 'x');
  std::string chunks;
  for (int i = 0; i < 3; ++i) chunks += png_chunk("tEXt", "key" + std::string(1, '\0') + many);
  EXPECT_EQ(decode_png(png_file(1, 1, 8, 0, std::string("\0\x7f", 2), chunks)).values,
            (ByteValues{0x7f, 0x7f, 0x7f, 255}));
}

TEST(ReadPng, RefusesChunksThatInflateToMoreThanMemoryShouldHold) {
  constexpr size_t kMebi = size_t{1} << 20, kInflated = 3 * kMebi;
  const std::string key = "key" + std::string(1, '\0'), values(kInflated, 'x');
  std::string packed(compressBound(kInflated), '\0');
  uLongf size = packed.size();
  ASSERT_EQ(compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                     reinterpret_cast<const Bytef*>(values.data()), kInflated),
            Z_OK);
  packed.resize(size);
  // A chunk may be as large as the file, inflated, too.
  const std::string filler = png_chunk("tEXt", key + std::string(2 * kInflated, 'x'));
  std::string chunks = filler;
  for (size_t inflated = 0; inflated <= kMaxPngChunkBytes; inflated += kInflated)
    chunks += png_chunk("zTXt", key + std::string(1, '\0') + packed);
  const std::string row("\0\x7f", 2);
  EXPECT_EQ(png_error(png_file(1, 1, 8, 0, row, chunks + chunks.substr(filler.size()))),
            "cannot be decoded: reached chunk/cache limits");
}

TEST(ReadPng, NamesAFlippedBitWhereverItIs) {
  const std::string file = png_file(2, 2, 8, 2, std::string("\0abcdef\0ghijkl", 14),
                                    png_chunk("gAMA", big_endian(45455)));
  ASSERT_TRUE(decode_png(file).warnings.empty());
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = char(damaged[bit / 8] ^ 1 << bit % 8);
    const std::string error = message_of([&] {
      std::istringstream stream(damaged);
      const ByteImage image = read_bytes(stream, 4);
      if (!image.warnings.empty()) throw Error(image.warnings[0]);
    });
    EXPECT_NE(error, "") << "bit " << bit;
  }
}

TEST(ReadPng, NamesAMissingEnd) {
  const std::string file = png_file(1, 1, 8, 0, kGreyRow);
  for (size_t cut = 1; cut <= 12; ++cut)
    EXPECT_EQ(decode_png(file.substr(0, file.size() - cut)).warnings,
              Warnings{"damaged: its end is missing; the picture is used as it is"});
}

TEST(ReadPng, UsesAPictureWithAWrongChecksum) {
  std::string file = png_file(1, 1, 8, 0, kGreyRow);
  const size_t sum = file.find("IDAT") + 4 + stored_zlib(kGreyRow).size();
  file[sum] = char(file[sum] ^ 1);
  const ByteImage image = decode_png(file);
  EXPECT_EQ(image.values, (ByteValues{0x7f, 0x7f, 0x7f, 255}));
  EXPECT_EQ(image.warnings,
            Warnings{"damaged: the checksum of its chunk IDAT is wrong; the picture "
                     "is used as it is"});
}

TEST(ReadPng, ChecksThePixelsThemselvesToo) {
  std::string pixels = stored_zlib(kGreyRow);
  pixels[8] = '\x70';  // the value, after two bytes of zlib, five of the block and the filter
  const ByteImage image = decode_png(png_of_stream(1, 1, 8, 0, pixels));
  EXPECT_EQ(image.values[0], 0x70);
  EXPECT_EQ(image.warnings,
            Warnings{"damaged: the checksum of its pixels is wrong; the picture is used as it is"});
}

TEST(ReadPng, WarnsOfColourSpacesOtherThanSrgb) {
  const std::string srgb_primaries = big_endian(31270) + big_endian(32900) + big_endian(64000) +
                                     big_endian(33000) + big_endian(30000) + big_endian(60000) +
                                     big_endian(15000) + big_endian(6000);
  for (const std::string& file :
       {png_with("sRGB", std::string(1, '\0')), png_with("gAMA", big_endian(45455)),
        png_with("gAMA", big_endian(45000)), png_with("cHRM", srgb_primaries),
        png_with("cICP", std::string("\1\15\0\1", 4))}) {
    EXPECT_EQ(decode_png(file).color_warnings, Warnings{});
    EXPECT_EQ(decode_png(file).warnings, Warnings{});
  }
  std::string wide_primaries = srgb_primaries;
  wide_primaries.replace(8, 8, big_endian(68000) + big_endian(32000));  // DCI-P3
  const std::pair<std::string, std::string> kForeign[] = {
      {png_with("gAMA", big_endian(100000)),
       "its gamma of 1 is ignored: its values are taken as sRGB"},
      {png_with("cHRM", wide_primaries),
       "its primaries (cHRM) are ignored: its colours are taken as sRGB"},
      {png_with("cICP", std::string("\11\20\0\1", 4)),  // Rec. 2020 with PQ
       "its colour space (cICP 9 16 0 1) is ignored: its colours are taken as sRGB"},
      {png_with("iCCP", std::string("x\0\0", 3) + stored_zlib(std::string(200, 'x'))),
       "its colour profile is ignored: its colours are taken as sRGB"}};
  for (const auto& [file, warning] : kForeign) {
    EXPECT_EQ(decode_png(file).color_warnings, Warnings{warning});
    EXPECT_EQ(decode_png(file).values, (ByteValues{0x7f, 0x7f, 0x7f, 255}));
  }
}

// Chunks of the third edition of the specification, section 11, and of its extensions.
constexpr const char* kSpecifiedChunks[] = {
    "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV",
    "cLLI", "tEXt", "zTXt", "iTXt", "bKGD", "hIST", "pHYs", "sPLT", "eXIf", "tIME", "acTL", "fcTL",
    "fdAT", "oFFs", "pCAL", "sCAL", "gIFg", "gIFx", "gIFt", "sTER", "dSIG", "fRAc"};

TEST(ReadPng, AccountsForEveryChunkOfTheSpecification) {
  for (const char* chunk : kSpecifiedChunks)
    EXPECT_NE(png_chunks().find("", chunk), nullptr) << chunk;
  for (const KnownKey& key : png_chunks().keys())
    EXPECT_TRUE(key.use == KeyUse::kUsed || !key.why.empty()) << key.name;
}

TEST(ReadPng, WarnsOnceOfChunksThatItIgnores) {
  const std::string stereo = png_chunk("sTER", std::string(1, '\0'));
  EXPECT_EQ(
      decode_png(png_file(1, 1, 8, 0, kGreyRow, stereo)).warnings,
      Warnings{"its chunk sTER is ignored: it holds two views of a stereo image side by side"});
  EXPECT_EQ(decode_png(png_with("xYZz", "x")).warnings, Warnings{"its chunk xYZz is ignored"});
  EXPECT_EQ(decode_png(png_with("prIv", "x")).warnings, Warnings{});  // a chunk of one program
}

/// A slope with noise in its lowest bits.
template <class T>
std::vector<T> slope_with_noise(size_t count) {
  std::mt19937 random(7);
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i) values.push_back(T(i / 3 + (random() & 7)));
  return values;
}

TEST(WritePng, HoldsPicturesOfSeveralBands) {
  struct Size {
    uint32_t width, height;
  };
  for (const auto [width, height] : {Size{1, 1}, Size{300, 900}, Size{32768, 5}, Size{2, 3000}}) {
    SCOPED_TRACE(testing::Message() << width << "x" << height);
    const size_t pixels = size_t(width) * height;
    std::ostringstream rgb, rgba, grey;
    const ByteImage colors{width, height, slope_with_noise<uint8_t>(3 * pixels)};
    const ByteImage with_alpha{width, height, slope_with_noise<uint8_t>(4 * pixels)};
    const std::vector<uint16_t> wide = slope_with_noise<uint16_t>(pixels);
    write_rgb_png(rgb, colors);
    write_rgba_png(rgba, with_alpha);
    write_gray16_png(grey, width, height, wide);
    const ByteImage read_rgb = decode_png(rgb.str()), read_rgba = decode_png(rgba.str()),
                    read_grey = decode_png(grey.str());
    for (const ByteImage* read : {&read_rgb, &read_rgba, &read_grey}) {
      EXPECT_EQ(read->warnings, Warnings());  // all checksums are right
      ASSERT_EQ(read->values.size(), 4 * pixels);
    }
    EXPECT_EQ(read_rgba.values, with_alpha.values);
    for (size_t i = 0; i < pixels; ++i) {
      ASSERT_EQ(read_grey.values_16[4 * i], wide[i]) << i;
      for (size_t channel = 0; channel < 3; ++channel)
        ASSERT_EQ(read_rgb.values[4 * i + channel], colors.values[3 * i + channel]) << i;
    }
  }
}

TEST(WritePng, WritesTheSameBytesWithAnyNumberOfThreads) {
  const ByteImage image{640, 900, slope_with_noise<uint8_t>(3 * 640 * 900)};
  std::ostringstream with_all, with_one;
  write_rgb_png(with_all, image);
  const oneapi::tbb::global_control one(oneapi::tbb::global_control::max_allowed_parallelism, 1);
  write_rgb_png(with_one, image);
  EXPECT_EQ(with_all.str(), with_one.str());
  EXPECT_LT(with_all.str().size(), image.values.size() * 3 / 4);
}

}  // namespace
}  // namespace winnow
