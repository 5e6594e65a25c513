// SPDX-License-Identifier: MIT
// winnow denoise, and --denoise of render, convert and merge, by the real program with a stand-in
// for Open Image Denoise that doubles all values.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <fstream>
#include <limits>

#include "base/names.h"
#include "denoise/oidn_library.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/denoise/support/fake_oidn.h"
#include "tests/image/support/exr_files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Denoise : public WinnowTest {
 protected:
  Denoise() { environment_.use_fake(file("log.txt")); }

  Outcome render(const std::vector<std::string>& arguments) const {
    return succeed(joined(
        {"render", kCornellBox, "--device", "cpu", "--size", "16x12", "--spp", "2"}, arguments));
  }
  /// Expects `clean` to be twice `noisy`, as the stand-in makes it.
  void expect_doubled(const std::string& noisy, const std::string& clean) const {
    Image twice = read_image(file(noisy));
    for (glm::vec3& pixel : twice.pixels) pixel *= 2.0f;
    EXPECT_EQ(image_hash(read_image(file(clean))), image_hash(twice)) << clean;
  }

  DenoiseEnvironment environment_;
  /// Images of 16x12 with the border that small ones get.
  static constexpr const char* kRun = "color 48x44 albedo 48x44 normal 48x44 hdr cleanAux";
};

TEST_F(Denoise, WritesACleanImageBesideEachNoisyOne) {
  const Outcome outcome =
      render({"--denoise", "-o", "a.exr", "-o", "b.png", "--stats", "stats.json"});
  EXPECT_EQ(file_count(), 6u);  // with the log
  expect_doubled("a.exr", "a.clean.exr");
  EXPECT_TRUE(fs::exists(file("b.png")));
  EXPECT_THAT(outcome.out,
              HasSubstr("a.clean.exr: a.exr without noise, by Open Image Denoise 2.3.1 "
                        "(CPU) in "));
  EXPECT_THAT(outcome.out, HasSubstr("b.clean.png: b.png without noise"));
  const std::vector<std::string> log = lines_of(file("log.txt"));
  EXPECT_EQ(log.back(), kRun);

  const Json stats = json("stats.json");
  const Json& denoise = stats["denoise"];
  EXPECT_EQ(denoise["library"], "Open Image Denoise 2.3.1");
  EXPECT_EQ(denoise["device"], "CPU");
  EXPECT_GE(denoise["seconds"], 0.0);
  EXPECT_EQ(denoise["images"], Json::parse(R"([{"noisy": "a.exr", "clean": "a.clean.exr"},
                                               {"noisy": "b.png", "clean": "b.clean.png"}])"));
  EXPECT_EQ(stats["film_hash"], image_hash(read_image(file("a.exr"))));
}

TEST_F(Denoise, CleansPicturesWithAlphaInFrontOfTheColorsOfTheModel) {
  // A white sphere under a white sky, where light is 1 everywhere.
  put("ball.json", R"({
    "camera": {"position": [0, 0, 9], "look_at": [0, 0, 0]}, "sky": {"radiance": 1},
    "materials": {"white": {"type": "diffuse", "reflectance": 1}},
    "shapes": [{"type": "sphere", "material": "white", "center": [0, 0, 0], "radius": 1}]})");
  succeed({"render", "ball.json", "--alpha", "--denoise", "--aov", "albedo,normal", "-o", "a.exr",
           "--device", "cpu", "--size", "48x48", "--spp", "16"});
  const Image noisy = read_image(file("a.exr")), clean = read_image(file("a.clean.exr"));
  EXPECT_EQ(clean.alpha, noisy.alpha);
  size_t edges = 0;
  for (size_t i = 0; i < noisy.pixels.size(); ++i) {
    const float alpha = noisy.alpha[i];
    edges += alpha > 0.0f && alpha < 1.0f;
    for (int channel = 0; channel < 3; ++channel)
      EXPECT_NEAR(clean.pixels[i][channel],
                  2.0f * noisy.pixels[i][channel] + (alpha > 0.0f ? 1.0f - alpha : 0.0f), 1e-4f);
  }
  EXPECT_GT(edges, 0u);
  succeed({"denoise", "a.exr", "-o", "b.exr"});
  EXPECT_EQ(image_hash(read_image(file("b.exr"))), image_hash(clean));
}

TEST_F(Denoise, ChangesNoBitOfTheNoisyImageAndAddsNoLayers) {
  render({"-o", "plain.exr", "--stats", "plain.json"});
  EXPECT_EQ(json("plain.json")["denoise"], nullptr);
  render({"--denoise", "-o", "a.exr", "--aov", "depth"});
  EXPECT_EQ(image_hash(read_image(file("a.exr"))), image_hash(read_image(file("plain.exr"))));
  EXPECT_THAT(names_of(read_exr_parts(read_text(file("a.exr")))[0].channels),
              ElementsAre("B", "G", "R", "Z"));
}

TEST_F(Denoise, NeedsItsLibraryBeforeAnythingIsRendered) {
  environment_.set("WINNOW_OIDN", fake_oidn("old"));
  expect_failure(
      1,
      {"render", kCornellBox, "--denoise", "-o", "a.png", "--size", "8192x8192", "--spp", "100000"},
      "is not Open Image Denoise 2");
  EXPECT_FALSE(fs::exists(file("a.png")));
  environment_.set("WINNOW_OIDN", "");
  environment_.set("PATH", "/nowhere");
  environment_.set("HOME", folder_.string());
  if (dlopen("libOpenImageDenoise.so.2", RTLD_LAZY | RTLD_LOCAL) || !find_oidn_wheels().empty())
    GTEST_SKIP() << "Open Image Denoise is installed for the system";
  expect_failure(1,
                 {"render", kCornellBox, "--denoise", "-o", "a.png", "--size", "8192x8192", "--spp",
                  "100000", "--time-limit", "1"},
                 "--denoise: Open Image Denoise is not installed: run \"pip install pyoidn\"");
}

TEST_F(Denoise, PassesTheQualityOnToTheLibrary) {
  render({"--denoise", "--denoise-quality", "fast", "-o", "a.exr", "-o", "a.film"});
  EXPECT_EQ(lines_of(file("log.txt")).back(), std::string(kRun) + " fast");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"denoise", "a.exr", "-o", "b.exr"},
        {"convert", "a.film", "c.exr", "--denoise"},
        {"merge", "a.film", "-o", "d.exr", "--denoise"},
        {"dataset", "set", kCornellBox, "--views", "1", "--size", "16x12", "--denoise"}}) {
    succeed(joined(command, {"--denoise-quality", "balanced"}));
    EXPECT_THAT(lines_of(file("log.txt")).back(), testing::EndsWith(" balanced")) << command[0];
  }
  expect_failure(1,
                 {"dataset", "set", kCornellBox, "--views", "1", "--size", "16x12", "--denoise",
                  "--denoise-quality", "fast"},
                 "denoise is \"balanced\", not \"fast\"");
  expect_failure(2, {"denoise", "a.exr", "-o", "b.exr", "--denoise-quality", "fats"},
                 "did you mean fast?");
  const std::string alone = "--denoise-quality: is for denoised images; add --denoise";
  expect_failure(
      2, {"render", kCornellBox, "-o", "e.exr", "--denoise-quality", "fast", "--device", "cpu"},
      alone);
  expect_failure(2, {"dataset", "noisy", kCornellBox, "--denoise-quality", "fast"}, alone);
  EXPECT_FALSE(fs::exists(file("noisy")));
}

TEST_F(Denoise, LeavesTheNoisyImageWhereItFails) {
  environment_.set("FAKE_OIDN_FAILS", "denoise");
  const Outcome outcome = run({"render", kCornellBox, "--denoise", "-o", "a.exr", "--size", "16x12",
                               "--spp", "1", "--device", "cpu", "--quiet"});
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("failed while denoising: out of?memory"));
  EXPECT_TRUE(fs::exists(file("a.exr")));
  EXPECT_FALSE(fs::exists(file("a.clean.exr")));
}

TEST_F(Denoise, CleansFilmFilesAndMergedShares) {
  const std::string film_only = "--denoise: film files hold samples as they are";
  expect_failure(2, {"render", kCornellBox, "--denoise", "-o", "a.film"}, film_only);
  render({"--denoise", "-o", "a.film", "-o", "a.exr"});
  succeed({"convert", "a.film", "b.exr", "--denoise"});
  expect_doubled("b.exr", "b.clean.exr");
  EXPECT_EQ(read_text(file("a.clean.exr")), read_text(file("b.clean.exr")));
  succeed({"merge", "a.film", "-o", "c.exr", "--denoise"});
  expect_doubled("c.exr", "c.clean.exr");
  render({"-o", "bare.film"});
  expect_failure(1, {"convert", "bare.film", "d.exr", "--denoise"},
                 "bare.film: does not hold albedo, normal, depth, position and ids; they are "
                 "recorded from the first sample on, by --aov or --denoise");
}

TEST_F(Denoise, FindsItsGuidesAmongTheLayers) {
  render({"--aov", "albedo,normal", "-o", "a.exr", "-o", "a.png"});
  const Outcome outcome = succeed({"denoise", "a.exr", "-o", "b.exr", "-o", "b.png"});
  expect_doubled("a.exr", "b.exr");
  EXPECT_TRUE(fs::exists(file("b.png")));
  EXPECT_THAT(outcome.out, HasSubstr("b.exr: a.exr without noise, by albedo and normal, by Open "
                                     "Image Denoise 2.3.1 (CPU) in "));
  EXPECT_EQ(lines_of(file("log.txt")).back(), kRun);
}

TEST_F(Denoise, TakesGuidesOfOtherFilesOrNone) {
  render({"--aov", "albedo=albedo.exr", "--aov", "normal=normal.pfm", "-o", "a.hdr"});
  EXPECT_THAT(succeed({"denoise", "a.hdr", "-o", "b.exr"}).out,
              HasSubstr("without albedo and normal"));
  EXPECT_EQ(lines_of(file("log.txt")).back(), "color 48x44 hdr");
  succeed({"denoise", "a.hdr", "-o", "b.exr", "--albedo", "albedo.exr", "--normal", "normal.pfm"});
  EXPECT_EQ(lines_of(file("log.txt")).back(), kRun);
  expect_doubled("a.hdr", "b.exr");
  const Outcome lonely = succeed({"denoise", "a.hdr", "-o", "b.exr", "--normal", "normal.pfm"});
  EXPECT_THAT(lonely.err, HasSubstr("normals are used only with an albedo"));
}

TEST_F(Denoise, RefusesWhatItCannotDoInOneLine) {
  render({"-o", "a.exr"});
  write_image(file("small.exr"), {2, 1, {glm::vec3(1.0f), glm::vec3(0.0f)}});
  expect_failure(1, {"denoise", "a.exr", "-o", "b.exr", "--albedo", "small.exr"},
                 "small.exr is 2x1, the image 16x12: both must have the same size");
  expect_failure(2, {"denoise", "a.exr", "-o", "a.exr"}, "a.exr: is an input");
  expect_failure(2, {"denoise", "a.exr"}, "--output");
  expect_failure(1, {"denoise", "none.exr", "-o", "b.exr"}, "none.exr: cannot be opened");
  expect_failure(2, {"denoise", "a.exr", "-o", "b.png", "--exposure", "auto"}, "--exposure");
}

/// A part of 16x12 pixels, each channel of one value.
ExrPart part_of(const std::map<std::string, double>& values) {
  return exr_part(16, 12, values);
}

class DenoiseExr : public Denoise {
 protected:
  Outcome denoise(const std::vector<ExrPart>& parts, const std::vector<std::string>& arguments) {
    put("in.exr", exr_bytes(parts));
    return succeed(joined({"denoise", "in.exr"}, arguments));
  }
  std::vector<ExrPart> parts(const std::string& name) const {
    return read_exr_parts(read_text(file(name)));
  }
  static void expect_values(const ExrPart& part, const std::string& channel, double value) {
    EXPECT_THAT(part.channels.at(channel).values, Each(double(float(value)))) << channel;
  }
};

TEST_F(DenoiseExr, KeepsAlphaAndOtherLayers) {
  ExrPart part = part_of({{"R", 1}, {"G", 2}, {"B", 3}, {"A", 0.3}, {"Z", 4}, {"id", 7}});
  part.channels["id"].type = ExrType::kUint;
  part.channels["id"].values.assign(16 * 12, 4294967295.0);
  denoise({part}, {"-o", "out.exr"});
  const ExrPart out = parts("out.exr").at(0);
  // Twice what is in front of the same colours, without what is behind.
  for (const double value : out.channels.at("R").values) EXPECT_NEAR(value, 2 + 0.7 / 0.3, 1e-4);
  for (const double value : out.channels.at("B").values) EXPECT_NEAR(value, 6 + 2.1 / 0.3, 1e-4);
  expect_values(out, "A", 0.3);
  expect_values(out, "Z", 4);
  EXPECT_THAT(out.channels.at("id").values, Each(4294967295.0));
}

TEST_F(DenoiseExr, SaysWhatOtherFormatsCannotHold) {
  const ExrPart part = part_of({{"R", 0.1},
                                {"G", 0.1},
                                {"B", 0.1},
                                {"A", 0.5},
                                {"Z", 4},
                                {"albedo.R", 1},
                                {"albedo.G", 1},
                                {"albedo.B", 1}});
  const Outcome outcome = denoise({part}, {"-o", "out.png", "-o", "out.jpg"});
  EXPECT_THAT(outcome.err, HasSubstr("out.jpg: cannot hold alpha, which is left out"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("out.png: cannot hold alpha")));
  EXPECT_THAT(outcome.err, HasSubstr("in.exr: 1 of its channels, such as \"Z\", are left out"));
  const Image png = read_image(file("out.png"));
  EXPECT_THAT(png.alpha, Each(128.0f / 255.0f));
  // Twice what is in front of 0.2, without the half of it that is behind, and divided by alpha.
  EXPECT_NEAR(png.pixels[0].x, 0.6f, 0.01f);
  EXPECT_THAT(denoise({part}, {"-o", "out.png", "-o", "out.exr"}).err, IsEmpty());
}

TEST_F(DenoiseExr, KeepsTheAlphaOfPng) {
  Image image{2, 1, {glm::vec3(0.1f), glm::vec3(0.2f)}};
  image.alpha = {0.4f, 1.0f};
  write_image(file("in.png"), image);
  EXPECT_THAT(succeed({"denoise", "in.png", "-o", "out.png", "-o", "out.exr"}).err, IsEmpty());
  const Image before = read_image(file("in.png")), after = read_image(file("out.png"));
  EXPECT_EQ(after.alpha, before.alpha);
  EXPECT_NEAR(after.pixels[0].x, 2.0f * before.pixels[0].x, 0.005f);
  const ExrPart exr = parts("out.exr").at(0);
  EXPECT_NEAR(exr.channels.at("R").values[0], 2.0 * 0.4 * double(before.pixels[0].x), 1e-4);
  EXPECT_NEAR(exr.channels.at("A").values[0], 0.4, 1e-4);
}

TEST_F(DenoiseExr, TakesCropsOverscanAndSinglePixels) {
  for (const ExrWindow display : {ExrWindow{0, 0, 39, 29}, ExrWindow{6, 6, 15, 15}}) {
    ExrPart crop = part_of({{"R", 1},
                            {"G", 1},
                            {"B", 1},
                            {"albedo.R", 1},
                            {"albedo.G", 1},
                            {"albedo.B", 1},
                            {"N.X", 0},
                            {"N.Y", 1},
                            {"N.Z", 0}});
    crop.data = {4, 4, 19, 15};
    crop.display = display;
    EXPECT_THAT(denoise({crop}, {"-o", "out.exr", "-o", "out.pfm"}).out,
                HasSubstr("by albedo and normal"));
    EXPECT_EQ(lines_of(file("log.txt")).back(), kRun);
    const ExrPart out = parts("out.exr").at(0);
    EXPECT_EQ(out.data, crop.data);
    EXPECT_EQ(out.display, crop.display);
    expect_values(out, "R", 2);
    EXPECT_EQ(read_image(file("out.pfm")).width, uint32_t(display[2] - display[0] + 1));
  }
  denoise({exr_part(1, 1, {{"R", 1}, {"G", 1}, {"B", 1}})}, {"-o", "out.exr"});
  expect_values(parts("out.exr").at(0), "R", 2);
}

TEST_F(DenoiseExr, GuidesOfOtherFilesMayHaveTheSizeOfEitherWindow) {
  ExrPart crop = part_of({{"R", 1}, {"G", 1}, {"B", 1}}), whole = crop;
  crop.data = {4, 4, 19, 15};
  crop.display = {0, 0, 39, 29};
  whole = exr_part(40, 30, {{"X", 1}, {"Y", 0}, {"Z", 0}});
  put("crop.exr", exr_bytes({crop}));
  put("whole.exr", exr_bytes({whole}));
  denoise({crop}, {"-o", "out.exr", "--albedo", "crop.exr", "--normal", "whole.exr"});
  EXPECT_EQ(lines_of(file("log.txt")).back(), kRun);
}

TEST_F(DenoiseExr, TakesTheLayerThatAFileOfGuidesHas) {
  put("guides.exr", exr_bytes({part_of({{"R", 9},
                                        {"G", 9},
                                        {"B", 9},
                                        {"N.X", 0},
                                        {"N.Y", 1},
                                        {"N.Z", 0},
                                        {"albedo.R", 1},
                                        {"albedo.G", 1},
                                        {"albedo.B", 1}})}));
  denoise({part_of({{"R", 1}, {"G", 1}, {"B", 1}})},
          {"-o", "out.exr", "--albedo", "guides.exr", "--normal", "guides.exr"});
  const std::vector<std::string> log = lines_of(file("log.txt"));
  EXPECT_EQ(log.back(), kRun);
}

TEST_F(DenoiseExr, PrefersFilesOfGuidesToItsLayers) {
  put("in.exr",
      exr_bytes({part_of(
          {{"R", 1}, {"G", 1}, {"B", 1}, {"albedo.R", 1}, {"albedo.G", 1}, {"albedo.B", 1}})}));
  write_image(file("small.pfm"), {2, 1, {glm::vec3(1.0f), glm::vec3(0.0f)}});
  expect_failure(1, {"denoise", "in.exr", "-o", "out.exr", "--albedo", "small.pfm"},
                 "small.pfm is 2x1, the image 16x12");
}

TEST_F(DenoiseExr, FindsPictureAndGuidesOfBlenderInOneOrManyParts) {
  const std::map<std::string, double> combined = {{"ViewLayer.Combined.R", 1},
                                                  {"ViewLayer.Combined.G", 1},
                                                  {"ViewLayer.Combined.B", 1},
                                                  {"ViewLayer.Combined.A", 1}},
                                      albedo = {{"ViewLayer.Denoising Albedo.R", 1},
                                                {"ViewLayer.Denoising Albedo.G", 1},
                                                {"ViewLayer.Denoising Albedo.B", 1}},
                                      normal = {{"ViewLayer.Denoising Normal.X", 0},
                                                {"ViewLayer.Denoising Normal.Y", 1},
                                                {"ViewLayer.Denoising Normal.Z", 0}};
  std::map<std::string, double> all = combined;
  all.insert(albedo.begin(), albedo.end());
  all.insert(normal.begin(), normal.end());
  std::vector<ExrPart> many = {part_of(combined), part_of(albedo), part_of(normal)};
  many[0].name = "ViewLayer.Combined";
  many[1].name = "ViewLayer.Denoising Albedo";
  many[2].name = "ViewLayer.Denoising Normal";
  for (const std::vector<ExrPart>& file_parts : {std::vector<ExrPart>{part_of(all)}, many}) {
    EXPECT_THAT(denoise(file_parts, {"-o", "out.exr"}).out, HasSubstr("by albedo and normal"));
    EXPECT_EQ(lines_of(file("log.txt")).back(), kRun);
    const std::vector<ExrPart> out = parts("out.exr");
    ASSERT_EQ(out.size(), file_parts.size());
    expect_values(out[0], "ViewLayer.Combined.G", 2);
    expect_values(out[0], "ViewLayer.Combined.A", 1);
    expect_values(out.back(), "ViewLayer.Denoising Normal.Y", 1);
  }
}

TEST_F(DenoiseExr, KeepsColorsOfTheFileAndShowsRec709) {
  ExrPart part = part_of({{"R", 0.5}, {"G", 0}, {"B", 0}});
  part.chromaticities = {0.7347f, 0.2653f, 0.0f, 1.0f, 0.0001f, -0.077f, 0.32168f, 0.33767f};
  denoise({part}, {"-o", "out.exr", "-o", "out.pfm"});
  const ExrPart out = parts("out.exr").at(0);
  EXPECT_EQ(out.chromaticities, part.chromaticities);
  expect_values(out, "R", 1);
  const glm::vec3 shown = read_image(file("out.pfm")).pixels[0];
  EXPECT_NEAR(shown.r, 2.522f, 2e-3f);
  EXPECT_NEAR(shown.g, -0.276f, 2e-3f);
}

TEST_F(DenoiseExr, OfSeveralViewsCleansEach) {
  ExrPart part =
      part_of({{"R", 1}, {"G", 1}, {"B", 1}, {"right.R", 2}, {"right.G", 2}, {"right.B", 2}});
  part.views = {"left", "right"};
  const Outcome outcome = denoise({part}, {"-o", "out.exr", "-o", "out.pfm"});
  expect_values(parts("out.exr").at(0), "R", 2);
  expect_values(parts("out.exr").at(0), "right.G", 4);
  EXPECT_THAT(outcome.err, HasSubstr("out.pfm: holds one of the 2 pictures"));
}

TEST_F(DenoiseExr, InfinitePixelsDoNotSpoilThePicture) {
  ExrPart part = part_of({{"R", 0.5}, {"G", 0.5}, {"B", 0.5}});
  part.channels["R"].values[100] = std::numeric_limits<double>::infinity();
  part.channels["G"].values[50] = 3e38;
  const Outcome outcome = denoise({part}, {"-o", "out.exr"});
  EXPECT_THAT(outcome.err, HasSubstr("in.exr: 2 pixels are infinite or at least 65504"));
  expect_values(parts("out.exr").at(0), "R", 1);
  expect_values(parts("out.exr").at(0), "G", 1);
}

TEST_F(DenoiseExr, SpotsDoNotSpoilThePicture) {
  ExrPart part = part_of({{"R", 0.5}, {"G", 0.5}, {"B", 0.5}});
  part.channels["R"].values[100] = 1e4;
  part.channels["R"].values[50] = -1e4;  // not bright
  const Outcome outcome = denoise({part}, {"-o", "out.exr"});
  EXPECT_THAT(outcome.err, HasSubstr("in.exr: 1 single pixels are over 500 times as bright"));
  EXPECT_THAT(outcome.err, Not(HasSubstr("may spread")));
  EXPECT_EQ(parts("out.exr").at(0).channels.at("R").values[100], 1);
}

}  // namespace
}  // namespace winnow
