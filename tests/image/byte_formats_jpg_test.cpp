// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <turbojpeg.h>

#include <sstream>
#include <string>

#include "base/error.h"
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

using ByteValues = std::vector<uint8_t>;

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

/// Puts a segment with a colour profile after the first marker of a JPEG file.
std::string with_profile(const std::string& file, const std::string& profile) {
  const std::string data = std::string("ICC_PROFILE\0\1\1", 14) + profile;
  const size_t size = data.size() + 2;
  return file.substr(0, 2) + "\xff\xe2" + char(size >> 8) + char(size) + data + file.substr(2);
}

TEST(ReadJpg, WarnsOfColoursThatAreNotSrgb) {
  const std::string file = jpg_file({200, 100, 50}, TJPF_RGB, TJSAMP_444, 0);
  EXPECT_TRUE(read_image_bytes(file).color_warnings.empty());
  const ByteImage foreign = read_image_bytes(with_profile(file, std::string(200, 'x')));
  expect_color(foreign, {200, 100, 50, 255});
  EXPECT_EQ(
      foreign.color_warnings,
      std::vector<std::string>{"its colour profile is ignored: its colours are taken as sRGB"});
  const ByteImage inks = read_image_bytes(jpg_file({255, 200, 100, 128}, TJPF_CMYK, TJSAMP_444, 0));
  EXPECT_EQ(inks.color_warnings.size(), 1u);
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
            "not a readable PNG, JPEG, WebP, KTX2, TGA or BMP file");
  EXPECT_EQ(image_error(""), "not a readable PNG, JPEG, WebP, KTX2, TGA or BMP file");
}

}  // namespace
}  // namespace winnow
