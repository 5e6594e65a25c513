// SPDX-License-Identifier: MIT
#include "app/render/render_record.h"

#include <gmock/gmock.h>

#include <cstring>
#include <functional>

#include "app/render/render_passes.h"
#include "backend/collect_results.h"
#include "film/film_file.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

RenderRecord example_record() {
  RenderRecord record;
  record.program = "1.2.3";
  record.scene = "a b.json";
  record.is_model = true;
  record.scene_hash = {UINT64_MAX, 2, 3, 4, 5, 6};
  record.architecture = Architecture::kCuda;
  record.device = "a GPU";
  record.settings.width = 20;
  record.settings.height = 30;
  record.settings.seed = UINT64_MAX;
  record.settings.sobol_spp = 100;
  record.settings.clamp_indirect = 0.1f;
  record.settings.roulette = false;
  record.settings.keep_squares = true;
  record.settings.keep_layers = true;
  record.filter = {.type = FilterType::kTent, .radius = 0.75f};
  record.spp = 100;
  record.noise = 0.05;
  record.noise_state = {32, {1, 0, 1, 1}};
  record.share = {3, 7};
  record.arguments = {"a b.json", "--spp", "100"};
  record.seconds = 1.5;
  record.stats.paths = 600;
  record.stats.waves = 2;
  record.stats.bounces.resize(2);
  record.stats.bounces[1].alive = UINT64_MAX;
  record.stats.bounces[1].terminations[3] = 12;
  record.stats.bounces[1].milliseconds[2] = 0.25;
  return record;
}

TEST(RenderRecord, SurvivesItsText) {
  const RenderRecord a = example_record(), b = parse_record(record_text(a));
  EXPECT_EQ(record_text(a), record_text(b));
  EXPECT_EQ(differences(a, b), "");
  EXPECT_EQ(a.stats, b.stats);
  EXPECT_EQ(a.noise_state, b.noise_state);
  EXPECT_EQ(b.settings.clamp_indirect, 0.1f);
  EXPECT_EQ(a.settings.film_features(), b.settings.film_features());
  EXPECT_EQ(b.spp, 100u);
  RenderRecord unlimited = a;
  unlimited.spp = kUnlimitedSpp;
  unlimited.noise.reset();
  EXPECT_EQ(parse_record(record_text(unlimited)).spp, kUnlimitedSpp);
}

TEST(RenderRecord, ThatMakesNoSenseIsRefusedInOneLine) {
  const std::string good = record_text(example_record());
  for (const char* text : {"", "{}", "[]", "null", "{\"program\": 3}", "\xff\xfe"})
    EXPECT_THAT(message_of([&] { parse_record(text); }), testing::StartsWith("is damaged"));
  for (const auto& [from, to] :
       {std::pair("\"sobol\"", "\"sobel\""), std::pair("\"seed\":", "\"sead\":"),
        std::pair("[20,30]", "[20]"), std::pair("\"counts\":[", "\"counts\":[1,"),
        std::pair("[3,7]", "[\"a\",7]")}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), std::string::npos) << from;
    bad.replace(bad.find(from), std::strlen(from), to);
    EXPECT_THAT(message_of([&] { parse_record(bad); }), testing::StartsWith("is damaged")) << to;
  }
}

TEST(RenderRecord, WithANumberThatItsCountsCannotHoldIsRefused) {
  const std::string good = record_text(example_record());
  const std::string kNames[] = {
      "\"size\":[",       "\"size\":[20,", "\"max_bounces\":", "\"seed\":",   "\"sobol_spp\":",
      "\"scene_hash\":[", "\"spp\":",      "\"judged\":",      "\"share\":[", "\"share\":[3,",
      "\"paths\":",       "\"waves\":",    "\"counts\":["};
  for (const std::string& name : kNames) {
    const size_t number = good.find(name) + name.size();
    ASSERT_GE(number, name.size()) << name;
    const size_t end = good.find_first_of(",]}", number);
    for (const char* bad : {"1e300", "-1e300", "1.5", "-1", "true", "18446744073709551616"}) {
      const std::string text = good.substr(0, number) + bad + good.substr(end);
      EXPECT_THAT(message_of([&] { parse_record(text); }), testing::StartsWith("is damaged"))
          << text;
    }
  }
  std::string text = good;
  text.replace(text.find("\"size\":[20"), std::strlen("\"size\":[20"), "\"size\":[4294967316");
  EXPECT_THAT(message_of([&] { parse_record(text); }), testing::StartsWith("is damaged"));
}

using RecordedFilms = FolderTest;

TEST_F(RecordedFilms, WhoseRecordIsOfAnotherFilmAreDamaged) {
  RenderRecord record = example_record();
  record.share = {3, 4};  // the film has 4 tiles
  const uint32_t width = record.settings.width, height = record.settings.height;
  const FilmFeatures features = record.settings.film_features();
  const HostFilm film = make_host_film(width, height, features);
  auto refusal_with = [&](const std::function<void(RenderRecord&)>& change) {
    RenderRecord changed = record;
    change(changed);
    const std::filesystem::path file = folder_ / "a.film";
    write_film(file, {features, tiles_of_share(width, height, record.share), record_text(changed)},
               HostFilmSource(film, features));
    return message_of([&] { read_recorded_film(file); });
  };
  EXPECT_EQ(refusal_with([](RenderRecord&) {}), "");
  const std::pair<const char*, std::function<void(RenderRecord&)>> kChanges[] = {
      {"width", [](RenderRecord& r) { r.settings.width = 21; }},
      {"height", [](RenderRecord& r) { r.settings.height = 31; }},
      {"features", [](RenderRecord& r) { r.settings.keep_squares = false; }},
      {"tiles", [](RenderRecord& r) { r.noise_state.active.pop_back(); }},
      {"share 4 of 4",
       [](RenderRecord& r) {
         r.share = {4, 4};
       }},
      {"share of no shares",
       [](RenderRecord& r) {
         r.share = {0, 0};
       }},
      {"more shares than tiles",
       [](RenderRecord& r) {
         r.share = {0, 5};
       }},
      {"samples", [](RenderRecord& r) { r.spp = kUnlimitedSpp + 1; }},
  };
  for (const auto& [name, change] : kChanges)
    EXPECT_THAT(refusal_with(change),
                testing::HasSubstr("is damaged: its description is of another film"))
        << name;
}

TEST(RenderRecord, NamesWhatDiffersAndOnlyThat) {
  const std::pair<const char*, std::function<void(RenderRecord&)>> kChanges[] = {
      {"--size is 20x30, not 21x30", [](RenderRecord& r) { r.settings.width = 21; }},
      {"--seed is 18446744073709551615, not 5", [](RenderRecord& r) { r.settings.seed = 5; }},
      {"--max-bounces is 16, not 3", [](RenderRecord& r) { r.settings.max_bounces = 3; }},
      {"--sampler is sobol, not hash",
       [](RenderRecord& r) { r.settings.sampler = SamplerType::kHash; }},
      {"--spp of its sequence is 100, not 200",
       [](RenderRecord& r) { r.settings.sobol_spp = 200; }},
      {"--lights is power, not bvh",
       [](RenderRecord& r) { r.settings.lights = LightChoice::kBvh; }},
      {"--roulette is off, not on", [](RenderRecord& r) { r.settings.roulette = true; }},
      {"--clamp-indirect is 0.1, not off",
       [](RenderRecord& r) { r.settings.clamp_indirect = INFINITY; }},
      {"--noise is 0.05, not off", [](RenderRecord& r) { r.noise.reset(); }},
      {"the version of Winnow is 1.2.3, not 1.2.4", [](RenderRecord& r) { r.program = "1.2.4"; }},
      {"the camera of the scene a b.json differs",
       [](RenderRecord& r) { r.scene_hash[size_t(ScenePart::kCamera)] = 1; }},
      {"the materials of the scene a b.json differ",
       [](RenderRecord& r) { r.scene_hash[size_t(ScenePart::kMaterials)] = 1; }},
      // The settings below give the same bits.
      {"", [](RenderRecord& r) { r.settings.sobol_spp = 128; }},
      {"", [](RenderRecord& r) { r.settings.cull = Cull::kScan; }},
      {"", [](RenderRecord& r) { r.settings.loop = Loop::kPath; }},
      {"", [](RenderRecord& r) { r.settings.threads = 3; }},
      {"", [](RenderRecord& r) { r.scene = "another name"; }},
  };
  for (const auto& [text, change] : kChanges) {
    RenderRecord other = example_record();
    change(other);
    EXPECT_EQ(differences(example_record(), other), text);
  }
}

TEST(RenderRecord, OfAMovingSceneNamesTheShutterAndTheSamplesOfItsSlices) {
  RenderRecord moving = example_record();
  moving.shutter = Shutter{-0.125, 0.1};
  EXPECT_EQ(differences(parse_record(record_text(moving)), moving), "");
  EXPECT_EQ(differences(moving, example_record()),
            "the time of the shutter is -0.125 to 0.1 s, not 0");
  RenderRecord other = moving;
  other.settings.sobol_spp = 128;
  EXPECT_EQ(differences(moving, other), "--spp of the motion is 100, not 128");
}

TEST(RenderRecord, OfAMovingSceneHasTheHashOfItsMotionUnlessItIsOfBefore) {
  RenderRecord before = example_record();
  before.scene = "s.pbrt";
  before.shutter = Shutter{0.0, 1.0};
  RenderRecord moving = before, other = before;
  moving.motion_hash = 0xfedcba98;
  other.motion_hash = 1;
  EXPECT_EQ(parse_record(record_text(moving)).motion_hash, moving.motion_hash);
  EXPECT_EQ(differences(moving, other), "the motion of the scene s.pbrt differs");
  EXPECT_EQ(differences(parse_record(record_text(before)), moving), "");
}

TEST(RenderRecord, KeepsTheArgumentsThatTheSamplesDependOn) {
  EXPECT_EQ(arguments_of_samples({"a.json", "-o", "x.png", "--spp", "4", "--share", "1/2",
                                  "--output=y.film", "-oz.png", "--threads", "3", "--seed", "5",
                                  "--checkpoint", "c.film", "--quiet"}),
            (std::vector<std::string>{"a.json", "--spp", "4", "--seed", "5", "--quiet"}));
}

TEST(RenderRecord, AddsCountsOfTwoRenders) {
  RenderStats a = example_record().stats, b;
  b.paths = 5;
  b.bounces.resize(1);
  b.bounces[0].terminations[1] = 4;
  add_stats(a, b);
  EXPECT_EQ(a.paths, 605u);
  ASSERT_EQ(a.bounces.size(), 2u);
  EXPECT_EQ(a.bounces[0].terminations[1], 4u);
  EXPECT_EQ(a.bounces[1].terminations[3], 12u);
}

}  // namespace
}  // namespace winnow
