// SPDX-License-Identifier: MIT
// Colours of OpenEXR files in other colour spaces than Rec.709. The expected values are those of
// Blender 5.3 where white is adapted, and of Mitsuba 3.9 where it is not.
#include <gmock/gmock.h>

#include <cmath>
#include <sstream>

#include "image/image_formats.h"
#include "tests/image/support/exr_files.h"

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<float> kAp0 = {0.7347f, 0.2653f, 0.0f,     1.0f,
                                 0.0001f, -0.077f, 0.32168f, 0.33767f};
const std::vector<float> kAp1 = {0.713f, 0.293f, 0.165f, 0.83f, 0.128f, 0.044f, 0.32168f, 0.33767f};
const std::vector<float> kRec709Numbers = {0.64f, 0.33f, 0.3f, 0.6f, 0.15f, 0.06f, 0.3127f, 0.329f};
const std::vector<float> kXyz = {1, 0, 0, 1, 0, 0, 1.0f / 3.0f, 1.0f / 3.0f};

struct ExrOf : ExrPart {
  explicit ExrOf(glm::vec3 color)
      : ExrPart(exr_part(2, 1, {{"R", color.r}, {"G", color.g}, {"B", color.b}})) {}
};

Image read(const ExrPart& part, ImageRules rules = ImageRules::kPlain,
           ImageUse use = ImageUse::kColors) {
  std::istringstream stream(exr_bytes({part}));
  return read_exr(stream, rules, use);
}

void expect_color(const Image& image, glm::vec3 expected) {
  constexpr float kTolerance = 2e-3f;  // digits of the expected values, and of Bradford's matrix
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(image.pixels.at(1)[i], expected[i], kTolerance) << i;
}

TEST(ExrColors, ChromaticitiesBecomeRec709WithTheSameWhite) {
  ExrOf red(glm::vec3(1, 0, 0)), white(glm::vec3(1, 1, 1));
  red.chromaticities = white.chromaticities = kAp0;
  expect_color(read(red), {2.522f, -0.276f, -0.015f});
  expect_color(read(white), {1, 1, 1});
  red.chromaticities = white.chromaticities = kAp1;
  expect_color(read(red), {1.705f, -0.130f, -0.024f});
  expect_color(read(white), {1, 1, 1});
  red.chromaticities = {0.708f, 0.292f, 0.17f, 0.797f, 0.131f, 0.046f, 0.3127f, 0.329f};
  expect_color(read(red), {1.6605f, -0.1246f, -0.0182f});
  ExrOf xyz(glm::vec3(1, 0.2f, 0.1f));
  xyz.chromaticities = kXyz;
  expect_color(read(xyz), {2.7655f, -0.6004f, 0.1357f});
}

TEST(ExrColors, MitsubaKeepsTheLightOfWhiteAndConvertsNumbers) {
  for (const ImageUse use : {ImageUse::kColors, ImageUse::kNumbers}) {
    ExrOf red(glm::vec3(1, 0, 0)), white(glm::vec3(1, 1, 1));
    red.chromaticities = white.chromaticities = kAp1;
    expect_color(read(red, ImageRules::kMitsuba, use), {1.731f, -0.132f, -0.025f});
    expect_color(read(white, ImageRules::kMitsuba, use), {1.0469f, 0.9943f, 0.9151f});
    red.chromaticities = kAp0;
    expect_color(read(red, ImageRules::kMitsuba, use), {2.558f, -0.278f, -0.017f});
  }
}

TEST(ExrColors, PbrtKnowsFourColorSpaces) {
  ExrOf part(glm::vec3(1, 0, 0));
  part.chromaticities = kAp0;
  expect_color(read(part, ImageRules::kPbrt), {2.522f, -0.276f, -0.015f});
  part.chromaticities = kAp1;
  const Image image = read(part, ImageRules::kPbrt);
  EXPECT_EQ(image.pixels[0], glm::vec3(1, 0, 0));
  EXPECT_THAT(image.warnings, ElementsAre(HasSubstr("pbrt does not know its chromaticities")));
}

TEST(ExrColors, GreyStaysGrey) {
  ExrPart part = exr_part(2, 1, {{"Y", 0.5}});
  part.chromaticities = kAp1;
  for (const ImageRules rules : {ImageRules::kPlain, ImageRules::kMitsuba})
    EXPECT_EQ(read(part, rules).pixels[0], glm::vec3(0.5f));
}

TEST(ExrColors, ChannelsXYZAreCieXyzInMitsubaOnly) {
  const ExrPart part = exr_part(2, 1, {{"X", 0.9505}, {"Y", 1}, {"Z", 1.0891}});
  expect_color(read(part, ImageRules::kMitsuba), {1, 1, 1});
  expect_color(read(part), {0.9505f, 1, 1.0891f});
  EXPECT_THAT(read(part).warnings, ElementsAre(HasSubstr("its channels X, Y and Z are taken")));
  EXPECT_THAT(read(part, ImageRules::kPlain, ImageUse::kNumbers).warnings, IsEmpty());
}

TEST(ExrColors, NumbersStayAsTheyAre) {
  ExrOf part(glm::vec3(1, 0.5f, 0));
  part.chromaticities = kAp1;
  EXPECT_EQ(read(part, ImageRules::kPlain, ImageUse::kNumbers).pixels[0], glm::vec3(1, 0.5f, 0));
  part.strings["colorInteropID"] = "data";
  EXPECT_EQ(read(part).pixels[0], glm::vec3(1, 0.5f, 0));
}

TEST(ExrColors, OfRec709KeepTheirBits) {
  ExrOf part(glm::vec3(0.1f, 0.7f, 1e-20f));
  const glm::vec3 color(0.1f, 0.7f, 1e-20f);
  EXPECT_EQ(read(part).pixels[0], color);
  part.chromaticities = kRec709Numbers;
  EXPECT_EQ(read(part).pixels[0], color);
  part.adopted_neutral = {0.3127f, 0.329f};
  EXPECT_EQ(read(part).pixels[0], color);
  part.strings["colorInteropID"] = "lin_rec709_scene";
  EXPECT_EQ(read(part).pixels[0], color);
  EXPECT_THAT(read(part).warnings, IsEmpty());
}

TEST(ExrColors, AnInteropIdNamesTheColorSpaceBeforeChromaticities) {
  const std::pair<const char*, glm::vec3> kIds[] = {
      {"lin_ap0_scene", {2.2561f, -0.0116f, 0.0709f}},
      {"lin_ap1_scene", {1.5724f, 0.0968f, 0.0655f}},
      {"lin_rec2020_scene", {1.5357f, 0.1012f, 0.0736f}},
      {"lin_p3d65_scene", {1.18f, 0.1664f, 0.0745f}},
      {"lin_adobergb_scene", {1.3187f, 0.2f, 0.0957f}},
      {"lin_ciexyzd65_scene", {2.8836f, -0.5899f, 0.1205f}},
      {"srgb_rec709_scene", {1.0f, 0.0331f, 0.01f}},
      {"srgb_rec709_display", {1.0f, 0.0331f, 0.01f}},
      {"srgb_ap1_scene", {1.6837f, -0.0926f, -0.0167f}},
      {"g22_rec709_scene", {1.0f, 0.029f, 0.0063f}},
      {"g18_rec709_scene", {1.0f, 0.0552f, 0.0158f}},
      {"g24_rec709_display", {1.0f, 0.021f, 0.004f}},
      {"unknown", {1.0f, 0.2f, 0.1f}}};
  for (const auto& [id, expected] : kIds) {
    SCOPED_TRACE(id);
    ExrOf part(glm::vec3(1, 0.2f, 0.1f));
    part.strings["colorInteropID"] = id;
    expect_color(read(part), expected);
    EXPECT_THAT(read(part).warnings, IsEmpty());
    if (id == std::string("unknown")) continue;
    part.chromaticities = kRec709Numbers;
    expect_color(read(part), expected);
  }
}

TEST(ExrColors, AnInteropIdThatIsNotReadGivesAWarning) {
  ExrOf part(glm::vec3(1, 0.2f, 0.1f));
  part.strings["colorInteropID"] = "pq_rec2020_display";
  EXPECT_THAT(read(part).warnings,
              ElementsAre("its colorInteropID \"pq_rec2020_display\" is ignored"));
  part.strings["colorInteropID"] = "lin_ap1_scene";
  EXPECT_THAT(read(part, ImageRules::kMitsuba).warnings,
              ElementsAre("its colorInteropID \"lin_ap1_scene\" is ignored"));
}

TEST(ExrColors, TheFlagOfAnAcesContainerMeansItsPrimaries) {
  ExrOf part(glm::vec3(1, 0, 0));
  part.numbers["acesImageContainerFlag"] = 1;
  expect_color(read(part), {2.522f, -0.276f, -0.015f});
}

TEST(ExrColors, TheAdoptedNeutralBecomesWhite) {
  ExrOf part(glm::vec3(1.0f));
  part.chromaticities = kAp0;
  part.adopted_neutral = {0.3127f, 0.329f};  // adapted already
  expect_color(read(part), {1.0469f, 0.9943f, 0.9151f});
  ExrOf plain(glm::vec3(1.0f));
  plain.adopted_neutral = {0.32168f, 0.33767f};
  const glm::vec3 bluer = read(plain).pixels[0];
  EXPECT_LT(bluer.r, 0.97f);
  EXPECT_GT(bluer.b, 1.05f);
}

TEST(ExrColors, PrimariesThatSpanNoColorsAreIgnoredWithAWarning) {
  for (const std::vector<float>& bad :
       {std::vector<float>(8, 0.0f), std::vector<float>(8, 0.3f), std::vector<float>(8, NAN)}) {
    ExrOf part(glm::vec3(1, 0.5f, 0));
    part.chromaticities = bad;
    const Image image = read(part);
    EXPECT_EQ(image.pixels[0], glm::vec3(1, 0.5f, 0));
    EXPECT_THAT(image.warnings, ElementsAre(HasSubstr("its chromaticities")));
  }
}

}  // namespace
}  // namespace winnow
