// SPDX-License-Identifier: MIT
// The program compaction-judge: its verdicts on sources of students, and its messages about sources
// and options that it cannot use.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <string>

#include "tests/support/folder_test.h"

namespace {

namespace fs = std::filesystem;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

struct Outcome {
  int status;
  std::string text;
};

Outcome run(const std::string& command) {
  FILE* program = popen((command + " 2>&1").c_str(), "r");
  Outcome outcome{-1, ""};
  std::array<char, 4096> part{};
  while (fgets(part.data(), int(part.size()), program)) outcome.text += part.data();
  const int status = pclose(program);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

Outcome judge(const std::string& arguments) {
  return run(COMPACTION_JUDGE " " + arguments);
}

std::string student(const std::string& file) {
  return std::string(WINNOW_SOURCE_DIR "/tests/compaction/learn/judge/students/") + file;
}

bool has_browser() {
  return run("command -v chromium").status == 0;
}

/// Opens a page in a browser, which writes to `profile`, and returns the contents of the page after
/// its program has run.
std::string opened(const fs::path& page, const fs::path& profile) {
  return run("chromium --headless=new --no-sandbox --disable-gpu --dump-dom "
             "--virtual-time-budget=5000 --user-data-dir='" +
             profile.string() + "' 'file://" + page.string() + "'")
      .text;
}

std::string read_all(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class JudgeProgram : public winnow::FolderTest {
 protected:
  /// Writes a source to a file and returns the file's name.
  std::string source(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
};

TEST_F(JudgeProgram, PassesANaiveScanInCudaWithArraysOfTheHost) {
  const Outcome run =
      judge(student("naive_scan.cu") + " --task scan --host-arrays --max 1100 --schedules 500");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.text, StartsWith("PASS  naive_scan.cu: 500 calls"));
  EXPECT_THAT(run.text, ContainsRegex("naive_scan.cu +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
  EXPECT_THAT(run.text, HasSubstr("naive_scan (rung)"));
}

TEST_F(JudgeProgram, PassesAWorkEfficientScanOfFloatsAndCountsItsBankConflicts) {
  const Outcome run =
      judge(student("work_efficient_scan.cu") + " --task scan --type float --schedules 500");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_THAT(run.text, ContainsRegex("work_efficient_scan.cu +3 +[0-9]+ +[0-9]+ +[0-9]+ +[1-9]"));
  EXPECT_THAT(run.text, ContainsRegex("brent_kung_scan .rung. +3 +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
}

TEST_F(JudgeProgram, PassesACompactionInPaddedSharedMemory) {
  const Outcome run = judge(student("padded_select.cu") + " --task select --schedules 500");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_THAT(run.text, ContainsRegex("padded_select.cu +1 +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
}

TEST_F(JudgeProgram, FindsABarrierThatIsMissingInCuda) {
  const std::string file =
      source("reverse.cu",
             "__global__ void k(int* in, int* out, int n) {\n"
             "  __shared__ int s[64];\n"
             "  int t = threadIdx.x, sum = 0;\n"
             "  s[t] = t < n ? in[t] : 0;\n"
             "  for (int i = 0; i < 64; ++i) sum += s[i];\n"
             "  if (t == 0) *out = sum;\n"
             "}\n"
             "void sum(int* in, int* out, int n) { k<<<1, 64>>>(in, out, n); }\n");
  const std::string page = folder_ / "reverse.html";
  const Outcome run =
      judge(file + " --task reduce --max 64 --call 'sum((int*)in, out, n)' --page " + page);
  EXPECT_EQ(run.status, 1);
  const std::string html = read_all(page);
  EXPECT_THAT(html, HasSubstr("<title>reverse.cu"));
  EXPECT_THAT(html, HasSubstr("__shared__ int s[64];"));
  EXPECT_THAT(run.text, ContainsRegex("FAIL  reverse.cu: (race|read of uninitialized memory)\n"));
  EXPECT_THAT(run.text, HasSubstr("reverse.cu:5"));
}

TEST_F(JudgeProgram, ShowsTheStoreOfAWrongResultAndNoRaceOfLanesThatMeet) {
  const std::string file =
      source("halves.cu",
             "__global__ void k(const int* in, int* out, int n) {\n"
             "  __shared__ int s[32];\n"
             "  int t = threadIdx.x;\n"
             "  if (t >= 16) return;\n"
             "  s[t] = t < n ? in[t] : 0;\n"
             "  __syncwarp(0xffff);\n"
             "  int sum = 0;\n"
             "  for (int i = 0; i < 16; ++i) sum += s[i];\n"
             "  if (t == 3) *out = sum + 1;\n"
             "}\n"
             "void reduce(const int* in, int* out, int n) { k<<<1, 32>>>(in, out, n); }\n");
  const std::string page = folder_ / "halves.html";
  const Outcome run = judge(file + " --task reduce --max 16 --page " + page);
  EXPECT_THAT(run.text, StartsWith("FAIL  halves.cu: wrong result\n"));
  EXPECT_THAT(run.text, HasSubstr("out[0] is 1 instead of 0"));
  if (has_browser()) {
    EXPECT_THAT(opened(page, folder_ / "profile"), HasSubstr("halves.cu:9"));
  }
}

TEST_F(JudgeProgram, EndsAnEndlessLoopAndNamesItsLine) {
  const std::string file =
      source("endless.cu",
             "__global__ void k(int n) {\n"
             "  volatile int x = 0;\n"
             "  while (n > 1)\n"
             "    x = 1;\n"
             "}\n"
             "void scan(const int* in, int* out, int n) { k<<<1, 32>>>(n); }\n");
  const Outcome run = judge(file + " --task scan --min 2 --seconds 1");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.text, StartsWith("FAIL  endless.cu: time-out\n  n = 2, "));
  EXPECT_THAT(
      run.text,
      ContainsRegex("did not end within 1 s \\(--seconds\\); it was at endless.cu:[345]\n"));
}

TEST_F(JudgeProgram, SaysInOneLineWhatItCannotUse) {
  const auto expect = [](const std::string& arguments, const std::string& text) {
    const Outcome run = judge(arguments);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.text, "compaction-judge: " + text + "\n");
  };
  expect("", "no file is given; see --help");
  expect("a.cu", "--task is missing: reduce, scan or select");
  expect("a.cu --task sort", "--task sort is not reduce, scan or select");
  expect("a.cu --task scan --max x", "--max x is not a whole number from 0 to 10000000");
  expect("a.cu --task scan --min 5 --max 4", "--min is larger than --max");
  expect("a.cu --task scan --fast", "unknown option --fast; see --help");
  expect("/none/a.cu --task scan", "/none/a.cu cannot be read");
  expect(source("open.cu", "void f() { k<<<1; }") + " --task scan",
         "open.cu, line 1: <<< has no >>>");
}

// ---- the gallery

class Gallery : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_.emplace("judge_gallery");
    written_ = run(WINNOW_SOURCE_DIR "/compaction/learn/gallery/pages " + folder().string() +
                   " " COMPACTION_JUDGE);
  }
  static void TearDownTestSuite() { folder_.reset(); }
  static fs::path folder() { return folder_->path; }
  static inline std::optional<winnow::TemporaryFolder> folder_;
  static inline Outcome written_;
};

constexpr const char* kErrors[] = {"warp_totals_in_five_bits",    "barrier_in_the_tail",
                                   "barrier_in_a_thread_loop",    "half_of_the_items_stored",
                                   "block_offset_without_size",   "flag_without_acquire",
                                   "scatter_to_the_place_before", "first_offset_skipped"};

TEST_F(Gallery, HasAPageOfEachErrorAndOfItsCorrection) {
  EXPECT_EQ(written_.status, 0) << written_.text;
  for (const std::string error : kErrors) {
    EXPECT_THAT(written_.text, HasSubstr("FAIL  " + error + ".h: "));
    EXPECT_THAT(read_all(folder() / (error + ".html")), HasSubstr("<title>" + error + ".h"));
    EXPECT_THAT(read_all(folder() / (error + "-corrected.html")),
                HasSubstr("The judge found no mistake."));
  }
}

TEST_F(Gallery, HasPagesThatOpenWhereTheKernelFails) {
  if (!has_browser()) GTEST_SKIP() << "chromium is not installed";
  for (const std::string error : kErrors) {
    const std::string page = opened(folder() / (error + ".html"), folder() / "profile");
    const auto shows = [&](const char* text) { return page.find(text) != std::string::npos; };
    if (error == "half_of_the_items_stored")  // no thread stored the item: opens at the end
      EXPECT_TRUE(std::regex_search(page, std::regex("step (\\d+) of \\1,"))) << error;
    else
      EXPECT_TRUE(shows("class=\"side now\"")) << error;
    const bool is_race = error == "flag_without_acquire" || error == "scatter_to_the_place_before";
    EXPECT_TRUE(!is_race || shows("data-side=\"1\"")) << error;  // both sides
  }
}

TEST_F(Gallery, IsListedWithTheCommandsOfItsPages) {
  const std::string script = read_all(WINNOW_SOURCE_DIR "/compaction/learn/gallery/pages");
  const std::string readme = read_all(WINNOW_SOURCE_DIR "/compaction/learn/gallery/README.md");
  const std::regex line("show (\\w+) \"(.*)\" (\\w+) \"(.*)\"\n");
  size_t shown = 0;
  for (std::sregex_iterator show(script.begin(), script.end(), line), end; show != end; ++show) {
    const std::smatch& words = *show;
    EXPECT_EQ(words[1], kErrors[shown++]);
    EXPECT_THAT(readme,
                HasSubstr("`compaction-judge " + words[1].str() + ".h " + words[2].str() + "`"));
    EXPECT_THAT(readme, HasSubstr("`compaction-judge --rung " + words[3].str() + " " +
                                  words[4].str() + "`"));
  }
  EXPECT_EQ(shown, std::size(kErrors));
}

TEST_F(Gallery, SaysWhatIsMissingForItsPages) {
  const std::string pages = WINNOW_SOURCE_DIR "/compaction/learn/gallery/pages ";
  EXPECT_EQ(run(pages).status, 2);
  EXPECT_EQ(run(pages + folder().string() + " /no/judge").text,
            "gallery/pages: there is no program /no/judge\n");
}

}  // namespace
