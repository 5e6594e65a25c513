// SPDX-License-Identifier: MIT
#include "app/render/render.h"

#include <gmock/gmock.h>

#include <regex>

#include "backend/renderer.h"
#include "compaction/tools/mask_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/render_fixture.h"
#include "tests/support/expect_json.h"
#include "wavefront/state/render_stats.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

TEST_F(Render, WritesTheScenesNameByDefaultAndSaysWhere) {
  Outcome outcome = render({"--spp", "2"});
  EXPECT_THAT(outcome.out,
              testing::MatchesRegex("cornell-box\\.png: 16x12, 2 samples per pixel in .* m?s, "
                                    ".* [MG]samples/s\n"));
  EXPECT_NE(outcome.err.find("cornell-box: 16x12, 2 samples per pixel, on CPU"), std::string::npos);
  Image image = read_image(file("cornell-box.png"));
  EXPECT_EQ(image.width, 16u);
  EXPECT_EQ(image.height, 12u);
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(Render, WritesSeveralImagesOfOneFilm) {
  Outcome outcome = render({"--spp", "2", "-o", "a.pfm", "-o", "b ü.exr", "-o", "c.png", "--output",
                            "d.hdr", "-o", "e.jpg"});
  EXPECT_EQ(outcome.out.rfind("a.pfm, b ü.exr, c.png, d.hdr, e.jpg: ", 0), 0u) << outcome.out;
  EXPECT_EQ(image_hash(read_image(file("a.pfm"))), image_hash(read_image(file("b ü.exr"))));
  for (const char* name : {"c.png", "d.hdr", "e.jpg"})
    EXPECT_EQ(read_image(file(name)).width, 16u) << name;
  EXPECT_EQ(file_count(), 5u);
}

TEST_F(Render, TakesItsRandomNumbersFromTheSamplerThatIsNamed) {
  const std::string sobol = stats_of({"--spp", "4"})["film_hash"];
  EXPECT_EQ(stats_of({"--spp", "4", "--sampler", "sobol"})["film_hash"], sobol);
  const Json hash = stats_of({"--spp", "4", "--sampler", "hash"});
  EXPECT_EQ(hash["sampler"], "hash");
  EXPECT_NE(hash["film_hash"], sobol);
  expect_usage_error({"--sampler", "sobel"}, "did you mean sobol?");
}

TEST_F(Render, IsTheSameWithATimeLimitThatItKeeps) {
  for (const char* sampler : {"hash", "sobol"})
    EXPECT_EQ(stats_of({"--spp", "3", "--sampler", sampler})["film_hash"],
              stats_of({"--spp", "3", "--sampler", sampler, "--time-limit", "1000"})["film_hash"]);
}

TEST_F(Render, EndsWhereTheNoiseIsBelowTheLimit) {
  const Json all = stats_of({"--spp", "128"});
  EXPECT_TRUE(all["noise"].is_null());
  const Json some = stats_of({"--spp", "128", "--noise", "0.9"});
  EXPECT_EQ(some["noise"]["limit"], 0.9);
  EXPECT_EQ(some["noise"]["noisy_share"], 0.0);
  EXPECT_EQ(some["interrupted"], false);
  EXPECT_LT(some["spp"], 128);
  const Json most = stats_of({"--spp", "40", "--noise", "0.0001"});
  EXPECT_EQ(most["spp"], 40);
  EXPECT_EQ(most["noise"]["noisy_share"], 1.0);
  EXPECT_EQ(most["film_hash"], stats_of({"--spp", "40"})["film_hash"]);
  for (const char* limit : {"0", "5%"}) expect_usage_error({"--noise", limit}, "--noise: ");
}

TEST_F(Render, OptionsOverrideTheSceneAndTheLastOneCounts) {
  Json stats = stats_of({"--spp", "3", "--spp", "2", "--size", "5x7", "--max-bounces", "2",
                         "--seed", "18446744073709551615", "--cull", "scan", "--threads", "1"});
  expect_json(stats, R"({"spp": 2, "size": [5, 7], "max_bounces": 2,
    "seed": 18446744073709551615, "cull": "scan", "threads": 1})");
  EXPECT_EQ(stats["scene"], kCornellBox);
  EXPECT_LE(stats["bounces"].size(), 3u);
}

TEST_F(Render, StatsHaveTheHashOfTheFilm) {
  Json stats = stats_of({"--spp", "2", "-o", "film.pfm"});
  EXPECT_EQ(stats["film_hash"], image_hash(read_image(file("film.pfm"))));
  EXPECT_EQ(stats["film_hash"], stats_of({"--spp", "2"})["film_hash"]);
  EXPECT_NE(stats["film_hash"], stats_of({"--spp", "2", "--seed", "1"})["film_hash"]);
}

TEST_F(Render, StatsAccountForEveryPath) {
  for (const char* loop : {"wave", "path"}) {
    Json stats = stats_of({"--spp", "8", "--loop", loop});
    EXPECT_EQ(stats["loop"], loop);
    EXPECT_EQ(stats["rays"]["camera"], 16 * 12 * 8);
    EXPECT_EQ(stats["bounces"][0]["alive"], stats["rays"]["camera"]);
    uint64_t extension = 0, shadow = 0;
    for (size_t bounce = 0; bounce < stats["bounces"].size(); ++bounce) {
      const Json& now = stats["bounces"][bounce];
      uint64_t died = 0;
      for (const Json& terminations : now["deaths"]) died += terminations.get<uint64_t>();
      bool last = bounce + 1 == stats["bounces"].size();
      uint64_t next = last ? 0 : stats["bounces"][bounce + 1]["alive"].get<uint64_t>();
      EXPECT_EQ(now["alive"], next + died) << loop << ", bounce " << bounce;
      extension += bounce > 0 ? now["alive"].get<uint64_t>() : 0;
      shadow += now["shadow_rays"].get<uint64_t>();
      EXPECT_EQ(now["milliseconds"].size(), kStageCount);
    }
    EXPECT_EQ(stats["rays"]["extension"], extension);
    EXPECT_EQ(stats["rays"]["shadow"], shadow);
    EXPECT_GT(stats["samples_per_second"].get<double>(), 0.0);
    EXPECT_GT(stats["seconds"]["render"].get<double>(), 0.0);
    EXPECT_EQ(stats["interrupted"], false);
  }
}

TEST_F(Render, AFailingSceneIsOneLine) {
  put("broken.json", "{\"film\": [1, 2");
  put("text.txt", "no scene");
  expect_failure(1, {"render", "missing.json"});
  expect_failure(1, {"render", "broken.json"});
  expect_failure(1, {"render", "text.txt"});
  expect_failure(1, {"render", "."});
  expect_failure(1, {"info", "missing.obj"});
  EXPECT_EQ(file_count(), 2u);
}

TEST_F(Render, OutputsAreCheckedBeforeTheSceneIsRead) {
  // The scene does not exist, so any other error is found before the scene is read.
  put("file", "");
  auto expect = [&](int exit_code, const std::vector<std::string>& arguments,
                    const std::string& part) {
    expect_failure(exit_code, joined({"render", "missing.json"}, arguments), part);
  };
  expect(1, {"-o", "none/a.png"}, "the folder none does not exist");
  expect(1, {"-o", "a.png", "-o", "none/b.exr"}, "the folder none does not exist");
  expect(1, {"-o", "a.png", "--stats", "none/s.json"}, "the folder none does not exist");
  expect(1, {"-o", "file/a.png"}, "file is not a folder");
  expect(1, {"--stats", "."}, "it is a folder");
  expect(2, {"-o", "a.bmp"}, ".png, .jpg, .hdr, .pfm or .exr");
  expect(2, {"-o", "a"}, ".png, .jpg, .hdr, .pfm or .exr");
  expect(2, {"-o", "a.png", "-o", "./a.png"}, "twice");
  expect(2, {"--stats", "./missing.json"}, "is an input");
  expect(1, {"--aov", "deaths=none/d.png"}, "the folder none does not exist");
  expect(2, {"--aov", "deaths=d.bmp"}, ".png, .jpg, .hdr, .pfm or .exr");
  expect(2, {"-o", "a.png", "--aov", "deaths=./a.png"}, "twice");
  expect(2, {"--aov", "bounces=a.png", "--aov", "deaths=a.png"}, "twice");
  expect(1, {"--record-masks", "none/m.bin"}, "the folder none does not exist");
  expect(2, {"--record-masks", "missing.json"}, "is an input");
  expect(2, {"--record-masks", "m.bin", "--stats", "m.bin"}, "twice");
}

TEST_F(Render, RefusesChoicesThatItDoesNotKnowOrThatContradictEachOther) {
  expect_usage_error({"--aov", "depht=d.png"}, "did you mean depth?");
  expect_usage_error({"--aov", "deaths.png"}, "\"deaths.png\" is not albedo, normal, ");
  expect_usage_error({"--aov", "depth,normal,depth", "-o", "a.exr"}, "\"depth\" is given twice");
  expect_usage_error(
      {"--aov", "depth,normal", "-o", "a.png"},
      "--aov depth: layers are part of an .exr file; add -o FILE.exr, or write depth=FILE");
  expect_usage_error({"--aov"}, "--aov: its value is missing");
  expect_usage_error({"--camera", "1,2"}, "X,Y,Z,DX,DY,DZ,FOV");
  expect_usage_error({"--camera", "1e38,0,0,0,0,1,40"}, "farther away than 1e9 m");  // Embree crash
  expect_usage_error({"--loop", "waves"}, "did you mean wave?");
  expect_usage_error({"--device", "gpu"}, "auto, cpu, cuda or cuda:K");
  expect_usage_error({"--driver", "graphs"}, "did you mean graph?");
  expect_usage_error({"--roulette", "no"}, "is not off or on");
  expect_usage_error({"--bvh", "fats"}, "did you mean fast?");
  expect_usage_error({"--cull", "thrusts"}, "did you mean thrust?");
  expect_usage_error({"--group", "materials"}, "did you mean material?");
  expect_usage_error({"--group", "material", "--cull", "move"}, "use --cull append");
  expect_usage_error({"--loop", "path", "--record-masks", "m.bin"}, "leave out --loop path");
  expect_usage_error({"--record-masks", "m.steps"}, "add --cull none");
  expect_usage_error({"--loop", "path", "--regenerate"}, "leave out --loop path");
  expect_usage_error({"--aov", "cost", "--regenerate"}, "leave out --aov cost");
  expect_usage_error({"--loop", "path", "--tracer", "rt"}, "leave out --loop path");
  expect_usage_error({"--aov", "cost", "--tracer", "rt"}, "leave out --aov cost");
  expect_usage_error({"--tracer", "rtx"}, "did you mean rt?");
  expect_failure(1, command({"--tracer", "rt"}),
                 "--tracer rt: needs a GPU, and this render is on the CPU; use --tracer bvh");
  expect_failure(1, command({"--cull", "cub"}), "--cull cub: needs a GPU");
  expect_failure(1, command({"--cull", "thrust"}), "--cull thrust: needs a GPU");
  EXPECT_EQ(file_count(), 0u);
}

TEST_F(Render, RouletteDriverAndRegenerationReachTheRenderer) {
  Json plain = stats_of({"--spp", "8"});
  expect_json(plain, R"({"roulette": true, "driver": "graph", "regenerate": false})");
  Json other = stats_of({"--spp", "8", "--roulette", "off", "--driver", "host", "--regenerate"});
  expect_json(other, R"({"roulette": false, "driver": "host", "regenerate": true})");
  auto lost = [](const Json& stats) {
    uint64_t lost = 0;
    for (const Json& bounce : stats["bounces"])
      lost += bounce["deaths"]["roulette"].get<uint64_t>();
    return lost;
  };
  EXPECT_GT(lost(plain), 0u);
  EXPECT_EQ(lost(other), 0u);
}

TEST_F(Render, TellsHowTheTreeWasBuiltWhichDoesNotChangeTheImage) {
  const Json plain = stats_of({"--spp", "1"});
  EXPECT_EQ(plain["bvh"]["build"], "quality");
  for (const char* build : {"fast", "quality"}) {
    const Json stats = stats_of({"--spp", "1", "--bvh", build});
    EXPECT_EQ(stats["bvh"]["build"], build);
    EXPECT_EQ(stats["bvh"]["cached"], false);
    EXPECT_GT(stats["bvh"]["seconds"], 0.0);
    EXPECT_EQ(stats["film_hash"], plain["film_hash"]);
  }
}

TEST_F(Render, SaysInOneLineThatAFolderCannotHoldTrees) {
  stats_of({"--spp", "1", "--bvh-cache", "new/trees"});
  EXPECT_TRUE(fs::is_directory(file("new/trees")));
  expect_failure(1, command({"--bvh-cache", "stats.json"}), "--bvh-cache stats.json: ");
}

TEST_F(Render, RefusesASizeThatTheFormatCannotHoldBeforeRendering) {
  expect_failure(1, command({"--size", "32768x32768", "-o", "large.png"}), "use .exr");
}

TEST_F(Render, RefusesAGpuThatIsNotThere) {
  const bool has_gpu = list_cuda_devices().why_none.empty();
  expect_failure(1, {"render", kCornellBox, "--device", "cuda:1000"},
                 has_gpu ? "there is no GPU 1000" : "--device cpu");
}

TEST_F(Render, AFailingOutputDoesNotCostTheOthers) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  fs::create_symlink("/dev/full", file("full.png"));
  Outcome outcome =
      run(command({"--spp", "1", "-o", "full.png", "-o", "good.pfm", "--quiet", "--stats",
                   "good.json", "--aov", "bounces=b.png", "--record-masks", "m.bin"}));
  EXPECT_EQ(outcome.exit_code, 1);
  std::smatch parts;
  ASSERT_TRUE(std::regex_match(outcome.err, parts,
                               std::regex("winnow: full.png: cannot be written: No space left on "
                                          "device; it is in (.*/full.png) instead\n")))
      << outcome.err;
  EXPECT_EQ(image_hash(read_image(parts[1].str())).size(), 16u);  // a complete image
  fs::remove_all(fs::path(parts[1].str()).parent_path());
  EXPECT_EQ(read_image(file("good.pfm")).width, 16u);
  EXPECT_EQ(read_image(file("b.png")).width, 16u);
  EXPECT_GT(compaction::read_masks(file("m.bin").string()).at(0).entries, 0u);
  EXPECT_EQ(json("good.json")["film_hash"], image_hash(read_image(file("good.pfm"))));
}

class ModelWithALamp : public WinnowTest {
 protected:
  /// A triangle under a point light, whose file has no sky.
  void SetUp() override {
    WinnowTest::SetUp();
    put("lamp.gltf", R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
      "extensions": {"KHR_lights_punctual": {"lights": [{"type": "point", "intensity": 60}]}},
      "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,)"
                     R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
      "bufferViews": [{"buffer": 0, "byteLength": 36}],
      "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
      "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
      "nodes": [{"mesh": 0}, {"translation": [0.3, 0.3, 2],
        "extensions": {"KHR_lights_punctual": {"light": 0}}}]})");
  }
  std::string messages_of(const std::vector<std::string>& options) const {
    return succeed(joined({"render", "lamp.gltf", "--device", "cpu", "--size", "8x8", "--spp", "1"},
                          options))
        .err;
  }
};

TEST_F(ModelWithALamp, SaysWhyItsBackgroundIsBlack) {
  const std::string note =
      "lamp.gltf: its own lights alone light it, so its background is black; "
      "--sky soft adds a sky\n";
  EXPECT_NE(messages_of({}).find(note), std::string::npos);
  EXPECT_NE(messages_of({"--strict"}).find(note), std::string::npos)
      << "it is no fault of the file";
  EXPECT_EQ(messages_of({"--sky", "soft"}).find("background"), std::string::npos);
  EXPECT_EQ(messages_of({"--quiet"}), "");
}

}  // namespace
}  // namespace winnow
