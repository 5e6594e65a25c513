// SPDX-License-Identifier: MIT
// AOVs and recorded masks of `winnow render`.

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/names.h"
#include "compaction/advise/recording.h"
#include "compaction/tools/mask_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/render_fixture.h"
#include "tests/image/support/exr_files.h"

namespace winnow {
namespace {

using Json = nlohmann::json;

TEST_F(Render, PutsLayersIntoOpenExr) {
  const std::string all = "albedo,normal,depth,position,ids,variance,samples,bounces,deaths,cost";
  Outcome outcome = render({"--spp", "3", "-o", "a.exr", "-o", "a.png", "--aov", all, "--aov",
                            "normal=n.pfm", "--aov", "albedo=al.png"});
  EXPECT_THAT(outcome.out, testing::HasSubstr("al.png: directional albedo"));
  EXPECT_EQ(stats_of({"--spp", "3"})["film_hash"], image_hash(read_image(file("a.exr"))));

  const std::map<std::string, ExrChannel> channels =
      read_exr_parts(read_text(file("a.exr"))).at(0).channels;
  EXPECT_THAT(channels.at("samples").values,
              testing::AllOf(testing::SizeIs(16 * 12), testing::Each(3)));
  const Image normals = read_image(file("n.pfm"));
  for (size_t pixel = 0; pixel < normals.pixels.size(); ++pixel)
    EXPECT_EQ(channels.at("N.Y").values[pixel], normals.pixels[pixel].y);
  EXPECT_THAT(
      names_of(channels),
      testing::UnorderedElementsAre(
          "R", "G", "B", "albedo.R", "albedo.G", "albedo.B", "N.X", "N.Y", "N.Z", "Z", "P.X", "P.Y",
          "P.Z", "id.material", "id.primitive", "id.instance", "variance.R", "variance.G",
          "variance.B", "samples", "bounces", "deaths.R", "deaths.G", "deaths.B", "cost.traversal",
          "cost.traversal.0", "cost.traversal.1", "cost.traversal.2", "cost.traversal.3",
          "cost.traversal.4", "cost.traversal.5", "cost.traversal.6", "cost.traversal.7",
          "cost.shading", "cost.shading.0", "cost.shading.1", "cost.shading.2", "cost.shading.3",
          "cost.shading.4", "cost.shading.5", "cost.shading.6", "cost.shading.7"));
}

TEST_F(Render, PicturesOfTerminationsAgreeWithTheStatistics) {
  Outcome outcome = render({"--spp", "4", "--max-bounces", "3", "--aov", "bounces=b.pfm", "--aov",
                            "bounces=b.png", "--aov", "deaths=d.png", "--stats", "stats.json"});
  Json stats = json("stats.json");
  double terminations = 0.0, bounces = 0.0, escaped = 0.0;
  for (const Json& bounce : stats["bounces"])
    for (const auto& [cause, count] : bounce["deaths"].items()) {
      terminations += count.get<double>();
      bounces += bounce["bounce"].get<double>() * count.get<double>();
      if (cause == "escaped") escaped += count.get<double>();
    }

  Image image = read_image(file("b.pfm"));
  double sum = 0.0, most = 0.0;
  for (glm::vec3 pixel : image.pixels) {
    EXPECT_EQ(pixel, glm::vec3(pixel.x));
    sum += double(pixel.x);
    most = std::max(most, double(pixel.x));
  }
  EXPECT_NEAR(sum / double(image.pixels.size()), bounces / terminations, 1e-6);
  EXPECT_GT(most, 0.0);
  EXPECT_LE(most, 3.0);

  // The program prints a line for each picture that says what its colours mean.
  std::istringstream lines(outcome.out);
  std::vector<std::string> legends;
  for (std::string line; std::getline(lines, line);) legends.push_back(line);
  ASSERT_EQ(legends.size(), 4u) << outcome.out;
  EXPECT_THAT(legends[1],
              testing::StartsWith("b.pfm: mean bounces of the paths, as numbers from 0 to "));
  EXPECT_THAT(legends[2],
              testing::HasSubstr("b.png: mean bounces of the paths, from 0 (dark violet)"));
  const std::string escaped_share = "sky blue: left the scene (";
  size_t share = legends[3].find(escaped_share);
  ASSERT_NE(share, std::string::npos) << legends[3];
  constexpr double kPercent = 100.0, kRounding = 0.06;
  EXPECT_NEAR(std::stod(legends[3].substr(share + escaped_share.size())),
              kPercent * escaped / terminations, kRounding);
  EXPECT_EQ(read_image(file("d.png")).width, 16u);
}

TEST_F(Render, PicturesDoNotChangeTheImage) {
  Json plain = stats_of({"--spp", "2"});
  EXPECT_EQ(
      stats_of({"--spp", "2", "--aov", "deaths=d.png", "--record-masks", "m.bin"})["film_hash"],
      plain["film_hash"]);
  const Json measured = stats_of({"--spp", "2", "--aov", "cost=c.png"});
  EXPECT_EQ(measured["film_hash"], plain["film_hash"]);
  EXPECT_EQ(plain["loop"], "wave");
  EXPECT_EQ(measured["loop"], "path");
}

TEST_F(Render, PicturesAreTheSameForEveryWayToRender) {
  auto written = [&](const std::vector<std::string>& arguments) {
    render(joined(arguments,
                  {"--spp", "4", "--quiet", "--aov", "bounces=b.pfm", "--aov", "deaths=d.pfm"}));
    return image_hash(read_image(file("b.pfm"))) + image_hash(read_image(file("d.pfm")));
  };
  std::string expected = written({});
  EXPECT_EQ(written({"--loop", "path"}), expected);
  EXPECT_EQ(written({"--wave-size", "7"}), expected);
  EXPECT_EQ(written({"--regenerate"}), expected);
  for (const char* cull :
       {"none", "append", "scan", "ballot", "look-back", "look-ahead", "move", "auto"})
    EXPECT_EQ(written({"--cull", cull}), expected) << cull;
}

TEST_F(Render, RecordedMasksHoldTheSurvivorsOfEachBounce) {
  // Each pixel has one path, whose number of bounces is known: it survives all bounces before that.
  // The film is as wide as a tile, so that the ids of paths run row by row.
  auto record = [&](const char* cull) {
    render({"--size", "8x384", "--spp", "1", "--threads", "1", "--cull", cull, "--quiet",
            "--record-masks", "m.bin", "--aov", "bounces=b.pfm"});
    return compaction::read_masks(file("m.bin").string());
  };
  std::vector<compaction::Mask> unculled = record("none");
  Image bounces = read_image(file("b.pfm"));
  ASSERT_GT(unculled.size(), 3u);
  std::vector<uint64_t> kept;
  for (size_t bounce = 0; bounce < unculled.size(); ++bounce) {
    ASSERT_EQ(unculled[bounce].entries, unculled[0].entries);
    for (uint32_t path = 0; path < unculled[0].entries; ++path)
      ASSERT_EQ(unculled[bounce].selected(path), bounces.pixels[path].x > float(bounce))
          << "path " << path << " after bounce " << bounce;
    kept.push_back(unculled[bounce].kept());
  }
  EXPECT_GT(kept.front(), 0u);
  EXPECT_EQ(kept.back(), 0u);

  // In a culled queue, the survivors of a bounce are the entries of the next.
  for (const char* cull : {"append", "scan", "ballot", "look-back", "look-ahead", "move"}) {
    SCOPED_TRACE(cull);
    std::vector<compaction::Mask> masks = record(cull);
    ASSERT_EQ(masks.size(), kept.size());
    for (size_t bounce = 0; bounce < masks.size(); ++bounce) {
      EXPECT_EQ(masks[bounce].entries, bounce == 0 ? unculled[0].entries : kept[bounce - 1])
          << bounce;
      EXPECT_EQ(masks[bounce].kept(), kept[bounce]) << bounce;
    }
  }
}

TEST_F(Render, SaysWhatTheRecordedMasksAreOf) {
  Outcome outcome = render({"--spp", "1", "--max-bounces", "0", "--record-masks", "m.bin"});
  std::vector<compaction::Mask> masks = compaction::read_masks(file("m.bin").string());
  ASSERT_EQ(masks.size(), 1u);
  EXPECT_THAT(outcome.out, testing::HasSubstr("\nm.bin: which of the first wave's " +
                                              std::to_string(masks[0].entries) +
                                              " paths survive each of 1 bounce\n"));
}

TEST_F(Render, RecordsStepsWithTheTimesOfBouncesForAdvice) {
  const auto record = [&](const char* name) {
    render({"--size", "32x16", "--spp", "4", "--cull", "none", "--quiet", "--record-masks", name});
    return compaction::advise::read_recording(file(name).string(), false);
  };
  const auto masks = record("m.bin"), steps = record("m.steps");
  EXPECT_EQ(steps.item_count, masks.item_count);
  ASSERT_EQ(steps.steps.size(), masks.steps.size());
  for (size_t bounce = 0; bounce < steps.steps.size(); ++bounce) {
    EXPECT_EQ(steps.steps[bounce].words, masks.steps[bounce].words) << bounce;
    EXPECT_GT(steps.steps[bounce].nanoseconds, steps.steps[bounce].fixed_nanoseconds);
  }
  EXPECT_GT(steps.format.state_bytes, 16u);
  EXPECT_GT(steps.frame_nanoseconds, 0);
}

}  // namespace
}  // namespace winnow
