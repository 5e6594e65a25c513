// SPDX-License-Identifier: MIT
// Pictures of OpenEXR files: windows, parts, layers, types, tiles, codecs.
#include <gmock/gmock.h>

#include <sstream>

#include "base/error.h"
#include "image/compare.h"
#include "image/image_formats.h"
#include "tests/image/support/exr_files.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Image read(const std::string& bytes, ImageRules rules = ImageRules::kPlain) {
  std::istringstream stream(bytes);
  return read_exr(stream, rules);
}
std::string error_of(const std::string& bytes) {
  return message_of<Error>([&] { read(bytes); });
}

/// A part whose red counts the pixels of the data window from 1; blue is 0.5.
ExrPart counted(ExrWindow data, ExrWindow display) {
  const int width = data[2] - data[0] + 1, height = data[3] - data[1] + 1;
  ExrPart part = exr_part(width, height, {{"R", 0}, {"G", 0}, {"B", 0.5}});
  part.data = data;
  part.display = display;
  for (size_t i = 0; i < part.channels["R"].values.size(); ++i)
    part.channels["R"].values[i] = double(i + 1);
  return part;
}

std::vector<float> reds(const Image& image) {
  std::vector<float> values;
  for (const glm::vec3& pixel : image.pixels) values.push_back(pixel.r);
  return values;
}

TEST(ExrWindows, PixelsOutsideOfTheDataAreBlack) {
  const Image image = read(exr_bytes({counted({2, 1, 3, 2}, {0, 0, 4, 2})}));
  EXPECT_EQ(image.width, 5u);
  EXPECT_EQ(image.height, 3u);
  EXPECT_THAT(reds(image), ElementsAre(0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 3, 4, 0));
  EXPECT_EQ(image.pixels[0], glm::vec3(0.0f));
  EXPECT_EQ(image.pixels[7], glm::vec3(1, 0, 0.5f));
  EXPECT_THAT(image.warnings, IsEmpty());
}

TEST(ExrWindows, OverscanIsCropped) {
  const Image image = read(exr_bytes({counted({-1, -1, 2, 1}, {0, 0, 1, 1})}));
  EXPECT_EQ(image.width, 2u);
  EXPECT_THAT(reds(image), ElementsAre(6, 7, 10, 11));
}

TEST(ExrWindows, MayOverlapPartlyOrNotAtAll) {
  EXPECT_THAT(reds(read(exr_bytes({counted({10, 10, 11, 11}, {11, 11, 12, 12})}))),
              ElementsAre(4, 0, 0, 0));
  EXPECT_THAT(reds(read(exr_bytes({counted({0, 0, 1, 1}, {10, 10, 11, 10})}))), ElementsAre(0, 0));
}

TEST(ExrWindows, OfMitsubaAndPbrtAreTheData) {
  const std::string bytes = exr_bytes({counted({2, 1, 3, 2}, {0, 0, 4, 2})});
  for (const ImageRules rules : {ImageRules::kMitsuba, ImageRules::kPbrt})
    EXPECT_THAT(reds(read(bytes, rules)), ElementsAre(1, 2, 3, 4));
}

TEST(ExrWindows, ThatAreMuchLargerThanTheirDataAreRefused) {
  EXPECT_THAT(error_of(exr_bytes({counted({0, 0, 0, 0}, {0, 0, 30000, 30000})})),
              HasSubstr("its display window is 30001x30001, too large for its 1 pixels"));
  EXPECT_THAT(error_of(exr_bytes({counted({0, 0, 0, 0}, {0, 0, 40000, 0})})),
              HasSubstr("expected sides from 1 to 32768"));
}

TEST(ExrPictures, HaveTheAlphaOfTheirLayer) {
  ExrPart part = exr_part(2, 1, {{"R", 1}, {"G", 1}, {"B", 1}, {"A", 0.25}, {"Z", 7}});
  part.channels["A"].values = {0.25, 0.5};
  EXPECT_THAT(read(exr_bytes({part})).alpha, ElementsAre(0.25f, 0.5f));
  part.display = {0, 0, 2, 0};
  EXPECT_THAT(read(exr_bytes({part})).alpha, ElementsAre(0.25f, 0.5f, 0.0f));
  part.channels.erase("A");
  EXPECT_THAT(read(exr_bytes({part})).alpha, IsEmpty());
}

TEST(ExrPictures, MayBeHalfFloatOrInteger) {
  for (const ExrType type : {ExrType::kHalf, ExrType::kFloat, ExrType::kUint}) {
    ExrPart part = exr_part(3, 2, {{"R", 3}, {"G", 2}, {"B", 1}});
    for (auto& [name, channel] : part.channels) channel.type = type;
    EXPECT_THAT(read(exr_bytes({part})).pixels, Each(glm::vec3(3, 2, 1)));
  }
}

TEST(ExrPictures, MayHaveTilesAndLevels) {
  for (const bool has_levels : {false, true}) {
    ExrPart part = counted({0, 0, 8, 5}, {0, 0, 8, 5});
    const Image expected = read(exr_bytes({part}));
    part.has_tiles = true;
    part.has_levels = has_levels;
    EXPECT_EQ(image_hash(read(exr_bytes({part}))), image_hash(expected));
  }
}

TEST(ExrPictures, MayBeCompressedInEachWayOfTheLibrary) {
  constexpr int kPxr24 = 5, kDwab = 9;
  for (int compression = 0; compression <= kDwab; ++compression) {
    SCOPED_TRACE(compression);
    ExrPart part = exr_part(40, 40, {{"R", 0.5}, {"G", 0.25}, {"B", 0.125}});
    for (auto& [name, channel] : part.channels) channel.type = ExrType::kHalf;
    part.compression = compression;
    const Image image = read(exr_bytes({part}));
    ASSERT_EQ(image.pixels.size(), 1600u);
    const float tolerance = compression > kPxr24 ? 0.01f : 0.0f;
    for (const glm::vec3& pixel : image.pixels) {
      EXPECT_NEAR(pixel.r, 0.5f, tolerance);
      EXPECT_NEAR(pixel.b, 0.125f, tolerance);
    }
  }
}

// OpenEXR 3.1 would call such a file invalid.
TEST(ExrPictures, OfCodecsThatTheLibraryLacksAreRefusedWithTheirNameAndARemedy) {
  const std::string bytes = exr_bytes({exr_part(2, 2, {{"R", 1}, {"G", 1}, {"B", 1}})});
  const std::string attribute = std::string("compression\0compression\0\1\0\0\0", 28);
  const size_t at = bytes.find(attribute);
  ASSERT_NE(at, bytes.npos);
  const auto with_codec = [&](int codec) {
    std::string other = bytes;
    other[at + attribute.size()] = char(codec);
    return error_of(other);
  };
  EXPECT_THAT(with_codec(250), HasSubstr("it is compressed by the method 250, which OpenEXR of a "
                                         "newer version reads"));
  const std::tuple<int, const char*, const char*> kCodecs[] = {
      {10, "HTJ2K256", "3.4"}, {11, "HTJ2K32", "3.4"}, {12, "LJ2K", "3.5"}, {13, "ZSTD", "3.5"}};
  for (const auto& [codec, name, version] : kCodecs) {
    const std::string error = with_codec(codec);
    if (error.find("it is compressed by") == error.npos) continue;  // a newer library
    EXPECT_THAT(error, HasSubstr(std::string("it is compressed by ") + name + ", which OpenEXR " +
                                 version + " or newer reads"));
    EXPECT_THAT(error, HasSubstr("pip install OpenEXR"));
    EXPECT_EQ(error.find('\n'), error.npos);
  }
}

TEST(ExrPictures, OfLuminanceAndChromaBecomeColors) {
  const Image image = read(exr_luminance_chroma_bytes(8, 6, {0.8f, 0.4f, 0.2f}));
  ASSERT_EQ(image.pixels.size(), 48u);
  EXPECT_THAT(image.alpha, AllOf(testing::SizeIs(48), Each(0.5f)));
  for (const glm::vec3& pixel : image.pixels) {
    EXPECT_NEAR(pixel.r, 0.8f, 0.01f);
    EXPECT_NEAR(pixel.g, 0.4f, 0.01f);
    EXPECT_NEAR(pixel.b, 0.2f, 0.01f);
  }
}

TEST(ExrPictures, OfOneChannelAreGrey) {
  EXPECT_THAT(read(exr_bytes({exr_part(2, 1, {{"Y", 0.5}})})).pixels, Each(glm::vec3(0.5f)));
  const Image depth = read(exr_bytes({exr_part(2, 1, {{"Z", 3}})}));
  EXPECT_THAT(depth.pixels, Each(glm::vec3(3.0f)));
  EXPECT_THAT(error_of(exr_bytes({exr_part(1, 1, {{"Z", 3}, {"id", 1}})})),
              HasSubstr("it has no usable channels"));
}

TEST(ExrPictures, OfBlenderAreTheCombinedPass) {
  const std::map<std::string, double> combined = {{"ViewLayer.Combined.R", 3},
                                                  {"ViewLayer.Combined.G", 2},
                                                  {"ViewLayer.Combined.B", 1},
                                                  {"ViewLayer.Combined.A", 0.5}};
  const std::map<std::string, double> normal = {
      {"ViewLayer.Normal.X", 9}, {"ViewLayer.Normal.Y", 9}, {"ViewLayer.Normal.Z", 9}};
  std::map<std::string, double> all = combined;
  all.insert(normal.begin(), normal.end());
  ExrPart first = exr_part(2, 2, normal), second = exr_part(2, 2, combined);
  first.name = "ViewLayer.Normal";
  second.name = "ViewLayer.Combined";
  for (const std::string& bytes :
       {exr_bytes({exr_part(2, 2, all)}), exr_bytes({first, second}), exr_bytes({second, first})}) {
    const Image image = read(bytes);
    EXPECT_THAT(image.pixels, Each(glm::vec3(3, 2, 1)));
    EXPECT_THAT(image.alpha, Each(0.5f));
    EXPECT_THAT(image.warnings, IsEmpty());
  }
}

TEST(ExrPictures, ThatMayNotBeMeantAreNamed) {
  EXPECT_THAT(read(exr_bytes({exr_part(1, 1,
                                       {{"diffuse.R", 1},
                                        {"diffuse.G", 1},
                                        {"diffuse.B", 1},
                                        {"spec.R", 2},
                                        {"spec.G", 2},
                                        {"spec.B", 2}})}))
                  .warnings,
              ElementsAre("it has no picture with R, G and B; the layer \"diffuse\" is used"));
  ExrPart stereo = exr_part(
      1, 1, {{"R", 1}, {"G", 1}, {"B", 1}, {"right.R", 2}, {"right.G", 2}, {"right.B", 2}});
  stereo.views = {"left", "right"};
  EXPECT_THAT(read(exr_bytes({stereo})).warnings, ElementsAre(HasSubstr("it has 2 pictures; ")));
  EXPECT_EQ(read(exr_bytes({stereo})).pixels[0], glm::vec3(1.0f));
}

TEST(ExrPictures, BesideDeepPartsAreRead) {
  ExrPart part = exr_part(2, 2, {{"R", 3}, {"G", 2}, {"B", 1}});
  part.name = "flat";
  EXPECT_THAT(read(exr_bytes_with_deep({part})).pixels, Each(glm::vec3(3, 2, 1)));
  for (const int count : {1, 2})
    EXPECT_THAT(error_of(exr_bytes_with_deep({}, count)), HasSubstr("it is a deep image"));
}

}  // namespace
}  // namespace winnow
