// SPDX-License-Identifier: MIT
#include "image/exr_file.h"

#include <gmock/gmock.h>

#include <sstream>

#include "base/error.h"
#include "image/image_io.h"
#include "tests/image/support/exr_files.h"

namespace winnow {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

ExrFile open(const std::string& bytes) {
  std::istringstream stream(bytes);
  return ExrFile(stream);
}

/// Writes a file whose pictures are twice as bright, and reads it.
std::vector<ExrPart> rewritten(const std::string& bytes) {
  ExrFile file = open(bytes);
  std::vector<Image> brighter;
  for (ExrPicture& picture : file.take_pictures()) {
    brighter.push_back(picture.image);
    for (glm::vec3& pixel : brighter.back().pixels) pixel *= 2.0f;
  }
  std::ostringstream out;
  file.write(out, brighter);
  return read_exr_parts(out.str());
}

TEST(ExrFiles, KeepAllButTheColorsOfThePicture) {
  ExrPart part = exr_part(6, 4,
                          {{"R", 1},
                           {"G", 2},
                           {"B", 3},
                           {"A", 0.3},
                           {"Z", 4},
                           {"id", 5},
                           {"albedo.R", 0.1},
                           {"mask", 6}});
  part.channels["R"].type = part.channels["Z"].type = ExrType::kHalf;
  part.channels["id"].type = ExrType::kUint;
  part.channels["id"].values.assign(24, 4294967295.0);
  part.channels["mask"].values.resize(6);
  part.channels["mask"].sampling = 2;
  part.data = {-2, 4, 3, 7};
  part.display = {0, 0, 99, 49};
  part.chromaticities = {0.713f, 0.293f, 0.165f, 0.83f, 0.128f, 0.044f, 0.32168f, 0.33767f};
  part.strings = {{"cryptomatte/1/name", "Z"}, {"of nobody", "kept"}};
  part.numbers = {{"take", 3}};
  const ExrPart kept = rewritten(exr_bytes({part})).at(0);
  EXPECT_EQ(kept.data, part.data);
  EXPECT_EQ(kept.display, part.display);
  EXPECT_EQ(kept.chromaticities, part.chromaticities);
  EXPECT_EQ(kept.strings.at("of nobody"), "kept");
  EXPECT_EQ(kept.strings.at("cryptomatte/1/name"), "Z");
  EXPECT_EQ(kept.numbers.at("take"), 3);
  ASSERT_EQ(kept.channels.size(), part.channels.size());
  EXPECT_THAT(kept.channels.at("R").values, Each(2.0));
  EXPECT_THAT(kept.channels.at("B").values, Each(6.0));
  for (const char* color : {"R", "G", "B"})
    EXPECT_EQ(kept.channels.at(color).type, ExrType::kFloat);
  for (const char* other : {"A", "Z", "id", "albedo.R", "mask"}) {
    const ExrChannel &before = part.channels.at(other), &after = kept.channels.at(other);
    EXPECT_EQ(int(after.type), int(before.type)) << other;
    EXPECT_EQ(after.sampling, before.sampling) << other;
    ASSERT_EQ(after.values.size(), before.values.size()) << other;
    EXPECT_EQ(float(after.values[0]), float(before.values[0])) << other;
  }
}

TEST(ExrFiles, KeepPartsAndTheirNames) {
  ExrPart picture = exr_part(3, 2, {{"V.Combined.R", 1}, {"V.Combined.G", 1}, {"V.Combined.B", 1}}),
          albedo = exr_part(3, 2,
                            {{"V.Denoising Albedo.R", 0.1},
                             {"V.Denoising Albedo.G", 0.2},
                             {"V.Denoising Albedo.B", 0.3}}),
          normal = exr_part(3, 2, {{"X", 0}, {"Y", 1}, {"Z", 0}});
  albedo.name = "V.Denoising Albedo";
  picture.name = "V.Combined";
  normal.name = "V.Denoising Normal";
  const std::string bytes = exr_bytes({albedo, picture, normal});
  ExrFile file = open(bytes);
  const std::vector<ExrPicture> pictures = file.take_pictures();
  ASSERT_EQ(pictures.size(), 1u);
  EXPECT_THAT(pictures[0].albedo.pixels, Each(glm::vec3(0.1f, 0.2f, 0.3f)));
  EXPECT_THAT(pictures[0].normal.pixels, Each(glm::vec3(0, 1, 0)));
  EXPECT_THAT(file.other_channels(), IsEmpty());
  const std::vector<ExrPart> kept = rewritten(bytes);
  ASSERT_EQ(kept.size(), 3u);
  EXPECT_EQ(kept[1].name, "V.Combined");
  EXPECT_THAT(kept[1].channels.at("V.Combined.G").values, Each(2.0));
  EXPECT_THAT(kept[0].channels.at("V.Denoising Albedo.G").values, Each(double(0.2f)));
  EXPECT_THAT(kept[2].channels.at("Y").values, Each(1.0));
}

TEST(ExrFiles, HaveAPictureForEachView) {
  ExrPart part = exr_part(
      2, 1, {{"R", 1}, {"G", 1}, {"B", 1}, {"right.R", 2}, {"right.G", 2}, {"right.B", 2}});
  part.views = {"left", "right"};
  EXPECT_EQ(open(exr_bytes({part})).take_pictures().size(), 2u);
  const ExrPart kept = rewritten(exr_bytes({part})).at(0);
  EXPECT_THAT(kept.channels.at("R").values, Each(2.0));
  EXPECT_THAT(kept.channels.at("right.R").values, Each(4.0));
}

TEST(ExrFiles, AreWrittenInLinesAndWithoutLoss) {
  constexpr int kZip = 3, kPiz = 4, kDwaa = 8;
  ExrPart part = exr_part(9, 9, {{"R", 1}, {"G", 1}, {"B", 1}, {"Z", 5}});
  part.has_tiles = part.has_levels = true;
  part.compression = kDwaa;
  const ExrPart kept = rewritten(exr_bytes({part})).at(0);
  EXPECT_FALSE(kept.has_tiles);
  EXPECT_EQ(kept.compression, kZip);
  EXPECT_THAT(kept.channels.at("Z").values, Each(5.0));
  part.has_tiles = part.has_levels = false;
  part.compression = kPiz;
  EXPECT_EQ(rewritten(exr_bytes({part})).at(0).compression, kPiz);
}

TEST(ExrFiles, WriteGreyAsOneChannelAndChromaAsColors) {
  const ExrPart grey = rewritten(exr_bytes({exr_part(2, 2, {{"Y", 3}})})).at(0);
  ASSERT_EQ(grey.channels.size(), 1u);
  EXPECT_THAT(grey.channels.at("Y").values, Each(6.0));
  const ExrPart chroma = rewritten(exr_luminance_chroma_bytes(4, 4, {0.5f, 0.5f, 0.5f})).at(0);
  ASSERT_EQ(chroma.channels.size(), 4u);
  EXPECT_THAT(chroma.channels.at("A").values, Each(0.5));
  EXPECT_NEAR(chroma.channels.at("G").values[0], 1.0, 0.01);
}

TEST(ExrFiles, LeaveOutDeepPartsWithAWarning) {
  ExrPart part = exr_part(2, 2, {{"R", 1}, {"G", 1}, {"B", 1}});
  part.name = "flat";
  const std::string bytes = exr_bytes_with_deep({part});
  EXPECT_THAT(open(bytes).warnings(), ElementsAre("a part with deep pixels is left out"));
  EXPECT_EQ(rewritten(bytes).size(), 1u);
}

TEST(ExrFiles, ShowTheirPictureInRec709AndTheDisplayWindow) {
  ExrPart part = exr_part(1, 1, {{"R", 1}, {"G", 1}, {"B", 1}, {"A", 1}, {"depth.Z", 1}});
  part.data = {1, 0, 1, 0};
  part.display = {0, 0, 2, 0};
  part.chromaticities = {0.713f, 0.293f, 0.165f, 0.83f, 0.128f, 0.044f, 0.32168f, 0.33767f};
  ExrFile file = open(exr_bytes({part}));
  EXPECT_THAT(file.other_channels(), ElementsAre("depth.Z"));
  const Image image = file.take_pictures()[0].image;
  EXPECT_EQ(image.pixels.size(), 1u);
  const Image shown = file.shown(0, image);
  ASSERT_EQ(shown.pixels.size(), 3u);
  EXPECT_EQ(shown.pixels[0], glm::vec3(0.0f));
  EXPECT_NEAR(shown.pixels[1].b, 1.0f, 1e-3f);
  EXPECT_THAT(shown.alpha, ElementsAre(0, 1, 0));
  EXPECT_EQ(file.in_data_window(0, shown).pixels[0], shown.pixels[1]);
  EXPECT_EQ(file.in_data_window(0, image).pixels.size(), 1u);
  EXPECT_THAT(file.in_data_window(0, {2, 1, std::vector<glm::vec3>(2)}).pixels, IsEmpty());
}

}  // namespace
}  // namespace winnow
