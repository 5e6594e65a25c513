// SPDX-License-Identifier: MIT
// Stops, kills and continues renders of the program.

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <random>

#include "film/film_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

class Resume : public WinnowTest {
 protected:
  using Words = std::vector<std::string>;
  const std::string kLong = spp_of_long_render(100);

  /// Returns the command for a small render of the Cornell box on the CPU.
  static Words command(const Words& arguments, const std::string& spp = "24") {
    return joined(
        {"render", kCornellBox, "--device", "cpu", "--size", "48x40", "--spp", spp, "--quiet"},
        arguments);
  }
  Json stats_of(const Words& arguments) const {
    succeed(joined(arguments, {"--stats", "stats.json", "-o", "stats.png"}));
    return json("stats.json");
  }
  std::string hash_of(const Words& arguments) const { return stats_of(arguments)["film_hash"]; }

  /// Starts a render that checkpoints often and kills it with `signal` after `delay`.
  Outcome kill(const Words& arguments, int signal, std::chrono::milliseconds delay) const {
    WinnowProcess process(folder_, arguments);
    std::this_thread::sleep_for(delay);
    process.send(signal);
    return process.wait();
  }

  /// Waits, at most 20 s, until there is a file.
  bool appears(const std::string& name) const {
    for (int trial = 0; trial < 10'000 && !fs::exists(file(name)); ++trial)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return fs::exists(file(name));
  }

  /// Interrupts a render of `arguments` by Ctrl-C once its first checkpoint is there.
  void interrupt(const Words& arguments) const {
    fs::remove(file("c.film"));
    WinnowProcess process(
        folder_, joined(arguments, {"--checkpoint", "c.film", "--every", "0.03", "-o", "i.png"}));
    EXPECT_TRUE(appears("c.film"));
    process.send(SIGINT);
    EXPECT_EQ(process.wait().exit_code, 0);
  }
};

TEST_F(Resume, EndsWithTheHashOfAnUninterruptedRenderInEveryWay) {
  // 17 and 32 samples have the same sequence.
  const Words small = {"--size", "17x9"};
  const Json expected = stats_of(command(small, "32"));
  const std::vector<Words> kWays = {{"--cull", "none"},
                                    {"--cull", "scan", "--threads", "1"},
                                    {"--cull", "look-ahead", "--wave-size", "77"},
                                    {"--cull", "move", "--regenerate"},
                                    {"--loop", "path", "--threads", "3"},
                                    {"--driver", "host", "--bvh", "fast"}};
  for (size_t i = 0; i < kWays.size(); ++i) {
    const Words& before = kWays[i];
    const Words& after = kWays[(i + 1) % kWays.size()];
    succeed(command(joined(joined(small, before), {"--checkpoint", "c.film"}), "17"));
    const Json stats =
        stats_of(command(joined(joined(small, after), {"--resume", "c.film"}), "32"));
    EXPECT_EQ(stats["film_hash"], expected["film_hash"]) << before[1] << ", then " << after[1];
    EXPECT_EQ(stats["rays"], expected["rays"]);
    EXPECT_EQ(stats["spp"], 32);
  }
}

TEST_F(Resume, AfterAnInterruptEndsWithTheHashOfAnUninterruptedRender) {
  const Json expected = stats_of(command({}, kLong));
  interrupt(command({"--threads", "3"}, kLong));
  const Json stats = stats_of(command({"--loop", "path", "--resume", "c.film"}, kLong));
  EXPECT_EQ(stats["film_hash"], expected["film_hash"]);
  EXPECT_EQ(stats["rays"], expected["rays"]);
  EXPECT_EQ(stats["interrupted"], false);
}

TEST_F(Resume, AfterBeingKilledAtAnyMomentLosesNoBit) {
  constexpr int kKills = 10;
  const std::string expected = hash_of(command({}, kLong));
  std::mt19937 random(19);
  const Words again = command(
      {"--checkpoint", "c.film", "--resume", "c.film", "--every", "0.03", "-o", "k.pfm"}, kLong);
  int finished = 0;
  for (int kills = 0; kills < kKills || finished == 0;) {
    const Outcome outcome =
        kills < kKills ? kill(again, SIGKILL, std::chrono::milliseconds(10 + random() % 120))
                       : run(again);
    EXPECT_EQ(outcome.err, "");
    if (outcome.signal == SIGKILL) {
      ++kills;
      continue;
    }
    ASSERT_EQ(outcome.exit_code, 0);
    ++finished;
    EXPECT_EQ(image_hash(read_image(file("k.pfm"))), expected);
    fs::remove(file("c.film"));
  }
}

TEST_F(Resume, RefinesAFinishedImageAsOneRenderWouldHave) {
  const Words hash = {"--sampler", "hash"};
  const std::string expected = hash_of(command(hash, "40"));
  succeed(command(joined(hash, {"-o", "c.film"}), "8"));
  EXPECT_EQ(hash_of(command(joined(hash, {"--resume", "c.film"}), "40")), expected);
  // The sequence of the sampler is that of the first render.
  succeed(command({"-o", "c.film"}, "8"));
  const std::string once = hash_of(command({"--resume", "c.film"}, "40"));
  succeed(command({"--resume", "c.film", "-o", "d.film"}, "19"));
  EXPECT_EQ(hash_of(command({"--resume", "d.film"}, "40")), once);
}

TEST_F(Resume, WithoutSppContinuesToWhatWasAskedFor) {
  const Json expected = stats_of(command({}, kLong));
  interrupt(command({}, kLong));
  const Json stats = stats_of({"render", kCornellBox, "--device", "cpu", "--size", "48x40",
                               "--quiet", "--resume", "c.film"});
  EXPECT_EQ(stats["film_hash"], expected["film_hash"]);
  EXPECT_EQ(stats["spp"], std::stoi(kLong));
}

TEST_F(Resume, KeepsTheArraysOfAovs) {
  const Words aovs = {"--aov", "albedo,normal,depth,ids,variance,deaths", "--fireflies",
                      "reweight"};
  succeed(command(joined(aovs, {"-o", "all.film"}), kLong));
  interrupt(command(aovs, kLong));
  succeed(command({"--resume", "c.film", "-o", "b.film", "--loop", "path"}, kLong));
  EXPECT_TRUE(have_same_bits(read_film(file("all.film")).film, read_film(file("b.film")).film));
  succeed(command({"-o", "plain.film"}));
  expect_failure(1, command({"--aov", "albedo", "--resume", "plain.film", "-o", "x.exr"}),
                 "plain.film: does not hold albedo, normal, depth, position and ids");
  expect_failure(1, command({"--fireflies", "reweight", "--resume", "plain.film", "-o", "x.exr"}),
                 "plain.film: does not hold brightness layers");
}

TEST_F(Resume, AddsToTheCosts) {
  succeed(command({"--aov", "cost", "-o", "a.film"}, "2"));
  succeed(command({"--resume", "a.film", "-o", "b.film"}, "4"));
  const HostFilm before = read_film(file("a.film")).film, after = read_film(file("b.film")).film;
  for (size_t i = 0; i < before.cost.size(); ++i) {
    const bool is_first = i % kCostBounces == 0;
    EXPECT_GE(after.cost[i].traversal, before.cost[i].traversal + is_first);
    EXPECT_GE(after.cost[i].shading, before.cost[i].shading + is_first);
  }
}

TEST_F(Resume, OfANoiseLimitEndsTilesWhereASingleRenderDoes) {
  const Words noise = {"--noise", "0.15"};
  const Json expected = stats_of(command(noise, "300"));
  EXPECT_LT(expected["spp"], 300);
  interrupt(command(noise, "300"));
  EXPECT_EQ(stats_of(command(joined(noise, {"--resume", "c.film"}), "300"))["film_hash"],
            expected["film_hash"]);
  EXPECT_EQ(expected["film_hash"], hash_of(command({"--resume", "c.film"}, "300")));
  expect_failure(1, command({"--resume", "c.film", "--noise", "0.1", "-o", "a.png"}, "300"),
                 "--noise is 0.15, not 0.1");
}

TEST_F(Resume, OfATimeLimitGoesOnForThatTime) {
  const Words start = {"render", kCornellBox, "--device", "cpu", "--size", "48x40", "--quiet"};
  succeed(joined(start, {"--time-limit", "0.02", "-o", "c.film"}));
  expect_failure(2, joined(start, {"--resume", "c.film"}), "give --spp or --time-limit");
  const Json more = stats_of(joined(start, {"--resume", "c.film", "--time-limit", "0.02"}));
  const Json spp = stats_of(joined(start, {"--resume", "c.film", "--spp", "400"}));
  EXPECT_GT(more["spp"].get<double>(), 1.0);
  EXPECT_EQ(spp["spp"], 400);
}

TEST_F(Resume, OfAShareWritesNoImage) {
  const Words share = {"render", kCornellBox, "--device", "cpu", "--size", "48x40", "--quiet",
                       "--spp",  "8",         "--share",  "1/4", "-o",     "s.film"};
  succeed(share);
  const Words resume = {"render", kCornellBox, "--device", "cpu",   "--size",
                        "48x40",  "--quiet",   "--resume", "s.film"};
  for (const Words& image :
       {Words{}, Words{"-o", "x.png"}, Words{"-o", "x.pfm", "-o", "y.film"},
        Words{"-o", "y.film", "--aov", "albedo=a.png"}, Words{"-o", "x.exr", "--spp", "16"}})
    expect_failure(2, joined(resume, image),
                   "--resume s.film: a share is not a whole image; write it with -o FILE.film");
  succeed(joined(resume, {"-o", "y.film", "--spp", "16"}));
  EXPECT_EQ(read_film(file("y.film")).tiles.present, read_film(file("s.film")).tiles.present);
}

TEST_F(Resume, WarnsOnAProcessorThatRoundsDifferently) {
  succeed(command({"-o", "c.film"}));
  FilmFile film = read_film(file("c.film"));
  Json description = Json::parse(film.description);
  description["roundings"] = {"Embree 1"};
  film.description = description.dump();
  write_film(file("other.film"), film);
  const Words resume = command({"--resume", "other.film", "-o", "x.film"}, "40");
  EXPECT_EQ(succeed(resume).err, "");  // few primitives are traced without Embree
  description["roundings"] = {"Embree 1", "Embree 2"};
  film.description = description.dump();
  write_film(file("other.film"), film);
  EXPECT_EQ(succeed(resume).err,
            "warning: other.film: its samples are rendered with Embree 1 and with Embree 2, which "
            "round differently\n");
}

TEST_F(Resume, RefusesAFilmThatIsNotOfThisRender) {
  succeed(command({"-o", "c.film"}));
  auto expect = [&](const Words& arguments, const std::string& part, int exit_code = 1) {
    expect_failure(exit_code,
                   joined({"render", kCornellBox, "--device", "cpu", "--quiet", "-o", "x.png",
                           "--resume", "c.film"},
                          arguments),
                   part);
  };
  expect({}, "c.film: is of another render: --size is 48x40, not ");
  expect({"--size", "48x40", "--seed", "3"}, "c.film: is of another render: --seed is 0, not 3\n");
  expect({"--size", "48x40", "--max-bounces", "3"}, "--max-bounces is 16, not 3\n");
  expect({"--size", "48x40", "--filter", "tent"}, "the filter of the scene");
  expect({"--size", "48x40", "--sky", "soft"}, "the lights of the scene");
  expect({"--size", "48x40", "--share", "0/2"}, "a share is not a whole image", 2);
  expect({"--size", "48x40", "--spp", "8"}, "has 24 samples per pixel already", 2);
  expect({"--size", "48x40", "--record-masks", "m.bin"}, "--record-masks", 2);
  expect_failure(1, command({"--resume", "none.film", "-o", "x.png"}),
                 "none.film: cannot be opened");
  expect_failure(2, command({"--resume", "x.png"}), "x.png: is not a film file");
  expect_failure(2, command({"--every", "3"}), "--every");
  expect_failure(1, command({"--checkpoint", "none/c.film"}), "the folder none does not exist");
  const std::string bytes = read_text(file("c.film"));
  put("c.film", bytes.substr(0, bytes.size() - 9));
  expect({"--size", "48x40"}, "c.film: is truncated\n");
  std::string altered = bytes;
  altered[20'000] = char(altered[20'000] ^ 1);
  put("c.film", altered);
  expect({"--size", "48x40"}, "c.film: is damaged: the checksum of an array does not match\n");
  put("c.film", "");
  expect({"--size", "48x40"}, "c.film: is not a film file\n");
}

TEST_F(Resume, SaysWhereACheckpointWentThatCouldNotBeWritten) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  fs::create_symlink("/dev/full", file("full.film"));
  const Outcome outcome = succeed(command({"--checkpoint", "full.film", "-o", "a.png"}));
  std::smatch parts;
  ASSERT_TRUE(std::regex_match(outcome.err, parts,
                               std::regex("warning: full.film: cannot be written: No space left on "
                                          "device; the checkpoint is written to (.*)\n")))
      << outcome.err;
  EXPECT_EQ(read_film(parts[1].str()).film.samples.size(), 48u * 40u);
  fs::remove_all(fs::path(parts[1].str()).parent_path());
}

TEST_F(Resume, WritesTheImageWhereFilesMayNotBeAsLargeAsACheckpoint) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit less{.rlim_cur = 30'000, .rlim_max = before.rlim_max};  // bytes
  ::setrlimit(RLIMIT_FSIZE, &less);
  const Outcome outcome = succeed(command({"--checkpoint", "c.film", "-o", "a.png"}));
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(outcome.err,
            "warning: c.film: cannot be written: File too large; it cannot be written elsewhere "
            "either\n");
  EXPECT_FALSE(fs::exists(file("c.film")));
  EXPECT_EQ(read_image(file("a.png")).width, 48u);
}

TEST_F(Resume, KeepsTheCheckpointOfAFolderThatVanishes) {
  fs::create_directory(file("gone"));
  const std::string spp = spp_of_long_render(200);
  WinnowProcess process(
      folder_, command({"--checkpoint", "gone/c.film", "--every", "0.01", "-o", "a.png"}, spp));
  EXPECT_TRUE(appears("gone/c.film"));
  fs::remove_all(file("gone"));
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 0);
  std::smatch parts;
  ASSERT_TRUE(
      std::regex_search(outcome.err, parts, std::regex("the checkpoint is written to (.*)\n")))
      << outcome.err;
  EXPECT_EQ(read_film(parts[1].str()).film.samples.front(), std::stoul(spp));
  EXPECT_EQ(read_image(file("a.png")).width, 48u);
  fs::remove_all(fs::path(parts[1].str()).parent_path());
}

using ResumeAlone = Resume;

TEST_F(ResumeAlone, TakesSceneOptionsAndOutputsFromTheFilmAndCheckpointsIt) {
  const Json expected = stats_of(command({"--seed", "7"}, kLong));
  interrupt(command({"--seed", "7"}, kLong));
  fs::remove(file("i.png"));
  succeed({"render", "--resume", "c.film", "--device", "cpu", "--stats", "alone.json"});
  EXPECT_EQ(json("alone.json")["film_hash"], expected["film_hash"]);
  EXPECT_EQ(json("alone.json")["spp"], std::stoi(kLong));
  EXPECT_EQ(read_image(file("i.png")).width, 48u);
  const std::string info = succeed({"info", "c.film"}).out;
  EXPECT_THAT(info, HasSubstr("samples   " + kLong + " of " + kLong + ": finished\n"));
}

TEST_F(ResumeAlone, TakesWhatTheCommandGives) {
  succeed(command({"-o", "c.film", "-o", "a.png", "--sampler", "hash"}, "4"));
  fs::remove(file("a.png"));
  succeed({"render", "--resume", "c.film", "--spp", "9", "-o", "b.pfm"});
  EXPECT_EQ(image_hash(read_image(file("b.pfm"))), hash_of(command({"--sampler", "hash"}, "9")));
  EXPECT_FALSE(fs::exists(file("a.png"))) << "the command names another image";
  expect_failure(1, {"render", "--resume", "c.film", "--seed", "3"}, "--seed is 0, not 3");
}

TEST_F(ResumeAlone, OfAShareContinuesItsFilm) {
  succeed(command({"--share", "1/4", "-o", "s.film"}, "8"));
  succeed({"render", "--resume", "s.film", "--spp", "16"});
  EXPECT_THAT(succeed({"info", "s.film"}).out, HasSubstr("samples   16 of 16: finished\n"));
  expect_failure(2, {"render", "--resume", "s.film", "-o", "x.png"},
                 "a share is not a whole image");
}

TEST_F(ResumeAlone, SaysThatAFilmIsFinished) {
  const std::string again = "; a larger --spp adds more\n";
  succeed(command({"-o", "c.film"}, "4"));
  EXPECT_THAT(run({"render", "--resume", "c.film", "-o", "b.png"}).err,
              testing::Not(HasSubstr("x")))
      << "the film's command is quiet";
  succeed(
      {"render", kCornellBox, "--device", "cpu", "--size", "8x8", "--spp", "2", "-o", "d.film"});
  EXPECT_THAT(succeed({"render", "--resume", "d.film"}).err,
              HasSubstr("d.film: is finished, with 2 samples per pixel" + again));
  EXPECT_THAT(succeed({"render", "--resume", "d.film", "--spp", "3"}).err,
              testing::Not(HasSubstr("finished")));
}

TEST_F(ResumeAlone, SaysWhatIsMissing) {
  fs::copy_file(kCornellBox, file("box.json"));
  succeed({"render", "box.json", "--device", "cpu", "--size", "8x8", "--spp", "2", "-o", "c.film"});
  fs::rename(file("box.json"), file("moved.json"));
  expect_failure(1, {"render", "--resume", "c.film"},
                 "c.film: its scene box.json is not there from this folder; name it: winnow render "
                 "SCENE --resume c.film\n");
  expect_failure(1, {"render", "--resume", "none.film"}, "none.film: cannot be opened");
  expect_failure(2, {"render", "--checkpoint", "c.film"}, "SCENE is required");
  put("broken.film", read_text(file("c.film")).substr(0, 40));
  expect_failure(1, {"render", "--resume", "broken.film"}, "broken.film: ");
}

}  // namespace
}  // namespace winnow
