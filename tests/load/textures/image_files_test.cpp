// SPDX-License-Identifier: MIT
#include "load/textures/image_files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>
#include <sstream>

#include "image/image_formats.h"
#include "load/textures/texels.h"
#include "tests/image/support/png_file.h"
#include "tests/support/expect_near.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

using Warnings = std::vector<std::string>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

class ImageFiles : public FolderTest {
 protected:
  TextureImage read(const std::string& name, TexelMeaning meaning) {
    warnings_.clear();
    return read_texture_file(folder_ / name, meaning, warnings_);
  }

  /// Returns the warning that a file gets.
  Warnings warning_of(const std::string& name, const std::string& text) const {
    return {(folder_ / name).string() + ": " + text};
  }

  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  Warnings warnings_;
};

TEST_F(ImageFiles, TakeCoverageOfFloatsFromRedWhereThereIsNoAlpha) {
  const Image image{2, 1, {{0.0f, 1.0f, 1.0f}, {0.5f, 1.0f, 1.0f}}};
  for (const char* name : {"a.pfm", "a.exr", "a.hdr"}) {
    write_image(folder_ / name, image);
    const TextureImage coverage = read(name, TexelMeaning::kCoverage);
    EXPECT_EQ(linear_texel(coverage, 0), glm::vec4(0.0f)) << name;
    EXPECT_EQ(linear_texel(coverage, 1), glm::vec4(0.5f)) << name;
    EXPECT_EQ(linear_texel(read(name, TexelMeaning::kColor), 0).a, 1.0f) << name;
  }
}

TEST_F(ImageFiles, TakeCoverageOfExrFromItsAlpha) {
  const Image image{2, 1, {{0.5f, 1.0f, 1.0f}, {0.5f, 1.0f, 1.0f}}};
  write_image(folder_ / "a.exr", image, {}, {{"A", std::vector<float>{0.0f, 0.25f}}});
  const TextureImage coverage = read("a.exr", TexelMeaning::kCoverage);
  EXPECT_EQ(linear_texel(coverage, 0), glm::vec4(0.0f));
  EXPECT_EQ(linear_texel(coverage, 1), glm::vec4(0.25f));
  const TextureImage sheen = read("a.exr", TexelMeaning::kColor);
  EXPECT_EQ(linear_texel(sheen, 1), glm::vec4(0.5f, 1.0f, 1.0f, 0.25f));
}

TEST_F(ImageFiles, KeepFloatsWithTheirAlphaWhereTheyAreWrittenAgain) {
  TextureImage image{.width = 2, .height = 1, .format = TexelFormat::kFloat};
  fill_texels(image,
              [](uint32_t x, uint32_t) { return glm::vec4(7.0f, 0.5f, 0.25f, 0.5f * float(x)); });
  write_texture_file(folder_ / "b.exr", image);
  const TextureImage again = read("b.exr", TexelMeaning::kColor);
  EXPECT_EQ(again.texels, image.texels);
}

TEST_F(ImageFiles, ReadNumbersOfSixteenBitsInFull) {
  put("n.png", png_file(1, 1, 16, 2, std::string("\0\x80\x01\x12\x34\xff\xff", 7)));
  const TextureImage numbers = read("n.png", TexelMeaning::kData);
  EXPECT_EQ(numbers.format, TexelFormat::kLinear16);
  expect_near(glm::vec3(linear_texel(numbers, 0)), glm::vec3(0x8001, 0x1234, 0xffff) / 65535.0f,
              1e-7f);
  const glm::vec4 color = linear_texel(read("n.png", TexelMeaning::kColor), 0);
  EXPECT_NEAR(color.r, 0.2140623f, 1e-6f);
  EXPECT_NEAR(color.g, 0.0061090f, 1e-6f);
  put("alpha.png", png_file(1, 1, 16, 4, std::string("\0\xff\xff\x12\x34", 5)));
  EXPECT_NEAR(linear_texel(read("alpha.png", TexelMeaning::kCoverage), 0).r, 0x1234 / 65535.0f,
              1e-7f);
}

TEST_F(ImageFiles, LoseOnlyTheChannelsThatCannotBe) {
  const Image image{4, 1, {{-0.01f, 5, 5}, {kInf, 1, 2}, {3, kNan, 4}, {1, 2, 2e9f}}};
  write_image(folder_ / "sky.exr", image);
  warnings_.clear();
  const Image sky = read_environment_image(folder_ / "sky.exr", warnings_);
  EXPECT_EQ(sky.pixels, (std::vector<glm::vec3>{{0, 5, 5}, {0, 1, 2}, {3, 0, 4}, {1, 2, 0}}));
  EXPECT_EQ(warnings_, warning_of("sky.exr",
                                  "channels of 4 pixels are negative, above 1e9 or not finite; "
                                  "they become 0"));
  // Textures may have negative numbers.
  const TextureImage texture = read("sky.exr", TexelMeaning::kData);
  EXPECT_EQ(glm::vec3(linear_texel(texture, 0)), glm::vec3(-0.01f, 5, 5));
  EXPECT_EQ(glm::vec3(linear_texel(texture, 2)), glm::vec3(3, 0, 4));
  EXPECT_EQ(warnings_, warning_of("sky.exr",
                                  "channels of 3 texels are beyond 1e9 or not finite; they become "
                                  "0"));
}

TEST_F(ImageFiles, NameDamageAndColourSpacesOfPictures) {
  put("linear.png",
      png_file(1, 1, 8, 0, std::string("\0\x7f", 2), png_chunk("gAMA", big_endian(100000))));
  read("linear.png", TexelMeaning::kColor);
  EXPECT_EQ(warnings_,
            warning_of("linear.png", "its gamma of 1 is ignored: its values are taken as sRGB"));
  read("linear.png", TexelMeaning::kData);  // numbers have no colour space
  EXPECT_EQ(warnings_, Warnings{});
  // glTF demands that colour spaces of images are ignored.
  read_texture_file(folder_ / "linear.png", TexelMeaning::kColor, warnings_, ImageRules::kGltf);
  EXPECT_EQ(warnings_, Warnings{});

  std::string damaged = png_file(1, 1, 8, 0, std::string("\0\x7f", 2));
  damaged[damaged.size() - 1] ^= 1;
  put("damaged.png", damaged);
  read("damaged.png", TexelMeaning::kData);
  EXPECT_EQ(warnings_,
            warning_of("damaged.png",
                       "damaged: the checksum of its chunk IEND is wrong; the picture is "
                       "used as it is"));
}

TEST_F(ImageFiles, AreDecodedOnceWhileTheyAreKept) {
  KeptImages images;
  int decoded = 0;
  auto find = [&](const std::string& bytes, TexelMeaning meaning) {
    return images
        .find(bytes, meaning, ImageRules::kPlain,
              [&] {
                ++decoded;
                return TextureImage{.name = bytes, .texels = std::vector<std::byte>(4)};
              })
        .name;
  };
  EXPECT_EQ(find("a", TexelMeaning::kColor), "a");
  EXPECT_EQ(find("b", TexelMeaning::kColor), "b");
  EXPECT_EQ(find("a", TexelMeaning::kColor), "a");
  EXPECT_EQ(decoded, 2);
  find("a", TexelMeaning::kData);
  EXPECT_EQ(decoded, 3) << "the texels depend on what they mean";
}

TEST_F(ImageFiles, AreThoseOfTheFileWhileTheyAreKept) {
  put("a.png", png_file(1, 1, 8, 0, std::string("\0\x7f", 2)));
  const TextureImage read_once = read("a.png", TexelMeaning::kColor);
  KeptImages images;
  for (int i = 0; i < 2; ++i) {
    const KeptImages::Use use(images);
    const TextureImage kept = read("a.png", TexelMeaning::kColor);
    EXPECT_EQ(kept.texels, read_once.texels);
    EXPECT_EQ(kept.name, read_once.name);
  }
  put("a.png", "no picture");
  const KeptImages::Use use(images);
  EXPECT_THROW(read("a.png", TexelMeaning::kColor), Error);
}

TEST_F(ImageFiles, DivideByExposuresInEveryFormatOfScenes) {
  put("sky.hdr", "#?RADIANCE\nEXPOSURE=2\n\n-Y 1 +X 1\n" + std::string("\x80\x40\x00\x81", 4));
  warnings_.clear();
  EXPECT_EQ(read_environment_image(folder_ / "sky.hdr", warnings_).pixels[0],
            glm::vec3(0.5f, 0.25f, 0.0f));
  EXPECT_EQ(warnings_, Warnings{});
  EXPECT_EQ(read_environment_image(folder_ / "sky.hdr", warnings_, ImageRules::kMitsuba).pixels[0],
            glm::vec3(0.5f, 0.25f, 0.0f));
  EXPECT_EQ(warnings_,
            warning_of("sky.hdr",
                       "its header changes its values (EXPOSURE, COLORCORR, PRIMARIES or XYZE), "
                       "which Mitsuba ignores"));
}

}  // namespace
}  // namespace winnow
