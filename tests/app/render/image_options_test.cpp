// SPDX-License-Identifier: MIT
// Options of `winnow render` that choose how its images show the light.

#include <gmock/gmock.h>

#include <algorithm>

#include "image/compare.h"
#include "image/image_io.h"
#include "image/tone_mapping.h"
#include "tests/app/support/expect_coverage.h"
#include "tests/app/support/render_fixture.h"
#include "tests/support/expect_json.h"

namespace winnow {
namespace {

using Json = nlohmann::json;

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
  EXPECT_NE(plain["film_hash"], image);
  for (const char* loop : {"path", "wave"}) {
    const Outcome outcome =
        render({"--spp", "16", "--fireflies", "reweight", "--loop", loop, "-o", "b.exr"});
    EXPECT_EQ(image_hash(read_image(file("b.exr"))), image);
    EXPECT_THAT(outcome.out,
                testing::ContainsRegex("--fireflies reweight left out [0-9.e-]+ % of the light\n"));
  }

  // A film file converts with and without reweighting.
  succeed({"convert", "a.film", "c.exr", "--fireflies", "reweight"});
  EXPECT_EQ(image_hash(read_image(file("c.exr"))), image);
  succeed({"convert", "a.film", "c.exr"});
  EXPECT_EQ(plain["film_hash"], image_hash(read_image(file("c.exr"))));
  render({"--spp", "2", "-o", "plain.film"});
  expect_failure(1, {"convert", "plain.film", "d.exr", "--fireflies", "reweight"},
                 "plain.film: does not hold brightness layers");
  EXPECT_FALSE(std::filesystem::exists(file("d.exr")));
  expect_usage_error({"--fireflies", "remove"}, "--fireflies: ");
}

constexpr const char* kWhiteBall = R"({"sky": {"radiance": 1},
  "camera": {"position": [0, 0, 4], "look_at": [0, 0, 0], "vertical_fov": 40},
  "materials": {"white": {"type": "diffuse", "reflectance": 1}},
  "shapes": [{"type": "sphere", "material": "white", "center": [0, 0, 0], "radius": 1}]})";

TEST_F(Render, AlphaIsWhatCoversAPixelAndTheSkyLightsAsBefore) {
  put("ball.json", kWhiteBall);
  const std::vector<std::string> command = {"render",        "ball.json", "--device", "cpu",
                                            "--size",        "24x16",     "--spp",    "8",
                                            "--max-bounces", "64"};
  succeed(joined(command, {"--alpha", "-o", "a.exr", "-o", "a.png"}));
  const Image exr = read_image(file("a.exr"));
  expect_same_coverage(read_image(file("a.png")), exr);

  // Film files hold the background, so merged shares have the same alpha.
  for (const char* share : {"0/2", "1/2"})
    succeed(joined(command, {"--alpha", "--share", share, "-o", std::string(share, 1) + ".film"}));
  succeed({"merge", "0.film", "1.film", "--alpha", "-o", "b.exr"});
  const Image merged = read_image(file("b.exr"));
  EXPECT_EQ(merged.pixels, exr.pixels);
  EXPECT_EQ(merged.alpha, exr.alpha);
  succeed(joined(command, {"-o", "plain.film"}));
  expect_failure(1, {"convert", "plain.film", "c.png", "--alpha"}, "does not hold the background");
}

TEST_F(Render, AlphaIsRefusedWhereItCannotBeStored) {
  expect_usage_error({"--alpha", "-o", "a.jpg"}, "a.jpg: cannot hold --alpha");
  expect_usage_error({"--alpha", "--fireflies", "reweight", "-o", "a.png"}, "--alpha: ");
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

TEST_F(Render, ASceneWithoutLightIsBlackAndSaysSoOnce) {
  put("dark.json", kDarkScene);
  Outcome outcome = succeed({"render", "dark.json", "--device", "cpu", "-o", "dark.pfm"});
  size_t warning = outcome.err.find("warning: ");
  ASSERT_NE(warning, std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("black", warning), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("warning: ", warning + 1), std::string::npos) << outcome.err;
  for (glm::vec3 pixel : read_image(file("dark.pfm")).pixels) EXPECT_EQ(pixel, glm::vec3(0.0f));
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

}  // namespace
}  // namespace winnow
