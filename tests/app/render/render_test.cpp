// SPDX-License-Identifier: MIT
#include "app/render/render.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <regex>

#include "backend/renderer.h"
#include "compaction/tools/mask_file.h"
#include "image/compare.h"
#include "image/image_formats.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/support/expect_json.h"
#include "wavefront/state/render_stats.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A sphere without any light.
constexpr const char* kDarkScene = R"({
  "film": {"width": 8, "height": 8}, "render": {"spp": 2},
  "camera": {"position": [0, 0, 4], "look_at": [0, 0, 0]},
  "materials": {"grey": {"type": "diffuse"}},
  "shapes": [{"type": "sphere", "material": "grey", "center": [0, 0, 0], "radius": 1}]})";

class Render : public WinnowTest {
 protected:
  /// Renders the Cornell box on the CPU, small.
  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    return joined({"render", kCornellBox, "--device", "cpu", "--size", "16x12"}, arguments);
  }
  Outcome render(const std::vector<std::string>& arguments) const {
    return succeed(command(arguments));
  }
  void expect_usage_error(const std::vector<std::string>& arguments,
                          const std::string& part) const {
    expect_failure(2, command(arguments), part);
  }
  Json stats_of(const std::vector<std::string>& arguments) const {
    render(joined(arguments, {"--stats", "stats.json", "-o", "stats.png", "--quiet"}));
    return json("stats.json");
  }
};

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

TEST_F(Render, SaysHowMuchLightClampingRemoved) {
  EXPECT_TRUE(stats_of({"--spp", "8"})["clamp_indirect"].is_null());
  const Json clamped = stats_of({"--spp", "8", "--clamp-indirect", "0.25"});
  EXPECT_EQ(clamped["clamp_indirect"]["limit"], 0.25);
  EXPECT_GT(clamped["clamp_indirect"]["removed_share"], 0.0);
  EXPECT_LT(clamped["clamp_indirect"]["removed_share"], 1.0);
  const Outcome outcome = render({"--spp", "8", "--clamp-indirect", "0.25", "-o", "a.png"});
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("--clamp-indirect 0.25 removed [0-9.]+ % of the light\n"));
  for (const char* limit : {"0", "-1", "nan", "inf"})
    expect_usage_error({"--clamp-indirect", limit}, "--clamp-indirect: ");
}

TEST_F(Render, ReweightsFirefliesOfTheImageAndNotOfTheFilm) {
  const Json plain = stats_of({"--spp", "16"});
  EXPECT_TRUE(plain["fireflies"].is_null());
  const Json stats =
      stats_of({"--spp", "16", "--fireflies", "reweight", "-o", "a.exr", "-o", "a.film"});
  EXPECT_EQ(stats["film_hash"], plain["film_hash"]);
  EXPECT_GT(stats["fireflies"]["left_out_share"], 0.0);
  EXPECT_LT(stats["fireflies"]["left_out_share"], 1.0);
  const std::string image = image_hash(read_image(file("a.exr")));
  EXPECT_NE(image, plain["film_hash"]);
  for (const char* loop : {"path", "wave"}) {
    const Outcome outcome =
        render({"--spp", "16", "--fireflies", "reweight", "--loop", loop, "-o", "b.exr"});
    EXPECT_EQ(image_hash(read_image(file("b.exr"))), image);
    EXPECT_THAT(outcome.out,
                testing::ContainsRegex("--fireflies reweight left out [0-9.e-]+ % of the light\n"));
  }

  // Film files hold both.
  succeed({"convert", "a.film", "c.exr", "--fireflies", "reweight"});
  EXPECT_EQ(image_hash(read_image(file("c.exr"))), image);
  succeed({"convert", "a.film", "c.exr"});
  EXPECT_EQ(image_hash(read_image(file("c.exr"))), plain["film_hash"]);
  render({"--spp", "2", "-o", "plain.film"});
  expect_failure(1, {"convert", "plain.film", "d.exr", "--fireflies", "reweight"},
                 "plain.film: does not hold brightness layers");
  EXPECT_FALSE(std::filesystem::exists(file("d.exr")));
  expect_usage_error({"--fireflies", "remove"}, "--fireflies: ");
}

TEST_F(Render, ReweightedFirefliesOfACausticLowerItsError) {
  // A small lamp over a mirror and a diffuse floor: light sampling cannot reach it over the mirror.
  put("caustic.json", R"({
    "camera": {"position": [0, 2, 4], "look_at": [0, 0.3, 0], "vertical_fov": 40},
    "materials": {"grey": {"type": "diffuse", "reflectance": 0.5},
                  "mirror": {"type": "mirror", "reflectance": 0.9}},
    "shapes": [
      {"type": "rectangle", "material": "grey", "corner": [-5, 0, 5], "edge_u": [10, 0, 0],
       "edge_v": [0, 0, -10]},
      {"type": "sphere", "material": "mirror", "center": [0, 0.6, 0], "radius": 0.5}],
    "lights": [{"type": "sphere", "center": [1, 3, 1], "radius": 0.1, "radiance": 200}]})");
  auto image_of = [&](const std::vector<std::string>& options) {
    succeed(joined({"render", "caustic.json", "--device", "cpu", "--size", "32x24", "--quiet",
                    "--sampler", "hash", "-o", "a.pfm"},
                   options));
    return read_image(file("a.pfm"));
  };
  const Image reference = image_of({"--spp", "4000", "--seed", "1"});
  const Image plain = image_of({"--spp", "64"});
  const Image image = image_of({"--spp", "64", "--fireflies", "reweight"});
  EXPECT_LT(compare(image, reference).relative_mse, 0.5 * compare(plain, reference).relative_mse);
}

TEST_F(Render, PutsLayersIntoOpenExr) {
  const std::string all = "albedo,normal,depth,position,ids,variance,samples,bounces,deaths";
  Outcome outcome = render({"--spp", "3", "-o", "a.exr", "-o", "a.png", "--aov", all, "--aov",
                            "normal=n.pfm", "--aov", "albedo=al.png"});
  EXPECT_THAT(outcome.out, testing::HasSubstr("al.png: directional albedo"));
  EXPECT_EQ(image_hash(read_image(file("a.exr"))), stats_of({"--spp", "3"})["film_hash"]);

  std::ifstream stream(file("a.exr"), std::ios::binary);
  std::vector<std::string> names;
  const Image normals = read_image(file("n.pfm"));
  for (const ImageChannel& channel : read_exr_channels(stream)) {
    names.push_back(channel.name);
    if (channel.name == "samples") {
      EXPECT_EQ(std::get<std::vector<uint32_t>>(channel.values), std::vector<uint32_t>(16 * 12, 3));
    }
    if (channel.name != "N.Y") continue;
    const auto& values = std::get<std::vector<float>>(channel.values);
    for (size_t pixel = 0; pixel < values.size(); ++pixel)
      EXPECT_EQ(values[pixel], normals.pixels[pixel].y);
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("albedo.R", "albedo.G", "albedo.B", "N.X", "N.Y",
                                                   "N.Z", "Z", "P.X", "P.Y", "P.Z", "id.material",
                                                   "id.primitive", "id.instance", "variance.R",
                                                   "variance.G", "variance.B", "samples", "bounces",
                                                   "deaths.R", "deaths.G", "deaths.B"));
}

TEST_F(Render, ADimModelIsBrightenedAndTheStopsAreNamed) {
  // A lamp of 1 / 1000 of a display's white fills the image.
  put("dim.mtl", "newmtl dim\nKd 0 0 0\nKe .001 .001 .001\n");
  put("dim.obj", "mtllib dim.mtl\nusemtl dim\nv -9 -9 0\nv 9 -9 0\nv 9 9 0\nv -9 9 0\nf 1 2 3 4\n");
  auto render_dim = [&](const std::vector<std::string>& options) {
    return succeed(joined({"render", "dim.obj", "--device", "cpu", "--size", "8x8", "--spp", "1",
                           "--camera", "0,0,1,0,0,-1,40", "--stats", "stats.json"},
                          options));
  };
  Outcome outcome = render_dim({"-o", "a.png", "-o", "a.exr"});
  EXPECT_THAT(outcome.out, testing::HasSubstr("\n--exposure auto chose +7.49 stops\n"));
  expect_json(json("stats.json"), R"({"exposure": {"mode": "auto"}})");
  EXPECT_NEAR(json("stats.json")["exposure"]["stops"].get<double>(), 7.49, 1e-5);
  EXPECT_NEAR(read_image(file("a.png")).pixels[0].x, 0.18f, 0.005f);
  EXPECT_NEAR(read_image(file("a.exr")).pixels[0].x, 0.001f, 1e-6f);  // linear stays as it is

  outcome = render_dim({"-o", "a.exr"});
  EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr("--exposure")));
  render_dim({"-o", "b.png", "--exposure", "7.49"});
  EXPECT_EQ(read_text(file("b.png")), read_text(file("a.png")));
  expect_json(json("stats.json"), R"({"exposure": {"mode": "fixed"}})");
}

TEST_F(Render, ABlackImageOfALitSceneIsNotLeftUnsaid) {
  std::string behind = kDarkScene;
  behind.insert(behind.rfind('}'), R"(, "lights": [{"type": "point", "position": [0, 0, -4],
                                                    "intensity": 1}])");
  put("behind.json", behind);
  EXPECT_THAT(succeed({"render", "behind.json", "--device", "cpu"}).err,
              testing::HasSubstr("\nwarning: the image is black"));
  const Outcome lit = succeed({"render", "behind.json", "--device", "cpu", "--sky", "soft"});
  EXPECT_THAT(lit.err, testing::Not(testing::HasSubstr("warning")));
}

TEST_F(Render, AScenesExposureIsZeroUnlessAutoIsAskedFor) {
  EXPECT_EQ(stats_of({"--spp", "1"})["exposure"], Json({{"stops", 0.0}, {"mode", "fixed"}}));
  EXPECT_EQ(stats_of({"--spp", "1", "--exposure", "auto"})["exposure"]["mode"], "auto");
}

TEST_F(Render, ToneMapsPicturesAndLeavesLightAsItIs) {
  render({"--spp", "2", "-o", "a.png", "-o", "a.exr", "--quiet"});
  render({"--spp", "2", "--exposure", "-1.5", "--tone-map", "agx", "-o", "b.png", "-o", "b.exr",
          "--aov", "deaths=d.png", "--quiet"});
  EXPECT_EQ(image_hash(read_image(file("a.exr"))), image_hash(read_image(file("b.exr"))));
  const ToneMapping mapping{.curve = ToneCurve::kAgx, .exposure = -1.5f};
  write_image(file("expected.png"), read_image(file("b.exr")), mapping);
  EXPECT_EQ(read_text(file("b.png")), read_text(file("expected.png")));
  EXPECT_NE(read_text(file("b.png")), read_text(file("a.png")));
  // False colours are not tone-mapped.
  render({"--spp", "2", "-o", "c.png", "--aov", "deaths=e.png", "--quiet"});
  EXPECT_EQ(read_text(file("d.png")), read_text(file("e.png")));
  expect_usage_error({"--tone-map", "agz"}, "did you mean agx?");
  expect_usage_error({"--exposure", "bright"}, "--exposure: ");
}

TEST_F(Render, TheFilterIsTheCommandsOrTheScenes) {
  const Json plain = stats_of({"--spp", "2"});
  EXPECT_EQ(plain["filter"], Json({{"type", "box"}, {"radius_pixels", 0.5}}));
  EXPECT_EQ(plain["film_hash"], stats_of({"--spp", "2", "--filter", "box"})["film_hash"]);
  const Json tent = stats_of({"--spp", "2", "--filter", "tent:2"});
  EXPECT_EQ(tent["filter"], Json({{"type", "tent"}, {"radius_pixels", 2.0}}));
  EXPECT_NE(tent["film_hash"], plain["film_hash"]);

  const std::string lit = R"(, "filter": "gaussian"}, "render": {"spp": 2}, "sky": {"radiance": 1},
    "materials": {"grey": {"type": "diffuse"}},
    "shapes": [{"type": "sphere", "material": "grey", "radius": 1}]})";
  put("filtered.json", R"({"film": {"width": 8, "height": 8)" + lit);
  auto hash_of = [&](const std::vector<std::string>& arguments) {
    succeed(joined({"render", "filtered.json", "--device", "cpu", "--quiet", "-o", "f.png",
                    "--stats", "f.json"},
                   arguments));
    return json("f.json")["film_hash"];
  };
  EXPECT_EQ(hash_of({}), hash_of({"--filter", "gaussian:1.5"}));
  EXPECT_NE(hash_of({}), hash_of({"--filter", "box"}));
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
      for (const Json& deaths : now["deaths"]) died += deaths.get<uint64_t>();
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

TEST_F(Render, QuietPrintsNothing) {
  put("dark.json", kDarkScene);
  Outcome outcome = succeed({"render", "dark.json", "--device", "cpu", "--quiet"});
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Render, ASceneWithoutLightIsBlackAndSaysSoOnce) {
  put("dark.json", kDarkScene);
  Outcome outcome = succeed({"render", "dark.json", "--device", "cpu", "-o", "dark.pfm"});
  size_t warning = outcome.err.find("warning: ");
  ASSERT_NE(warning, std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("black", warning), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning: ", warning + 1), std::string::npos) << outcome.err;
  for (glm::vec3 pixel : read_image(file("dark.pfm")).pixels) EXPECT_EQ(pixel, glm::vec3(0.0f));
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
  // The scene does not exist, so an error about anything else comes before it is read.
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
  expect_usage_error({"--camera", "1,2,3"}, "is not X,Y,Z,DX,DY,DZ,FOV");
  expect_usage_error({"--loop", "waves"}, "did you mean wave?");
  expect_usage_error({"--device", "gpu"}, "auto, cpu, cuda or cuda:K");
  expect_usage_error({"--driver", "graphs"}, "did you mean graph?");
  expect_usage_error({"--roulette", "no"}, "is not on or off");
  expect_usage_error({"--bvh", "fats"}, "did you mean fast?");
  expect_usage_error({"--cull", "thrusts"}, "did you mean thrust?");
  expect_usage_error({"--group", "materials"}, "did you mean material?");
  expect_usage_error({"--group", "material", "--cull", "move"}, "use --cull append");
  expect_usage_error({"--loop", "path", "--record-masks", "m.bin"}, "leave out --loop path");
  expect_usage_error({"--loop", "path", "--regenerate"}, "leave out --loop path");
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

TEST_F(Render, PicturesOfDeathsAgreeWithTheStatistics) {
  Outcome outcome = render({"--spp", "4", "--max-bounces", "3", "--aov", "bounces=b.pfm", "--aov",
                            "bounces=b.png", "--aov", "deaths=d.png", "--stats", "stats.json"});
  Json stats = json("stats.json");
  double deaths = 0.0, bounces = 0.0, escaped = 0.0;
  for (const Json& bounce : stats["bounces"])
    for (const auto& [cause, count] : bounce["deaths"].items()) {
      deaths += count.get<double>();
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
  EXPECT_NEAR(sum / double(image.pixels.size()), bounces / deaths, 1e-6);
  EXPECT_GT(most, 0.0);
  EXPECT_LE(most, 3.0);

  // A line for each picture, which says what its colours mean.
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
              kPercent * escaped / deaths, kRounding);
  EXPECT_EQ(read_image(file("d.png")).width, 16u);
}

TEST_F(Render, PicturesDoNotChangeTheImage) {
  Json plain = stats_of({"--spp", "2"});
  EXPECT_EQ(
      stats_of({"--spp", "2", "--aov", "deaths=d.png", "--record-masks", "m.bin"})["film_hash"],
      plain["film_hash"]);
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
  // Of each pixel's only path the number of bounces is known: it survives all bounces before that.
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

  // Where the queue is culled, the survivors of a bounce are the entries of the next.
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

TEST_F(Render, TimeLimitRendersAsManySamplesAsFit) {
  Json stats = stats_of({"--time-limit", "0.2"});
  EXPECT_GT(stats["spp"].get<double>(), 1.0);
  EXPECT_LT(stats["seconds"]["render"].get<double>(), 10.0);  // it ends; how soon is up to the load
  EXPECT_EQ(stats["interrupted"], false);
  EXPECT_EQ(stats_of({"--time-limit", "60", "--spp", "2"})["spp"], 2);
}

TEST_F(Render, ProgressIsPlainLinesWhereThereIsNoTerminal) {
  Outcome outcome = render({"--time-limit", "0.5"});
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);
  EXPECT_EQ(outcome.err.find('\x1b'), std::string::npos);
  std::istringstream lines(outcome.err);
  int count = 0;
  for (std::string line; std::getline(lines, line);)
    count += testing::Matches(
        testing::MatchesRegex(" *[0-9]+ %  [0-9]+ spp  .* [MG]samples/s  ETA .*"))(line);
  EXPECT_GE(count, 2) << outcome.err;
  EXPECT_LE(count, 10) << outcome.err;
}

class InterruptedRender : public Render {
 protected:
  /// Starts a render that does not end by itself, with its progress on a terminal, and waits until
  /// `pattern` appears there.
  std::unique_ptr<WinnowProcess> start(const std::string& pattern) {
    auto process = std::make_unique<WinnowProcess>(
        folder_,
        std::vector<std::string>{"render", kCornellBox, "--device", "cpu", "--size", "64x48",
                                 "--spp", "2000000000", "-o", "image.pfm", "--stats", "stats.json"},
        WinnowProcess::Stderr::kTerminal);
    EXPECT_TRUE(process->terminal_shows(std::regex(pattern)));
    return process;
  }
};

TEST_F(InterruptedRender, ShowsProgressOnOneLineOfATerminal) {
  auto process = start("\r[^\r]* %  [^\r]*\r[^\r]* %  [^\r]*\r[^\r]* %  ");
  process->send(SIGINT);
  Outcome outcome = process->wait();
  const size_t first = outcome.err.find('\r', outcome.err.find('\n')),
               last = outcome.err.rfind("\r\x1b[K");
  ASSERT_LT(first, last) << outcome.err;
  EXPECT_EQ(outcome.err.substr(first, last - first).find('\n'), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("interrupted after"), last + 4) << outcome.err;
}

TEST_F(InterruptedRender, WritesTheImageSoFarAndSaysSo) {
  for (int signal : {SIGINT, SIGTERM, SIGUSR1}) {
    auto process = start("[1-9][0-9]* of 2000000000 spp");
    process->send(signal);
    Outcome outcome = process->wait();
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted after "), std::string::npos) << outcome.err;
    Json stats = json("stats.json");
    EXPECT_EQ(stats["interrupted"], true);
    EXPECT_GT(stats["spp"].get<double>(), 0.0);
    EXPECT_EQ(stats["film_hash"], image_hash(read_image(file("image.pfm"))));
    fs::remove(file("image.pfm"));
  }
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

}  // namespace
}  // namespace winnow
