// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>

#include "base/error.h"
#include "base/limits.h"
#include "image/image_formats.h"
#include "tests/image/support/ktx2_files.h"
#include "tests/support/scene_files.h"

namespace winnow {
namespace {

using Texel = std::array<int, 4>;

Texel texel_at(const ByteImage& image, uint32_t x, uint32_t y) {
  const uint8_t* values = &image.values[4 * (size_t{y} * image.width + x)];
  return {values[0], values[1], values[2], values[3]};
}

void expect_near_texel(const ByteImage& image, uint32_t x, uint32_t y, Texel expected,
                       int tolerance) {
  const Texel found = texel_at(image, x, y);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << "channel " << i << " at " << x << ", " << y;
}

std::string error_of(const Ktx2File& file) {
  try {
    decode_ktx2(file.bytes());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Expects the picture that both files of the support header contain.
void expect_picture(const ByteImage& image, int tolerance) {
  ASSERT_EQ(image.width, 12u);
  ASSERT_EQ(image.height, 8u);
  ASSERT_EQ(image.values.size(), 12u * 8u * 4u);
  expect_near_texel(image, 0, 0, {200, 30, 90, 255}, tolerance);
  expect_near_texel(image, 7, 3, {20, 180, 40, 128}, tolerance);
  expect_near_texel(image, 11, 0, {200, 30, 90, 255}, tolerance);
  expect_near_texel(image, 3, 7, {200, 30, 90, 0}, tolerance);
  expect_near_texel(image, 8, 4, {10, 20, 250, 255}, tolerance);
}

TEST(Ktx2, DecodesUastcExactlyAsBasisUniversal) {
  const ByteImage image = decode_ktx2(Ktx2File::uastc().bytes());
  expect_picture(image, 0);
  EXPECT_EQ(texel_at(image, 4, 4), (Texel{2, 2, 2, 253})) << "start of the ramp";
  EXPECT_EQ(texel_at(image, 6, 5), (Texel{100, 100, 100, 155}));
  EXPECT_EQ(texel_at(image, 7, 7), (Texel{253, 253, 253, 2})) << "end of the ramp";
}

TEST(Ktx2, DecodesEtc1sExactlyAsBasisUniversal) {
  const ByteImage image = decode_ktx2(Ktx2File::etc1s().bytes());
  expect_picture(image, 5);
  EXPECT_EQ(texel_at(image, 0, 0), (Texel{202, 29, 95, 255}));
  EXPECT_EQ(texel_at(image, 4, 0), (Texel{22, 179, 39, 128}));
  EXPECT_EQ(texel_at(image, 5, 4), (Texel{26, 26, 26, 238}));
  EXPECT_EQ(texel_at(image, 5, 7), (Texel{238, 238, 238, 26}));
  EXPECT_EQ(texel_at(image, 11, 7), (Texel{11, 19, 250, 255}));
}

TEST(Ktx2, HasNoAlphaIfItDescribesNone) {
  Ktx2File etc1s = Ktx2File::etc1s(), uastc = Ktx2File::uastc();
  etc1s.samples = {Ktx2File::kRgb};
  uastc.samples = {Ktx2File::kRgb};
  for (const Ktx2File& file : {etc1s, uastc})
    EXPECT_EQ(texel_at(decode_ktx2(file.bytes()), 0, 4)[3], 255);
}

TEST(Ktx2, PutsTheSecondSliceOfTwoChannelsIntoGreen) {
  constexpr uint8_t kRrr = 3, kGgg = 4;
  Ktx2File file = Ktx2File::etc1s();
  file.samples = {kRrr, kGgg};
  EXPECT_EQ(texel_at(decode_ktx2(file.bytes()), 4, 0), (Texel{22, 128, 39, 255}));
}

/// The blocks at the right and lower edges have texels outside of the image.
TEST(Ktx2, CropsToItsSize) {
  for (Ktx2File file : {Ktx2File::etc1s(), Ktx2File::uastc()}) {
    file.width = 9;
    file.height = 5;
    const ByteImage image = decode_ktx2(file.bytes());
    ASSERT_EQ(image.values.size(), 9u * 5u * 4u);
    expect_near_texel(image, 8, 4, {10, 20, 250, 255}, 5);
  }
}

TEST(Ktx2, ReadsBlocksWithoutSupercompression) {
  Ktx2File file{.width = 8, .height = 4};
  file.level =
      from_hex("77236b82481bd9fe630dc3ce3be4ebca") + from_hex("814ae5f1a94106a0956a26afbccdafe5");
  const ByteImage image = decode_ktx2(file.bytes());
  EXPECT_EQ(texel_at(image, 3, 3), (Texel{27, 89, 19, 68}));
  EXPECT_EQ(texel_at(image, 4, 0), (Texel{218, 59, 13, 255}));
  file.width = 12;
  EXPECT_EQ(error_of(file), "truncated");
}

TEST(Ktx2, IgnoresKeysThatMoveNoTexels) {
  Ktx2File file = Ktx2File::uastc();
  file.pairs = Ktx2File::pair("KTXorientation", "rd") + Ktx2File::pair("KTXswizzle", "rgba") +
               Ktx2File::pair("KTXwriter", "me");
  expect_picture(decode_ktx2(file.bytes()), 0);
}

TEST(Ktx2, SaysInOneLineWhatItDoesNotRead) {
  auto expect_error = [](auto change, const char* part) {
    Ktx2File file = Ktx2File::uastc();
    change(file);
    EXPECT_NE(error_of(file).find(part), std::string::npos) << error_of(file);
  };
  expect_error([](auto& file) { file.format = 43; }, "the Vulkan format 43");
  expect_error([](auto& file) { file.model = 167; }, "the colour model 167");
  expect_error([](auto& file) { file.faces = 6; }, "several images");
  expect_error([](auto& file) { file.layers = 2; }, "several images");
  expect_error([](auto& file) { file.depth = 2; }, "several images");
  expect_error([](auto& file) { file.supercompression = 1; }, "UASTC texels and the superc");
  expect_error([](auto& file) { file.flags = 1; }, "multiplied by alpha");
  expect_error([](auto& file) { file.samples.clear(); }, "no channels");
  expect_error([](auto& file) { file.pairs = Ktx2File::pair("KTXswizzle", "rrrg"); }, "swapped");
  expect_error([](auto& file) { file.width = 0; }, "its size is 0x8");
  expect_error([](auto& file) { file.width = file.height = kMaxImageSide; }, "too short");
  Ktx2File video = Ktx2File::etc1s();
  constexpr size_t kFlags = 20;
  video.global[kFlags] = 2;
  EXPECT_NE(error_of(video).find("is a video"), std::string::npos);
  EXPECT_THROW(decode_ktx2("\xabKTX 11\xbb\r\n\x1a\n"), Error);
}

TEST(Ktx2, RefusesBrokenFilesWithoutACrash) {
  ByteNoise noise;
  for (const Ktx2File& file : {Ktx2File::etc1s(), Ktx2File::uastc()}) {
    const std::string good = file.bytes();
    auto decode = [](const std::string& bytes) {
      try {
        decode_ktx2(bytes);
      } catch (const Error&) {
        return false;
      }
      return true;
    };
    for (size_t at = 0; at < good.size(); ++at) {
      EXPECT_FALSE(decode(good.substr(0, at))) << at;
      for (int i = 0; i < 4; ++i) {
        std::string broken = good;
        broken[at] = char(noise());
        decode(broken);  // must not crash
      }
    }
  }
}

}  // namespace
}  // namespace winnow
