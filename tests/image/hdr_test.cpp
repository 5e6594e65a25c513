// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "base/error.h"
#include "image/image_formats.h"
#include "tests/support/expect_near.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

using Warnings = std::vector<std::string>;

/// Bytes of (1, 0.5, 0).
const std::string kOrange("\x80\x40\x00\x81", 4);

Image read_hdr_bytes(const std::string& file) {
  std::istringstream stream(file);
  return read_hdr(stream);
}

/// Reads a file of one pixel, (1, 0.5, 0), with further lines in its header.
Image orange_with(const std::string& lines) {
  return read_hdr_bytes("#?RADIANCE\n" + lines + "\n-Y 1 +X 1\n" + kOrange);
}

TEST(ReadHdr, DividesByAllExposures) {
  EXPECT_EQ(orange_with("EXPOSURE=2\n").pixels[0], glm::vec3(0.5f, 0.25f, 0.0f));
  EXPECT_EQ(orange_with("EXPOSURE=2\nEXPOSURE= 4\n").pixels[0], glm::vec3(0.125f, 0.0625f, 0.0f));
  EXPECT_EQ(orange_with("EXPOSURE= 5.0e-01\r\n").pixels[0], glm::vec3(2.0f, 1.0f, 0.0f));
  EXPECT_EQ(orange_with("\tEXPOSURE=2\n").pixels[0],  // a line of a picture that it was made from
            glm::vec3(1.0f, 0.5f, 0.0f));
  EXPECT_EQ(orange_with("EXPOSURE=2\n").warnings, Warnings{});
  for (const char* line : {"EXPOSURE=2\n", "COLORCORR=2 1 1\n", "FORMAT=32-bit_rle_xyze\n",
                           "PRIMARIES=.7 .3 .2 .7 .1 .1 .33 .33\n"})
    EXPECT_TRUE(orange_with(line).is_corrected) << line;
  EXPECT_FALSE(orange_with("EXPOSURE=1\n").is_corrected);
}

TEST(ReadHdr, DividesByColourCorrections) {
  EXPECT_EQ(orange_with("COLORCORR= 2 0.5 4\n").pixels[0], glm::vec3(0.5f, 1.0f, 0.0f));
  EXPECT_EQ(orange_with("COLORCORR= 2 0.5 4\nCOLORCORR=2 1 1\nEXPOSURE=2\n").pixels[0],
            glm::vec3(0.125f, 0.5f, 0.0f));
}

TEST(ReadHdr, ConvertsPrimaries) {
  const std::string rec709 = "PRIMARIES= .64 .33 .30 .60 .15 .06 .3127 .3290\n";
  expect_near(orange_with(rec709).pixels[0], {1.0f, 0.5f, 0.0f}, 1e-6f);
  // Rec. 2020: red lies outside of Rec.709.
  const std::string rec2020 = "PRIMARIES=0.708 0.292 0.170 0.797 0.131 0.046 0.3127 0.3290\n";
  expect_near(orange_with(rec2020).pixels[0], {1.366670f, 0.441923f, -0.068454f}, 1e-3f);
  // White stays white, whatever the white of the primaries is.
  const std::string white("\x80\x80\x80\x81", 4);
  const std::string radiance = "PRIMARIES= .640 .330 .290 .600 .150 .060 .3333 .3333\n";
  expect_near(read_hdr_bytes("#?RADIANCE\n" + radiance + "\n-Y 1 +X 1\n" + white).pixels[0],
              glm::vec3(1.0f), 1e-4f);
  // Some programs write zeros.
  EXPECT_EQ(orange_with("PRIMARIES=0 0 0 0 0 0 0 0\n").pixels[0], glm::vec3(1.0f, 0.5f, 0.0f));
  EXPECT_EQ(orange_with("PRIMARIES=0 0 0 0 0 0 0 0\n").warnings, Warnings{});
}

// Radiance keeps lumens in XYZ, 179 of which are one watt, and takes equal energy as white.
TEST(ReadHdr, ConvertsXyzToRadiance) {
  const std::string white("\x80\x80\x80\x88", 4);  // 128
  const std::string file = "#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n" + white;
  expect_near(read_hdr_bytes(file).pixels[0], glm::vec3(128.0f / 179.0f), 1e-4f);
}

TEST(ReadHdr, NamesAForeignFormat) {
  EXPECT_EQ(message_of([] { orange_with("FORMAT=ascii\n"); }),
            "its pixels have another format; expected 32-bit_rle_rgbe or 32-bit_rle_xyze");
}

TEST(ReadHdr, ReadsLongHeaderLines) {
  EXPECT_EQ(orange_with("pcomb -e '" + std::string(500'000, 'x') + "'\n").pixels[0],
            glm::vec3(1.0f, 0.5f, 0.0f));
  EXPECT_EQ(message_of([] { orange_with(std::string(2'000'000, 'x') + "\n"); }),
            "not a Radiance HDR file: its header has no end");
}

// A picture of three columns and two rows, whose red counts from the upper left.
TEST(ReadHdr, ReadsEveryOrderOfScanlines) {
  const struct {
    const char* size;
    const char* order;  // pixels as they follow in the file
  } kOrders[] = {{"-Y 2 +X 3", "012345"}, {"-Y 2 -X 3", "210543"}, {"+Y 2 +X 3", "345012"},
                 {"+Y 2 -X 3", "543210"}, {"+X 3 -Y 2", "031425"}, {"+X 3 +Y 2", "304152"},
                 {"-X 3 -Y 2", "251403"}, {"-X 3 +Y 2", "524130"}};
  for (const auto& [size, order] : kOrders) {
    std::string pixels;
    for (const char* pixel = order; *pixel; ++pixel)
      pixels += std::string{char(1 + *pixel - '0'), 0, 0, char(128 + 8)};
    const Image image = read_hdr_bytes(std::string("#?RADIANCE\n\n") + size + "\n" + pixels);
    EXPECT_EQ(image.width, 3u);
    EXPECT_EQ(image.height, 2u);
    for (int i = 0; i < 6; ++i) EXPECT_EQ(image.pixels[size_t(i)].x, float(i + 1)) << size;
  }
  EXPECT_NE(message_of([] { read_hdr_bytes("#?RADIANCE\n\n-Y 2 +Y 3\n" + kOrange); }), "");
}

TEST(ReadHdr, ReadsOldRunLengths) {
  // Four of the first pixel, one other, and 2 + 256 of that.
  const std::string other("\x01\x80\x80\x81", 4);
  const std::string file = "#?RADIANCE\n\n-Y 1 +X 263\n" + kOrange + std::string("\1\1\1\3", 4) +
                           other + std::string("\1\1\1\2\1\1\1\1", 8);
  const Image image = read_hdr_bytes(file);
  for (size_t x = 0; x < 263; ++x)
    EXPECT_EQ(image.pixels[x],
              x < 4 ? glm::vec3(1.0f, 0.5f, 0.0f) : glm::vec3(1.0f / 128, 1.0f, 1.0f))
        << x;
  EXPECT_EQ(message_of([&] {
              read_hdr_bytes("#?RADIANCE\n\n-Y 1 +X 3\n" + kOrange + std::string("\1\1\1\3", 4));
            }),
            "corrupt: a run exceeds its row");
}

TEST(ReadHdr, WarnsOfLinesThatItIgnores) {
  EXPECT_EQ(orange_with("GAMMA=1\nSOFTWARE=x\nVIEW= -vth -vp 0 0 0\n# a note = 3\nrpict -w= x\n")
                .warnings,
            Warnings{});
  EXPECT_EQ(orange_with("GAMMA=2.2\n").warnings,
            Warnings{"its line \"GAMMA=2.2\" is ignored: the values are taken as linear"});
  EXPECT_EQ(orange_with("MYSTERY=5\n").warnings, Warnings{"its line \"MYSTERY=5\" is ignored"});
  for (const char* line : {"EXPOSURE=no", "EXPOSURE=0", "EXPOSURE=-1", "COLORCORR= 1 2",
                           "COLORCORR= 1 0 1", "PRIMARIES= 1 2 3", "PRIMARIES=1 1 1 1 1 1 1 1"}) {
    const Image image = orange_with(line + std::string("\n"));
    EXPECT_EQ(image.warnings, Warnings{"its line \"" + std::string(line) +
                                       "\" has no usable value; it is ignored"});
    EXPECT_EQ(image.pixels[0], glm::vec3(1.0f, 0.5f, 0.0f)) << line;
  }
}

// Variables that Radiance's documents define, and those of common cameras and editors.
constexpr const char* kSpecifiedNames[] = {
    "FORMAT",  "EXPOSURE", "COLORCORR", "PRIMARIES", "SOFTWARE", "VIEW", "PIXASPECT",
    "CAPDATE", "GMT",      "LATLONG",   "OWNER",     "NCOMP",    "GAMMA"};

TEST(ReadHdr, AccountsForEveryNameOfTheSpecification) {
  for (const char* name : kSpecifiedNames) EXPECT_NE(hdr_keys().find("", name), nullptr) << name;
  for (const KnownKey& key : hdr_keys().keys())
    EXPECT_TRUE(key.use == KeyUse::kUsed || !key.why.empty()) << key.name;
}

}  // namespace
}  // namespace winnow
