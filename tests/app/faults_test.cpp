// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <regex>
#include <thread>

#include "film/film_file.h"
#include "image/compare.h"
#include "image/image_io.h"
#include "tests/app/support/run_winnow.h"
#include "tests/film/support/film_in_memory.h"

// Tests how the program ends when the machine fails: calls of the C library that fail
// (support/faults/), signals, standard streams that are closed. src/app/REFERENCE.md has the table.

namespace winnow {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Gives programs that are started during its lifetime a fault (support/faults/).
class WithFault {
 public:
  explicit WithFault(const std::string& fault) {
    ::setenv("LD_PRELOAD", kThisBuild.faults, 1);
    ::setenv("WINNOW_FAULT", fault.c_str(), 1);
  }
  WithFault(const WithFault&) = delete;
  ~WithFault() {
    ::unsetenv("LD_PRELOAD");
    ::unsetenv("WINNOW_FAULT");
  }
};

class Faults : public WinnowTest {
 protected:
  Faults() {
    fs::create_directory(file("out"));
    ::setenv("TMPDIR", folder_.c_str(), 1);  // for what cannot be written elsewhere
  }
  ~Faults() override { ::unsetenv("TMPDIR"); }

  /// False under sanitizers, which must be loaded first.
  static bool can_inject() { return *kThisBuild.faults != '\0'; }

  static Words command(const Words& more, const std::string& spp = "4") {
    Words words = {"render", kCornellBox, "--device", "cpu", "--size",
                   "48x40",  "--quiet",   "--spp",    spp};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  Outcome run_with(const std::string& fault, const Words& words) const {
    const WithFault with(fault);
    return run(words);
  }

  /// Expects an exit code, not a signal, and one line of an error if the code is 1.
  static void expect_ordered_end(const Outcome& outcome) {
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 1)
        << "exit code " << outcome.exit_code << ", signal " << outcome.signal << "\n"
        << outcome.err;
    std::istringstream lines(outcome.err);
    int errors = 0;
    for (std::string line; std::getline(lines, line);) errors += line.starts_with("winnow: ");
    EXPECT_EQ(errors, outcome.exit_code) << outcome.err;
  }

  /// Runs a line of the shell, in which $winnow is the program and $render a small render, in the
  /// folder.
  void run_shell(const std::string& line) const {
    std::string render;
    for (const std::string& word : command({})) render += word == "--quiet" ? "" : " " + word;
    const std::string all = "cd '" + folder_.string() + "' && winnow='" + kThisBuild.winnow +
                            "' && render='" + render + "' && " + line;
    EXPECT_EQ(std::system(all.c_str()), 0) << line;
  }

  /// Counts the files below `out` whose names the program chose.
  size_t temporary_files() const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(file("out")))
      count += entry.path().filename().string().starts_with(".winnow") ? 1 : 0;
    return count;
  }
};

/// Faults of files in the folder of the outputs, and the reason that the program gives.
const std::vector<std::pair<const char*, const char*>> kFileFaults = {
    {"write:0:28:/out/", "No space left on device"},
    {"write:1:5:/out/", "Input/output error"},
    {"fsync:0:5:/out/", "Input/output error"},
    {"fsync:0:28:/out/", "No space left on device"},
    {"rename:0:13:/out/", "Permission denied"},
    {"open:0:30:/out/", "Read-only file system"},
    {"open:0:24:/out/", "Too many open files"}};

TEST_F(Faults, AnImageThatCannotBeWrittenIsWrittenElsewhere) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers allow no other library before them";
  for (const auto& [fault, reason] : kFileFaults) {
    SCOPED_TRACE(fault);
    put("out/a.png", "an old image");
    const Outcome outcome = run_with(fault, command({"-o", "out/a.png"}));
    if (outcome.exit_code == 0) {  // a small file takes one write
      EXPECT_STREQ(fault, "write:1:5:/out/");
      continue;
    }
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(outcome.err, parts,
                                 std::regex(std::string("winnow: out/a.png: cannot be written: ") +
                                            reason + "; it is in (.*/a.png) instead\n")))
        << outcome.err;
    EXPECT_EQ(read_image(parts[1].str()).width, 48u);
    EXPECT_EQ(read_text(file("out/a.png")), "an old image");
    EXPECT_EQ(temporary_files(), 0u);
    fs::remove_all(fs::path(parts[1].str()).parent_path());
  }
}

TEST_F(Faults, ACheckpointThatCannotBeWrittenGoesElsewhereAndTheRenderGoesOn) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers allow no other library before them";
  for (const auto& [fault, reason] : kFileFaults) {
    SCOPED_TRACE(fault);
    const Outcome outcome = run_with(fault, command({"--checkpoint", "out/c.film", "-o", "a.png"}));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(read_image(file("a.png")).width, 48u);
    std::smatch parts;
    ASSERT_TRUE(
        std::regex_match(outcome.err, parts,
                         std::regex(std::string("warning: out/c.film: cannot be written: ") +
                                    reason + "; the checkpoint is written to (.*)\n")))
        << outcome.err;
    EXPECT_EQ(read_film(parts[1].str()).film.samples.front(), 4u);
    EXPECT_FALSE(fs::exists(file("out/c.film")));
    EXPECT_EQ(temporary_files(), 0u);
    fs::remove_all(fs::path(parts[1].str()).parent_path());
  }
}

TEST_F(Faults, ASceneThatChangesWhileItIsReadIsRefused) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers allow no other library before them";
  put("s.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const char* const kChanged = "s.obj: the file changed while it was read; try again";
  const char* const kUnreadable = "s.obj: cannot be read: Input/output error";
  for (const auto& [fault, message] :
       {std::pair("read:0:0:s.obj", kChanged), std::pair("read:0:-1:s.obj", kChanged),
        std::pair("read:0:5:s.obj", kUnreadable)}) {
    const WithFault with(fault);
    expect_failure(1, {"info", "s.obj"}, message);
  }
  const std::string sky = "PF\n2 1\n-1.0\n" + std::string(24, '\0');
  put("sky.pfm", sky);
  const WithFault with("read:0:0:sky.pfm");
  expect_failure(1, {"info", "s.obj", "--sky", "sky.pfm"}, "sky.pfm: ");
}

TEST_F(Faults, ThreadsThatCannotBeStartedAreOneLine) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers allow no other library before them";
  for (int started = 0; started < 8; ++started) {
    SCOPED_TRACE(started);
    expect_ordered_end(
        run_with("pthread_create:" + std::to_string(started) + ":11",
                 command({"--threads", "4", "-o", "out/a.png", "--checkpoint", "out/c.film"})));
    EXPECT_EQ(temporary_files(), 0u);
  }
}

TEST_F(Faults, AFilmIsWholeOrNotThereWhereThreadsCannotBeStarted) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers allow no other library before them";
  succeed(command({"-o", "a.film"}));
  for (int started = 0; started < 6; ++started) {
    SCOPED_TRACE(started);
    const Outcome outcome = run_with("pthread_create:" + std::to_string(started) + ":11",
                                     {"convert", "a.film", "out/b.film"});
    expect_ordered_end(outcome);
    EXPECT_EQ(fs::exists(file("out/b.film")), outcome.exit_code == 0);
    if (fs::exists(file("out/b.film"))) {
      EXPECT_EQ(read_text(file("a.film")), read_text(file("out/b.film")));
    }
    fs::remove(file("out/b.film"));
  }
}

TEST_F(Faults, OfMemoryInTheMiddleEndInOneLine) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers allow no other library before them";
  for (const char* bytes : {"1000000", "100000", "20000", "5000"})
    for (const char* first : {"0", "3", "10", "30", "100"}) {
      const std::string fault = std::string("malloc:") + first + ":12:" + bytes;
      SCOPED_TRACE(fault);
      put("out/a.png", "an old image");
      const Outcome outcome = run_with(fault, command({"-o", "out/a.png"}));
      expect_ordered_end(outcome);
      EXPECT_EQ(read_text(file("out/a.png")) == "an old image", outcome.exit_code != 0);
      EXPECT_EQ(temporary_files(), 0u);
    }
}

TEST_F(Faults, AnImageForWhichThereIsNoMemoryIsKeptAsAFilm) {
  if (!can_inject()) GTEST_SKIP() << "sanitizers allow no other library before them";
  succeed(command({"-o", "expected.png", "--size", "256x256"}, "1"));
  std::smatch parts;
  Outcome outcome;
  constexpr int kMaxCalls = 50;  // with so many bytes, of which the last are those of the writer
  for (int first = 0; parts.empty() && first < kMaxCalls; ++first) {
    const std::string fault = "malloc:" + std::to_string(first) + ":12:50000:1";
    outcome = run_with(fault, command({"-o", "out/a.png", "--size", "256x256"}, "1"));
    std::regex_match(outcome.err, parts,
                     std::regex("winnow: out/a.png: not enough memory to write it; "
                                "winnow convert makes it of (.*/a.film)\n"));
  }
  ASSERT_FALSE(parts.empty()) << outcome.err;
  EXPECT_EQ(outcome.exit_code, 1);
  succeed({"convert", parts[1].str(), "b.png"});
  EXPECT_EQ(read_text(file("b.png")), read_text(file("expected.png")));
  fs::remove_all(fs::path(parts[1].str()).parent_path());
}

TEST_F(Faults, ClosedStandardStreamsDoNotGetIntoFiles) {
  run_shell(
      "$winnow $render --checkpoint c.film --every 0.01 --spp 60 -o a.pfm >&- 2>&- <&-; "
      "[ $? = 1 ]");
  EXPECT_EQ(read_film(file("c.film")).film.samples.front(), 60u);
  succeed({"convert", "c.film", "b.pfm"});
  EXPECT_EQ(read_text(file("a.pfm")), read_text(file("b.pfm")));
}

TEST_F(Faults, AClosedPipeDoesNotEndARender) {
  run_shell("{ $winnow $render -o a.pfm; echo $? >code; } 2>&1 | true");
  EXPECT_EQ(read_image(file("a.pfm")).width, 48u);
  EXPECT_EQ(read_text(file("code")), "1\n");
}

TEST_F(Faults, AClosedTerminalEndsARenderWithItsImage) {
  WinnowProcess process(folder_,
                        {"render", kCornellBox, "--device", "cpu", "--size", "48x40", "--spp",
                         "2000000000", "-o", "a.pfm"},
                        WinnowProcess::Stderr::kTerminal);
  EXPECT_TRUE(process.terminal_shows(std::regex("[1-9][0-9]* of 2000000000 spp")));
  process.send(SIGHUP);
  const Outcome outcome = process.wait();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_image(file("a.pfm")).width, 48u);
}

TEST_F(Faults, ASignalAtAnyMomentLeavesWholeFiles) {
  constexpr int kTrials = 12;
  std::mt19937 random(22);
  for (int trial = 0; trial < kTrials; ++trial) {
    const int signal = std::vector{SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE}[random() % 5];
    SCOPED_TRACE(signal);
    WinnowProcess process(
        folder_, command({"--checkpoint", "c.film", "--every", "0.01", "-o", "a.png"}, "200"));
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 200));
    process.send(signal);
    const Outcome outcome = process.wait();
    EXPECT_TRUE(outcome.exit_code == 0 || outcome.exit_code == 130 || outcome.signal == signal)
        << outcome.exit_code << " " << outcome.err;
    if (outcome.exit_code == 0) {
      EXPECT_EQ(read_image(file("a.png")).width, 48u);
    }
    if (fs::exists(file("c.film"))) {
      EXPECT_EQ(read_film(file("c.film")).film.samples.size(), 1920u);
    }
  }
}

TEST(FaultTable, NamesTestsThatExist) {
  const std::string readme = read_text(fs::path(WINNOW_SOURCE_DIR) / "src/app/REFERENCE.md");
  const size_t start = readme.find("## When something goes wrong");
  ASSERT_NE(start, std::string::npos);
  const std::string table = readme.substr(start, readme.find("\n## ", start + 1) - start);
  std::string sources;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(WINNOW_SOURCE_DIR) / "tests"))
    if (const fs::path& name = entry.path();
        name.extension() == ".cpp" || name.extension() == ".cu")
      sources += read_text(name);
  std::erase_if(sources, [](char letter) { return letter == ' ' || letter == '\n'; });
  const std::regex row("\\| [^|]+ \\| [^|]+ \\| `(\\w+)\\.(\\w+)` \\|");
  std::istringstream all(table.substr(table.find("|---|---|---|\n") + 14));
  int lines = 0;
  for (std::string line; std::getline(all, line) && line.starts_with("|"); ++lines) {
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(line, parts, row)) << line << " names no test";
    EXPECT_NE(sources.find("(" + parts[1].str() + "," + parts[2].str() + "){"), std::string::npos)
        << line << ": there is no such test";
  }
  EXPECT_GT(lines, 15);
}

}  // namespace
}  // namespace winnow
