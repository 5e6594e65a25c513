// SPDX-License-Identifier: MIT
// Tests the progress of `winnow render`, and how time limits and signals end it.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <csignal>
#include <memory>
#include <regex>
#include <sstream>
#include <thread>

#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/render_fixture.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

TEST_F(Render, QuietPrintsNothing) {
  put("dark.json", kDarkScene);
  Outcome outcome = succeed({"render", "dark.json", "--device", "cpu", "--quiet"});
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Render, TimeLimitRendersAsManySamplesAsFit) {
  // On a slow machine, the first sample of all pixels may take longer than the first limits.
  Json stats;
  for (const char* limit : {"0.2", "2", "20"}) {
    stats = stats_of({"--time-limit", limit});
    EXPECT_EQ(stats["interrupted"], false);
    if (stats["spp"].get<double>() > 1.0) break;
  }
  EXPECT_GT(stats["spp"].get<double>(), 1.0);
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

TEST_F(InterruptedRender, ThatWaitsForTheReaderOfAPipeEnds) {
  ASSERT_EQ(::mkfifo(file("pipe.pfm").c_str(), 0600), 0);
  WinnowProcess process(folder_, {"render", kCornellBox, "--device", "cpu", "--size", "8x8",
                                  "--spp", "1", "-o", "ready.pfm", "-o", "pipe.pfm"});
  for (int trial = 0; trial < 10'000 && !fs::exists(file("ready.pfm")); ++trial)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::this_thread::sleep_for(std::chrono::seconds(1));  // until it waits
  process.send(SIGTERM);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("pipe.pfm: interrupted while no program read this pipe"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace winnow
