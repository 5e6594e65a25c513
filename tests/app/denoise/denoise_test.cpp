// SPDX-License-Identifier: MIT
// winnow denoise, and --denoise of render, convert and merge, by the real program with a stand-in
// for Open Image Denoise that doubles all values.
#include "app/denoise/denoise.h"

#include <gmock/gmock.h>

#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/denoise/support/fake_oidn.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

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

TEST_F(Denoise, ChangesNoBitOfTheNoisyImageAndAddsNoLayers) {
  render({"-o", "plain.exr", "--stats", "plain.json"});
  EXPECT_EQ(json("plain.json")["denoise"], nullptr);
  render({"--denoise", "-o", "a.exr", "--aov", "depth"});
  EXPECT_EQ(image_hash(read_image(file("a.exr"))), image_hash(read_image(file("plain.exr"))));
  ASSERT_EQ(read_image_channels(file("a.exr")).size(), 1u);
  EXPECT_EQ(read_image_channels(file("a.exr")).front().name, "Z");
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
  const Outcome outcome = run({"render", kCornellBox, "--denoise", "-o", "a.png", "--size",
                               "8192x8192", "--spp", "100000", "--time-limit", "1"});
  if (outcome.exit_code == 0) GTEST_SKIP() << "Open Image Denoise is installed for the system";
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("--denoise: Open Image Denoise is not installed: "
                                     "run \"pip install pyoidn\""));
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

ImageChannel channel(const std::string& name, float value) {
  return {name, std::vector<float>{value}};
}

TEST(DenoiseGuidesAmong, KnowTheLayersOfOtherRenderers) {
  for (const std::string albedo :
       {"albedo.", "Albedo.", "ViewLayer.Denoising Albedo.", "diffuse.albedo."})
    for (const std::string normal : {"N.", "normal.", "nn.", "View Layer.Denoising Normal."}) {
      const DenoiseGuides guides = guides_among(
          {channel(normal + "X", 4), channel(normal + "Y", 5), channel(normal + "Z", 6),
           channel(albedo + "B", 3), channel(albedo + "G", 2), channel(albedo + "R", 1),
           channel("Z", 9), channel("A", 9)},
          1, 1);
      ASSERT_EQ(guides.albedo.pixels.size(), 1u) << albedo;
      ASSERT_EQ(guides.normal.pixels.size(), 1u) << normal;
      EXPECT_EQ(guides.albedo.pixels[0], glm::vec3(1, 2, 3));
      EXPECT_EQ(guides.normal.pixels[0], glm::vec3(4, 5, 6));
    }
}

TEST(DenoiseGuidesAmong, NeedAllComponents) {
  const DenoiseGuides guides = guides_among(
      {channel("albedo.R", 1), channel("albedo.G", 1), channel("N.X", 1), channel("N", 1)}, 1, 1);
  EXPECT_THAT(guides.albedo.pixels, IsEmpty());
  EXPECT_THAT(guides.normal.pixels, IsEmpty());
}

}  // namespace
}  // namespace winnow
