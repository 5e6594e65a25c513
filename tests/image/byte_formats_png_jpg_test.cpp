// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <turbojpeg.h>
#include <zlib.h>

#include <sstream>
#include <string>

#include "base/error.h"
#include "base/limits.h"
#include "image/image_formats.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

ByteImage read_image_bytes(const std::string& file, int channels = 4) {
  std::istringstream stream(file);
  return read_bytes(stream, channels);
}

std::string image_error(const std::string& file) {
  return message_of([&] { read_image_bytes(file); });
}

std::string big_endian(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

/// A chunk of PNG. Its check sum is wrong, as it is in some files that every viewer shows.
std::string chunk(const std::string& type, const std::string& data) {
  return big_endian(uint32_t(data.size())) + type + data + big_endian(0);
}

/// A zlib stream of one stored block.
std::string zlib(const std::string& data) {
  constexpr uint32_t kModulus = 65521;
  uint32_t a = 1, b = 0;
  for (char c : data) {
    a = (a + uint8_t(c)) % kModulus;
    b = (b + a) % kModulus;
  }
  const auto size = uint32_t(data.size());
  return std::string("\x78\x01\x01", 3) + char(size) + char(size >> 8) + char(~size) +
         char(~size >> 8) + data + big_endian(b << 16 | a);
}

/// @param rows  with the filter of each
std::string png_file(uint32_t width, uint32_t height, char bits, char type, const std::string& rows,
                     const std::string& chunks = "") {
  const std::string header =
      big_endian(width) + big_endian(height) + bits + type + std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunks + chunk("IDAT", zlib(rows)) +
         chunk("IEND", "");
}

using ByteValues = std::vector<uint8_t>;

TEST(ReadPng, TakesTheHighByteOf16Bits) {
  const std::string row("\0\x12\xff\xab\x01\xcd\x80\xfe\x7f", 9);
  EXPECT_EQ(read_image_bytes(png_file(1, 1, 16, 6, row)).values,
            (ByteValues{0x12, 0xab, 0xcd, 0xfe}));
  EXPECT_EQ(read_image_bytes(png_file(2, 1, 16, 0, std::string("\0\x12\xff\xab\x01", 5)), 3).values,
            (ByteValues{0x12, 0x12, 0x12, 0xab, 0xab, 0xab}));
}

TEST(ReadPng, ExpandsPalettesAndGreys) {
  const std::string palette = chunk("PLTE", "abcxyz") + chunk("tRNS", "\x40");
  EXPECT_EQ(read_image_bytes(png_file(2, 1, 1, 3, std::string("\0\x40", 2), palette)).values,
            (ByteValues{'a', 'b', 'c', 0x40, 'x', 'y', 'z', 255}));
  EXPECT_EQ(read_image_bytes(png_file(1, 2, 8, 4, std::string("\0\x20\x30\0\x40\x50", 6))).values,
            (ByteValues{0x20, 0x20, 0x20, 0x30, 0x40, 0x40, 0x40, 0x50}));
}

TEST(ReadPng, RefusesSizesThatTheFileCannotHold) {
  EXPECT_EQ(image_error(png_file(30000, 30000, 8, 6, "row")),
            "truncated: it is too short for its size in pixels");
  EXPECT_EQ(image_error(png_file(40000, 1, 8, 6, "row")),
            "its size is 40000x1; expected sides from 1 to 32768");
  EXPECT_NE(image_error(png_file(2, 1, 8, 6, std::string("\0\1\2\3\4", 5))), "");
}

TEST(ReadPng, SkipsLargeChunksOfText) {
  const std::string many(size_t{1} << 20, 'x');
  std::string chunks;
  for (int i = 0; i < 3; ++i) chunks += chunk("tEXt", "key" + std::string(1, '\0') + many);
  EXPECT_EQ(read_image_bytes(png_file(1, 1, 8, 0, std::string("\0\x7f", 2), chunks)).values,
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
  const std::string filler = chunk("tEXt", key + std::string(2 * kInflated, 'x'));
  std::string chunks = filler;
  for (size_t inflated = 0; inflated <= kMaxPngChunkBytes; inflated += kInflated)
    chunks += chunk("zTXt", key + std::string(1, '\0') + packed);
  const std::string row("\0\x7f", 2);
  EXPECT_EQ(image_error(png_file(1, 1, 8, 0, row, chunks + chunks.substr(filler.size()))),
            "cannot be decoded: reached chunk/cache limits");
}

/// A JPEG of one colour, 16 x 16.
std::string jpg_file(const ByteValues& color, int format, int subsampling, int flags) {
  constexpr int kSide = 16, kQuality = 95;
  ByteValues pixels;
  for (int i = 0; i < kSide * kSide; ++i) pixels.insert(pixels.end(), color.begin(), color.end());
  tjhandle encoder = tjInitCompress();
  unsigned char* file = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(encoder, pixels.data(), kSide, 0, kSide, format, &file, &size, subsampling,
                        kQuality, flags),
            0);
  std::string bytes(reinterpret_cast<char*>(file), size);
  tjFree(file);
  tjDestroy(encoder);
  return bytes;
}

void expect_color(const ByteImage& image, const ByteValues& color) {
  EXPECT_EQ(image.width, 16u);
  ASSERT_EQ(image.values.size(), 16u * 16u * 4u);
  for (size_t i = 0; i < image.values.size(); ++i)
    EXPECT_NEAR(image.values[i], color[i % 4], 2) << i;
}

TEST(ReadJpg, DecodesEveryKind) {
  for (int flags : {0, TJFLAG_PROGRESSIVE})
    for (int subsampling : {TJSAMP_444, TJSAMP_420, TJSAMP_440})
      expect_color(read_image_bytes(jpg_file({200, 100, 50}, TJPF_RGB, subsampling, flags)),
                   {200, 100, 50, 255});
  expect_color(read_image_bytes(jpg_file({70}, TJPF_GRAY, TJSAMP_GRAY, 0)), {70, 70, 70, 255});
}

TEST(ReadJpg, ConvertsInks) {
  // Stored inverted: 255 is no ink, and half of the key halves all.
  expect_color(read_image_bytes(jpg_file({255, 200, 100, 128}, TJPF_CMYK, TJSAMP_444, 0)),
               {128, 100, 50, 255});
}

TEST(ReadJpg, RefusesTwelveBitsByName) {
  std::string file = jpg_file({200, 100, 50}, TJPF_RGB, TJSAMP_444, 0);
  const size_t frame = file.find("\xff\xc0");
  ASSERT_NE(frame, file.npos);
  constexpr size_t kPrecisionOffset = 4;
  file[frame + kPrecisionOffset] = 12;
  EXPECT_EQ(image_error(file), "cannot be decoded: Unsupported JPEG data precision 12");
}

TEST(ReadJpg, RefusesSizesThatTheFileCannotHold) {
  std::string file = jpg_file({200, 100, 50}, TJPF_RGB, TJSAMP_444, 0);
  const size_t frame = file.find("\xff\xc0");
  ASSERT_NE(frame, file.npos);
  constexpr size_t kSizeOffset = 5;  // height and width, 16 bits each
  file.replace(frame + kSizeOffset, 4, std::string("\x10\0\x10\0", 4));
  EXPECT_EQ(image_error(file), "truncated: it is too short for its size in pixels");
}

TEST(ReadJpg, NamesATruncatedFile) {
  for (int flags : {0, TJFLAG_PROGRESSIVE}) {
    const std::string file = jpg_file({200, 100, 50}, TJPF_RGB, TJSAMP_444, flags);
    EXPECT_EQ(image_error(file.substr(0, file.size() - 4)), "truncated");
  }
}

TEST(ReadBytes, NamesWhatItReads) {
  EXPECT_EQ(image_error("GIF89a, which nobody asked for"),
            "not a readable PNG, JPEG, WebP, TGA or BMP file");
  EXPECT_EQ(image_error(""), "not a readable PNG, JPEG, WebP, TGA or BMP file");
}

}  // namespace
}  // namespace winnow
