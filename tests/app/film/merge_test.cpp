// SPDX-License-Identifier: MIT
// Merges film files of shares and does all else that the program can do with film files.

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <random>
#include <thread>

#include "app/film/film_commands.h"
#include "film/film_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/film/support/film_in_memory.h"
#include "tests/film/support/random_film.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Merge : public WinnowTest {
 protected:
  using Words = std::vector<std::string>;

  /// Renders the Cornell box on the CPU, 10 by 8 tiles.
  Outcome render(const Words& arguments, const std::string& spp = "2") const {
    return succeed(joined({"render", kCornellBox, "--device", "cpu", "--size", "160x121", "--spp",
                           spp, "--quiet", "--max-bounces", "3"},
                          arguments));
  }
  /// Renders share I of N to NAME-I.film.
  void render_share(int index, int count, const std::string& name, const Words& more = {},
                    const std::string& spp = "2") const {
    render(joined(more, {"--share", std::to_string(index) + "/" + std::to_string(count), "-o",
                         name + "-" + std::to_string(index) + ".film"}),
           spp);
  }
  /// Starts a share and kills it after its first checkpoint, NAME-I.checkpoint.film.
  void kill_share(int index, int count, const std::string& name, const std::string& spp) const {
    const std::string start = name + "-" + std::to_string(index);
    const Words command =
        joined({"render", kCornellBox, "--device", "cpu", "--size", "160x121", "--spp", spp,
                "--quiet", "--max-bounces", "3", "--threads", "1", "--every", "0.001"},
               {"--share", std::to_string(index) + "/" + std::to_string(count), "--checkpoint",
                start + ".checkpoint.film", "-o", start + ".film"});
    Outcome outcome;
    constexpr int kTrials = 20;  // a render can end before it is killed
    for (int trial = 0; trial < kTrials && outcome.signal != SIGKILL; ++trial) {
      fs::remove(file(start + ".film"));
      fs::remove(file(start + ".checkpoint.film"));
      WinnowProcess process(folder_, command);
      for (int wait = 0; wait < 20'000 && !fs::exists(file(start + ".checkpoint.film")); ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      process.send(SIGKILL);
      outcome = process.wait();
    }
    ASSERT_EQ(outcome.signal, SIGKILL);
    ASSERT_FALSE(fs::exists(file(start + ".film")));
    ASSERT_TRUE(fs::exists(file(start + ".checkpoint.film")));
  }
  static Words files(const std::string& name, int count) {
    Words files;
    for (int i = 0; i < count; ++i) files.push_back(name + "-" + std::to_string(i) + ".film");
    return files;
  }
  void put_film(const std::string& name, const FilmFile& film) const {
    write_film(file(name), film);
  }
  std::string hash_of(const std::string& image) const {
    return image_hash(read_image(file(image)));
  }
};

TEST_F(Merge, OfAnyNumberOfSharesInAnyOrderHasTheHashOfOneRender) {
  render({"-o", "a.pfm"});
  std::mt19937 random(7);
  for (int count : {1, 2, 7, 64}) {
    const std::string name = "n" + std::to_string(count);
    for (int i = 0; i < count; ++i)
      if (count < 64 || i % 8 < 4) render_share(i, count, name, {"--threads", i % 2 ? "1" : "2"});
    if (count == 64) {  // half of the shares of a job were lost and run again
      Words parts;
      for (const std::string& part : files(name, count))
        if (fs::exists(file(part))) parts.push_back(part);
      const Outcome missing = succeed(joined({"merge", "--missing"}, parts));
      EXPECT_EQ(std::count(missing.out.begin(), missing.out.end(), '\n'), 32);
      EXPECT_THAT(missing.out, HasSubstr("winnow render " + kCornellBox +
                                         " --size 160x121 --spp 2 --quiet --max-bounces 3 --share "
                                         "4/64 -o share-4-of-64.film\n"));
      for (int i = 0; i < count; ++i)
        if (i % 8 >= 4) render_share(i, count, name);
    }
    Words parts = files(name, count);
    std::shuffle(parts.begin(), parts.end(), random);
    succeed(joined({"merge", "-o", "m.pfm", "-o", "m.film", "-o", "m.png"}, parts));
    EXPECT_EQ(hash_of("m.pfm"), hash_of("a.pfm")) << count;
    EXPECT_EQ(succeed(joined({"merge", "--missing"}, parts)).out, "");
  }
  render({"-o", "a.film"});
  EXPECT_TRUE(have_same_bits(read_film(file("a.film")).film, read_film(file("m.film")).film));
}

TEST_F(Merge, OfSharesOfWhichTwoWereKilledAndRunAgainHasTheHashOfOneRender) {
  constexpr int kCount = 5;
  const std::string spp = spp_of_long_render(200);  // many times as long as until a checkpoint
  render({"-o", "a.pfm"}, spp);
  for (const int i : {0, 2, 4}) render_share(i, kCount, "s", {}, spp);
  for (const int i : {1, 3}) kill_share(i, kCount, "s", spp);
  const Words rest = {"s-4.film", "s-0.film", "s-2.film"};
  const std::string start = "winnow render " + kCornellBox + " --size 160x121 --spp " + spp +
                            " --quiet --max-bounces 3 --share ";
  const std::string commands =
      start + "1/5 -o share-1-of-5.film\n" + start + "3/5 -o share-3-of-5.film\n";
  EXPECT_EQ(succeed(joined({"merge", "--missing"}, rest)).out, commands);
  // Checkpoints of killed shares are incomplete, so their commands are printed as well.
  const Words left = {"s-1.checkpoint.film", "s-3.checkpoint.film"};
  EXPECT_EQ(succeed(joined(joined({"merge", "--missing"}, left), rest)).out, commands);
  expect_failure(1, joined(joined({"merge", "-o", "x.pfm"}, left), rest),
                 "2 of 5 shares are missing or incomplete");
  // Share 1 is continued, share 3 begins again.
  render_share(1, kCount, "s", {"--resume", "s-1.checkpoint.film"}, spp);
  render_share(3, kCount, "s", {}, spp);
  Words parts = joined(files("s", kCount), left);
  std::shuffle(parts.begin(), parts.end(), std::mt19937(11));
  succeed(joined({"merge", "-o", "m.pfm"}, parts));
  EXPECT_EQ(hash_of("m.pfm"), hash_of("a.pfm"));
}

TEST_F(Merge, WritesThePicturesAndLayersThatARenderWrites) {
  const Words outputs = {"--exposure", "1.5",          "--tone-map", "agx",
                         "--aov",      "albedo,depth", "--aov",      "ids=i.png"};
  render(joined(outputs, {"-o", "a.png", "-o", "a.exr", "-o", "a.film"}));
  const std::string png = read_text(file("a.png")), exr = read_text(file("a.exr")),
                    ids = read_text(file("i.png"));
  for (int i = 0; i < 3; ++i) render_share(i, 3, "s", {"--aov", "albedo,depth,ids"});
  auto expect_same = [&] {
    EXPECT_EQ(read_text(file("b.png")), png);
    EXPECT_EQ(read_text(file("b.exr")), exr);
    EXPECT_EQ(read_text(file("i.png")), ids);
    for (const char* name : {"b.png", "b.exr", "i.png"}) fs::remove(file(name));
  };
  succeed(joined(joined({"merge", "-o", "b.png", "-o", "b.exr"}, outputs), files("s", 3)));
  expect_same();
  succeed(joined({"convert", "a.film", "b.exr"}, outputs));
  succeed({"convert", "a.film", "b.png", "--exposure", "1.5", "--tone-map", "agx"});
  expect_same();
  render({"--fireflies", "reweight", "-o", "a.png"});
  for (int i = 0; i < 3; ++i) render_share(i, 3, "f", {"--fireflies", "reweight"});
  succeed(joined({"merge", "-o", "b.png", "--fireflies", "reweight"}, files("f", 3)));
  EXPECT_EQ(read_text(file("b.png")), read_text(file("a.png")));
  EXPECT_NE(read_text(file("b.png")), png);
  expect_failure(1, joined({"merge", "-o", "b.png", "--fireflies", "reweight"}, files("s", 3)),
                 "s-0.film: does not hold brightness layers");
  succeed({"convert", "a.film", "c.film"});
  EXPECT_EQ(read_text(file("c.film")), read_text(file("a.film")));
  expect_failure(1, {"convert", "a.film", "b.png", "--aov", "deaths=d.png"},
                 "a.film: does not hold bounces and deaths");
  expect_failure(2, {"convert", "a.film", "b.json"}, ".png, .jpg, .hdr, .pfm or .exr");
}

TEST_F(Merge, RefusesWhatDoesNotBelongTogetherInOneLine) {
  render_share(0, 2, "s");
  render_share(1, 2, "s");
  auto expect = [&](const std::string& other, const std::string& part) {
    expect_failure(1, {"merge", "s-0.film", other, "-o", "x.png"}, other + ": " + part);
    EXPECT_FALSE(fs::exists(file("x.png")));
  };
  render_share(1, 2, "seed", {"--seed", "5"});
  expect("seed-1.film", "does not match s-0.film: --seed is 5, not 0\n");
  render_share(1, 2, "aov", {"--aov", "albedo"});
  expect("aov-1.film", "does not match s-0.film: --aov differs\n");
  render_share(1, 2, "layers", {"--fireflies", "reweight"});
  expect("layers-1.film", "does not match s-0.film: --fireflies differs\n");
  render_share(1, 2, "camera", {"--camera", "0,1,3,0,0,-1,40"});
  expect("camera-1.film", "does not match s-0.film: the camera of the scene ");
  render({"--sampler", "hash", "--share", "1/2", "-o", "spp.film"}, "3");
  expect("spp.film", "does not match s-0.film: --sampler is hash, not sobol; --spp is 3, not 2\n");

  const std::string bytes = read_text(file("s-1.film"));
  std::string altered = bytes;
  altered[bytes.size() / 2] = char(altered[bytes.size() / 2] ^ 1);
  put("damaged.film", altered);
  expect("damaged.film", "is damaged: the checksum of an array does not match\n");
  put("truncated.film", bytes.substr(0, bytes.size() / 2));
  expect("truncated.film", "is truncated\n");
  std::string newer = bytes;
  newer[8] = 9;
  put("newer.film", newer);
  expect("newer.film", "is a film file of version 9; this program reads versions 1 to 2\n");
  expect("none.film", "cannot be opened");
  ASSERT_EQ(::mkfifo(file("pipe.film").c_str(), 0600), 0);  // without a writer
  expect("pipe.film", "is not a file that can be read twice\n");
  // A part that is damaged is not counted.
  const Outcome missing = succeed({"merge", "--missing", "s-0.film", "truncated.film"});
  EXPECT_THAT(missing.out, HasSubstr(" --share 1/2 -o share-1-of-2.film\n"));
  EXPECT_EQ(missing.err, "warning: not counted: truncated.film: is truncated\n");
}

TEST_F(Merge, RefusesOverlapsWithOtherBitsAndTakesThoseThatAreFurther) {
  render_share(0, 1, "all");
  render_share(0, 2, "s");
  // Files with other shares hold the same tiles with the same bits.
  succeed({"merge", "s-0.film", "all-0.film", "s-0.film", "-o", "a.pfm"});
  // One bit of one sample differs.
  FilmFile film = read_film(file("s-0.film"));
  film.film.sum[100].x += 1e-9;
  put_film("other.film", film);
  expect_failure(1, {"merge", "all-0.film", "other.film", "-o", "x.png"},
                 "other.film: does not match the others: pixel ");
  // A share with all samples replaces one that was stopped.
  render({"--share", "1/2", "--time-limit", "1000", "-o", "s-1.film"});
  FilmFile half = read_film(file("s-1.film"));
  half.film = pack_pixels(make_host_film(160, 121, half.features), half.tiles, half.features);
  put_film("early.film", half);
  succeed({"merge", "early.film", "s-0.film", "s-1.film", "-o", "b.pfm"});
  EXPECT_EQ(hash_of("b.pfm"), hash_of("a.pfm"));
  expect_failure(1, {"merge", "early.film", "s-0.film", "-o", "b.pfm"},
                 "1 of 2 shares are missing or incomplete: 1; --missing prints");
}

TEST_F(Merge, RefusesOverlapsWithOtherBitsOfArraysThatItDoesNotShow) {
  const Words aovs = {"--aov", "normal,deaths"};
  render_share(0, 2, "s", aovs);
  render_share(1, 2, "s", aovs);
  FilmFile film = read_film(file("s-1.film"));
  film.film.terminations.back() += 1;
  put_film("other.film", film);
  const std::string pixel = "pixel 127, 120 has as many samples but other values\n";
  expect_failure(1, {"merge", "s-0.film", "s-1.film", "other.film", "-o", "x.png"},
                 "other.film: does not match the others: " + pixel);
  expect_failure(1, {"merge", "other.film", "s-1.film", "s-0.film", "-o", "x.png"},
                 "s-1.film: does not match the others: " + pixel);
  // A third file with more samples replaces both.
  for (uint32_t& samples : film.film.samples) samples = 3;
  film.film.terminations.back() += 1;
  put_film("more.film", film);
  const Words parts = {"s-0.film", "s-1.film", "other.film", "more.film"};
  succeed(joined({"merge", "-o", "x.film"}, parts));
  EXPECT_EQ(read_film(file("x.film"))
                .film.terminations[(120 * 160 + 127) * kTerminationCount + kTerminationCount - 1],
            film.film.terminations.back());
  succeed({"merge", "more.film", "other.film", "s-1.film", "s-0.film", "-o", "y.film"});
  EXPECT_TRUE(have_same_bits(read_film(file("x.film")).film, read_film(file("y.film")).film));
}

TEST_F(Merge, TakesOverlapsWithAnyArraysAndOtherCosts) {
  const Words arrays = {"--aov", "cost,deaths,ids,variance", "--fireflies", "reweight"};
  render_share(0, 1, "all", arrays);
  render_share(0, 2, "s", arrays);
  succeed({"merge", "all-0.film", "s-0.film", "-o", "a.film", "--aov", "cost=c.png"});
  const HostFilm first = read_film(file("all-0.film")).film,
                 merged = read_film(file("a.film")).film;
  EXPECT_TRUE(have_same_bits(merged, first));  // the costs, too, are those of one of the parts
  FilmFile film = read_film(file("s-0.film"));
  film.film.layers.back().x += 1.0f;
  put_film("other.film", film);
  expect_failure(1, {"merge", "all-0.film", "other.film", "-o", "x.png"},
                 "other.film: does not match the others: pixel ");
}

TEST_F(Merge, TakesMorePartsThanMayBeOpenByDefault) {
  for (int i = 0; i < 3; ++i) render_share(i, 3, "s");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit less{.rlim_cur = 40, .rlim_max = before.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &less);
  Words parts = {"merge", "-o", "x.pfm"};
  for (int i = 0; i < 60; ++i) parts.push_back("s-" + std::to_string(i % 3) + ".film");
  succeed(parts);
  ::setrlimit(RLIMIT_NOFILE, &before);
}

TEST_F(Merge, WritesAPartOfAnImageOnlyIfAskedTo) {
  render_share(1, 3, "s");
  expect_failure(1, {"merge", "s-1.film", "-o", "x.png"}, "2 of 3 shares are missing");
  const Outcome outcome = succeed({"merge", "s-1.film", "-o", "x.pfm", "--partial", "--quiet"});
  EXPECT_EQ(outcome.err, "warning: 2 of 3 shares are missing or incomplete: 0, 2\n");
  const Image image = read_image(file("x.pfm"));
  const FilmTiles tiles = tiles_of_share(160, 121, {1, 3});
  for (uint32_t pixel = 0; pixel < image.pixels.size(); ++pixel)
    if (!tiles.holds(pixel)) {
      ASSERT_EQ(image.pixels[pixel], glm::vec3(0.0f));
    }
  // Film files may be put together in steps.
  EXPECT_EQ(succeed({"merge", "s-1.film", "-o", "some.film"}).err,
            "warning: 2 of 3 shares are missing or incomplete: 0, 2\n");
  expect_failure(2, {"merge", "s-1.film"}, "nothing to write");
  expect_failure(2, {"merge", "s-1.film", "-o", "s-1.film"}, "is an input");
}

TEST_F(Merge, SaysThatArchitecturesWereMixed) {
  render_share(0, 2, "s");
  render_share(1, 2, "s");
  FilmFile film = read_film(file("s-1.film"));
  const std::string cpu = "\"architecture\":\"cpu\"";
  ASSERT_NE(film.description.find(cpu), std::string::npos);
  film.description.replace(film.description.find(cpu), cpu.size(), "\"architecture\":\"cuda\"");
  put_film("gpu.film", film);
  const Outcome outcome = succeed({"merge", "s-0.film", "gpu.film", "-o", "x.png"});
  EXPECT_THAT(outcome.err,
              HasSubstr("warning: shares were rendered on a CPU and on a GPU, which round "));
  EXPECT_EQ(succeed({"merge", "s-0.film", "s-1.film", "-o", "y.png"}).err, "");
  EXPECT_EQ(read_text(file("x.png")), read_text(file("y.png")));
}

TEST_F(Merge, SaysThatProcessorsRoundDifferently) {
  render_share(0, 2, "s");
  render_share(1, 2, "s");
  auto with_rounding = [&](const std::string& share, const std::string& rounding) {
    FilmFile film = read_film(file(share));
    auto description = nlohmann::json::parse(film.description);
    description["roundings"] = {rounding};
    film.description = description.dump();
    const std::string name = "by " + rounding + " " + share;
    put_film(name, film);
    return name;
  };
  const std::string first = with_rounding("s-0.film", "AVX2"),
                    same = with_rounding("s-1.film", "AVX2"),
                    other = with_rounding("s-1.film", "AVX-512");
  EXPECT_EQ(succeed({"merge", first, other, "-o", "x.film"}).err,
            "warning: shares were rendered with AVX-512 and with AVX2, which round differently\n");
  EXPECT_EQ(succeed({"merge", with_rounding("s-0.film", "--tracer bvh"),
                     with_rounding("s-1.film", "--tracer rt"), "-o", "z.png"})
                .err,
            "warning: shares were rendered with --tracer bvh and with --tracer rt, which round "
            "differently\n");
  EXPECT_EQ(succeed({"merge", "s-0.film", other, "-o", "y.png"}).err, "");
  EXPECT_THAT(succeed({"merge", "x.film", "--quiet", "-o", "y.png"}).err,
              HasSubstr("which round differently"));
}

TEST_F(Merge, RefusesDescriptionsThatMakeNoSense) {
  render_share(0, 2, "s");
  const FilmFile film = read_film(file("s-0.film"));
  for (const auto& [from, to] : {std::pair("\"size\":[160,121]", "\"size\":[160,120]"),
                                 std::pair("\"stats\"", "\"statt\"")}) {
    FilmFile bad = film;
    ASSERT_NE(bad.description.find(from), std::string::npos) << from;
    bad.description.replace(bad.description.find(from), std::strlen(from), to);
    put_film("bad.film", bad);
    expect_failure(1, {"merge", "bad.film", "-o", "x.png"},
                   "bad.film: is damaged: its description");
    expect_failure(1, {"info", "bad.film"}, "bad.film: is damaged: its description");
  }
}

TEST_F(Merge, InfoTellsWhatIsInAFilmFile) {
  render({"-o", "a.film", "-o", "a.pfm", "--aov", "normal"});
  const Outcome outcome = succeed({"info", "a.film"});
  EXPECT_THAT(outcome.out, HasSubstr("size      160x121 pixels\n"));
  EXPECT_THAT(outcome.out, HasSubstr("samples   2 of 2: finished\n"));
  EXPECT_THAT(outcome.out, HasSubstr("tiles     80 of 80\n"));
  EXPECT_THAT(outcome.out, HasSubstr("arrays    radiance, first hits\n"));
  EXPECT_THAT(outcome.out, HasSubstr("film hash " + hash_of("a.pfm") + "\n"));
  render_share(2, 3, "s");
  EXPECT_THAT(succeed({"info", "s-2.film"}).out, HasSubstr(" of 80, share 2/3\n"));
  expect_failure(1, {"info", "none.film"}, "none.film: cannot be opened");
}

TEST_F(Merge, AShareThatIsInterruptedIsNotTakenForOneThatIsDone) {
  WinnowProcess process(
      folder_, {"render", kCornellBox, "--device", "cpu", "--size", "160x121", "--spp", "100000000",
                "--share", "1/3", "-o", "s.film", "--checkpoint", "c.film", "--every", "0.05"});
  for (int trial = 0; trial < 10'000 && !fs::exists(file("c.film")); ++trial)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  process.send(SIGTERM);
  EXPECT_EQ(process.wait().exit_code, 130);
  EXPECT_GT(read_film(file("s.film")).film.samples.front(), 0u);
  const Outcome missing = succeed({"merge", "--missing", "s.film"});
  EXPECT_EQ(std::count(missing.out.begin(), missing.out.end(), '\n'), 3);
}

TEST_F(Merge, OfSharesThatWereKilledAndRunAgainHasTheHashOfOneRender) {
  render({"-o", "a.pfm"}, "100");
  for (const std::string index : {"0", "1", "2"}) {
    const Words share = {"render",
                         kCornellBox,
                         "--device",
                         "cpu",
                         "--size",
                         "160x121",
                         "--spp",
                         "100",
                         "--quiet",
                         "--max-bounces",
                         "3",
                         "--share",
                         index + "/3",
                         "--every",
                         "0.03",
                         "--checkpoint",
                         "c" + index + ".film",
                         "--resume",
                         "c" + index + ".film",
                         "-o",
                         "s-" + index + ".film"};
    if (index != "2") {
      WinnowProcess process(folder_, share);
      for (int trial = 0; trial < 5000 && !fs::exists(file("c" + index + ".film")); ++trial)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      process.send(SIGKILL);
      process.wait();
    }
    succeed(share);
  }
  succeed(joined({"merge", "-o", "m.pfm"}, files("s", 3)));
  EXPECT_EQ(hash_of("m.pfm"), hash_of("a.pfm"));
}

TEST_F(Merge, SharesAreWrittenAsFilmFilesOnly) {
  auto expect = [&](const Words& arguments, const std::string& part) {
    expect_failure(
        2, joined({"render", kCornellBox, "--device", "cpu", "--size", "32x32"}, arguments), part);
  };
  expect({"--share", "0/2"}, "with -o FILE.film");
  expect({"--share", "0/2", "-o", "a.png"}, "with -o FILE.film");
  expect({"--share", "2/2", "-o", "a.film"}, "I from 0 to N - 1");
  expect({"--share", "0/5", "-o", "a.film"}, "the image has only 4 tiles");
  expect({"--share", "0/2", "-o", "a.film", "--noise", "0.1"}, "leave out --share");
}

}  // namespace
}  // namespace winnow
