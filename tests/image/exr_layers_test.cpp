// SPDX-License-Identifier: MIT
#include "image/exr_layers.h"

#include <gmock/gmock.h>

namespace winnow {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Names = std::vector<std::string>;

/// Names of channels, each after the name of its layer: {"albedo.", "RGB"} is albedo.R and so on.
Names channels(const std::string& layer, const std::string& components) {
  Names names;
  for (const char component : components) names.push_back(layer + component);
  return names;
}
Names operator+(Names a, const Names& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Red channel of each picture in a file.
Names pictures(const std::vector<ExrPartNames>& parts, const Names& views = {}) {
  const std::vector<ExrLayer> layers = exr_layers(parts, views);
  Names found;
  for (const size_t picture : pictures_among(layers))
    found.push_back(layers[picture].colors().value()[0]);
  return found;
}

/// First channel of the guide for the main picture; empty if there is none.
std::string guide(const std::vector<ExrPartNames>& parts, ExrGuide kind, const Names& views = {},
                  size_t picture = 0) {
  const std::vector<ExrLayer> layers = exr_layers(parts, views);
  const auto found = guide_among(layers, pictures_among(layers).at(picture), kind);
  return found ? layers[*found].colors().value()[0] : "";
}

TEST(ExrLayers, ThePictureHasNoLayerOrTheNameOfAPicture) {
  EXPECT_THAT(pictures({{.channels = channels("", "RGBAZ") + channels("albedo.", "RGB")}}),
              ElementsAre("R"));
  for (const std::string name : {"ViewLayer.Combined", "View.Layer 2.Combined", "beauty", "rgba",
                                 "RGBA", "C", "Ci", "Composite.Combined"})
    EXPECT_THAT(pictures({{.channels = channels("a.", "RGB") + channels(name + ".", "RGBA") +
                                       channels("zz.", "RGB")}}),
                ElementsAre(name + ".R"))
        << name;
}

TEST(ExrLayers, ComponentsMayBeWordsOrSmallLetters) {
  EXPECT_THAT(pictures({{.channels = {"rgba.alpha", "rgba.blue", "rgba.green", "rgba.red"}}}),
              ElementsAre("rgba.red"));
  EXPECT_THAT(pictures({{.channels = channels("Ci.", "abgr")}}), ElementsAre("Ci.r"));
  EXPECT_THAT(pictures({{.channels = channels("", "rgb")}}), ElementsAre("r"));
}

TEST(ExrLayers, WithoutANamedPictureTheFirstColorsCount) {
  EXPECT_THAT(pictures({{.channels = channels("N.", "XYZ") + channels("albedo.", "RGB") +
                                     channels("diffuse.", "RGB") + channels("spec.", "RGB")}}),
              ElementsAre("diffuse.R"));
  EXPECT_THAT(
      pictures({{.channels = channels("CryptoObject00.", "rgba") + channels("other.", "RGB")}}),
      ElementsAre("other.R"));
  EXPECT_THAT(pictures({{.channels = channels("N.", "XYZ")}}), ElementsAre("N.X"));
  EXPECT_THAT(pictures({{.channels = {"Z"}}}), ElementsAre("Z"));
  EXPECT_THAT(pictures({{.channels = {"height.V"}}}), ElementsAre("height.V"));
  EXPECT_THAT(pictures({{.channels = {"Y", "A"}}}), ElementsAre("Y"));
  EXPECT_THAT(pictures({{.channels = {"A", "V"}}}), ElementsAre("V"));
  EXPECT_THAT(pictures({{.channels = {"A"}}}), ElementsAre("A"));
  EXPECT_THAT(pictures({{.channels = {"Z", "id", "samples"}}}), IsEmpty());
}

TEST(ExrLayers, ThePictureMayBeInAnyPart) {
  EXPECT_THAT(pictures({{.name = "rgb", .channels = channels("", "RGB")},
                        {.name = "albedo", .channels = channels("albedo.", "RGB")}}),
              ElementsAre("R"));
  EXPECT_THAT(pictures({{.name = "albedo", .channels = channels("albedo.", "RGB")},
                        {.name = "beauty", .channels = channels("beauty.", "RGB")}}),
              ElementsAre("beauty.R"));
  EXPECT_THAT(pictures({{.name = "depth", .channels = {"Z"}},
                        {.name = "ViewLayer.Combined",
                         .channels = channels("ViewLayer.Combined.", "RGBA")}}),
              ElementsAre("ViewLayer.Combined.R"));
  const std::vector<ExrLayer> layers = exr_layers(
      {{.name = "N", .channels = channels("", "RGB")}, {.channels = channels("", "RGB")}}, {});
  EXPECT_THAT(pictures_among(layers), ElementsAre(1u));
}

TEST(ExrLayers, EachViewAndViewLayerHasAPicture) {
  EXPECT_THAT(
      pictures({{.channels = channels("", "RGB") + channels("left.", "RGB")}}, {"right", "left"}),
      ElementsAre("R", "left.R"));
  EXPECT_THAT(pictures({{.channels = channels("V.Combined.left.", "RGB") +
                                     channels("V.Combined.right.", "RGB")}},
                       {"left", "right"}),
              ElementsAre("V.Combined.left.R", "V.Combined.right.R"));
  EXPECT_THAT(pictures({{.name = "rgba.right", .view = "right", .channels = channels("", "RGB")},
                        {.name = "rgba.left", .view = "left", .channels = channels("", "RGB")}}),
              ElementsAre("R", "R"));
  EXPECT_THAT(
      pictures({{.channels = channels("A.Combined.", "RGB") + channels("B.Combined.", "RGB")}}),
      ElementsAre("A.Combined.R", "B.Combined.R"));
}

TEST(ExrLayers, GuidesHaveTheNamesOfManyPrograms) {
  for (const std::string albedo : {"albedo.", "Albedo.", "Denoising Albedo.", "diffuse.albedo.",
                                   "diffuse_albedo.", "denoise_albedo."})
    for (const std::string normal :
         {"N.", "normal.", "nn.", "Ns.", "sh_normal.", "View Layer.Denoising Normal."}) {
      SCOPED_TRACE(albedo + normal);
      const std::vector<ExrPartNames> parts = {
          {.channels = channels("", "RGBAZ") + channels(albedo, "RGB") + channels(normal, "XYZ")}};
      EXPECT_EQ(guide(parts, ExrGuide::kAlbedo), albedo + "R");
      EXPECT_EQ(guide(parts, ExrGuide::kNormal), normal + "X");
    }
}

TEST(ExrLayers, TheBestGuideIsTaken) {
  const std::vector<ExrPartNames> blender = {
      {.channels = channels("V.Combined.", "RGBA") + channels("V.Denoising Albedo.", "RGB") +
                   channels("V.Denoising Specular Albedo.", "RGB") +
                   channels("V.Denoising Normal.", "XYZ") + channels("V.Normal.", "XYZ")}};
  EXPECT_EQ(guide(blender, ExrGuide::kAlbedo), "V.Denoising Albedo.R");
  EXPECT_EQ(guide(blender, ExrGuide::kNormal), "V.Denoising Normal.X");
  const std::vector<ExrPartNames> pbrt = {
      {.channels = channels("", "RGB") + channels("N.", "XYZ") + channels("Ns.", "XYZ")}};
  EXPECT_EQ(guide(pbrt, ExrGuide::kNormal), "Ns.X");
}

TEST(ExrLayers, GuidesNeedAllComponents) {
  const std::vector<ExrPartNames> parts = {
      {.channels = channels("", "RGBN") + channels("albedo.", "RG") + channels("N.", "X")}};
  EXPECT_EQ(guide(parts, ExrGuide::kAlbedo), "");
  EXPECT_EQ(guide(parts, ExrGuide::kNormal), "");
}

TEST(ExrLayers, GuidesBelongToTheViewLayerAndViewOfThePicture) {
  const std::vector<ExrPartNames> two = {{.channels = channels("A.Combined.", "RGB") +
                                                      channels("B.Combined.", "RGB") +
                                                      channels("B.Denoising Albedo.", "RGB")}};
  EXPECT_EQ(guide(two, ExrGuide::kAlbedo), "");
  EXPECT_EQ(guide(two, ExrGuide::kAlbedo, {}, 1), "B.Denoising Albedo.R");
  const std::vector<ExrPartNames> stereo = {
      {.channels =
           channels("", "RGB") + channels("right.", "RGB") + channels("albedo.right.", "RGB")}};
  EXPECT_EQ(guide(stereo, ExrGuide::kAlbedo, {"left", "right"}), "");
  EXPECT_EQ(guide(stereo, ExrGuide::kAlbedo, {"left", "right"}, 1), "albedo.right.R");
}

TEST(ExrLayers, GuidesMayBeInPartsOfTheirName) {
  const std::vector<ExrPartNames> parts = {{.name = "rgba", .channels = channels("", "RGBA")},
                                           {.name = "albedo", .channels = channels("", "RGB")},
                                           {.name = "N", .channels = channels("", "XYZ")}};
  EXPECT_EQ(guide(parts, ExrGuide::kAlbedo), "R");
  EXPECT_EQ(guide(parts, ExrGuide::kNormal), "X");
}

}  // namespace
}  // namespace winnow
