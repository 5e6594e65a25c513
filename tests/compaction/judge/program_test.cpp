// SPDX-License-Identifier: MIT
// The program compaction-judge: sources of students, and what it says of sources and options that
// it cannot use.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

struct Outcome {
  int status;
  std::string text;
};

Outcome judge(const std::string& arguments) {
  FILE* program = popen((COMPACTION_JUDGE " " + arguments + " 2>&1").c_str(), "r");
  Outcome run{-1, ""};
  std::array<char, 4096> part{};
  while (fgets(part.data(), int(part.size()), program)) run.text += part.data();
  const int status = pclose(program);
  if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
  return run;
}

std::string student(const std::string& file) {
  return std::string(WINNOW_SOURCE_DIR "/tests/compaction/judge/students/") + file;
}

/// A source in a file of its own.
std::string source(const std::string& name, const std::string& text) {
  const std::string file = testing::TempDir() + "/" + name;
  std::ofstream(file) << text;
  return file;
}

TEST(JudgeProgram, PassesANaiveScanInCudaWithArraysOfTheHost) {
  const Outcome run =
      judge(student("naive_scan.cu") + " --task scan --host-arrays --max 1100 --schedules 500");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.text, StartsWith("PASS  naive_scan.cu: 500 calls"));
  EXPECT_THAT(run.text, ContainsRegex("naive_scan.cu +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
  EXPECT_THAT(run.text, HasSubstr("naive_scan (rung)"));
}

TEST(JudgeProgram, PassesAWorkEfficientScanOfFloatsAndCountsItsBankConflicts) {
  const Outcome run =
      judge(student("work_efficient_scan.cu") + " --task scan --type float --schedules 500");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_THAT(run.text, ContainsRegex("work_efficient_scan.cu +3 +[0-9]+ +[0-9]+ +[0-9]+ +[1-9]"));
  EXPECT_THAT(run.text, ContainsRegex("brent_kung_scan .rung. +3 +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
}

TEST(JudgeProgram, PassesACompactionInPaddedSharedMemory) {
  const Outcome run = judge(student("padded_select.cu") + " --task select --schedules 500");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_THAT(run.text, ContainsRegex("padded_select.cu +1 +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
}

TEST(JudgeProgram, FindsABarrierThatIsMissingInCuda) {
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
  const std::string page = testing::TempDir() + "/reverse.html";
  const Outcome run =
      judge(file + " --task reduce --max 64 --call 'sum((int*)in, out, n)' --page " + page);
  EXPECT_EQ(run.status, 1);
  std::stringstream html;
  html << std::ifstream(page).rdbuf();
  EXPECT_THAT(html.str(), HasSubstr("<title>reverse.cu"));
  EXPECT_THAT(html.str(), HasSubstr("__shared__ int s[64];"));
  EXPECT_THAT(run.text,
              ContainsRegex("FAIL  reverse.cu: (race|read of memory that was not written)\n"));
  EXPECT_THAT(run.text, HasSubstr("reverse.cu:5"));
}

TEST(JudgeProgram, EndsAnEndlessLoopAndNamesItsLine) {
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
  EXPECT_THAT(run.text, ContainsRegex("did not end in 1 seconds; it was at endless.cu:[345]\n"));
}

TEST(JudgeProgram, SaysInOneLineWhatItCannotUse) {
  const auto expect = [](const std::string& arguments, const std::string& text) {
    const Outcome run = judge(arguments);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.text, "compaction-judge: " + text + "\n");
  };
  expect("", "no file is given; see --help");
  expect("a.cu", "--task is missing: reduce, scan or select");
  expect("a.cu --task sort", "--task sort is none of reduce, scan and select");
  expect("a.cu --task scan --max x", "--max x is no number from 0 to 10000000");
  expect("a.cu --task scan --min 5 --max 4", "--min is larger than --max");
  expect("a.cu --task scan --fast", "there is no option --fast");
  expect("/none/a.cu --task scan", "/none/a.cu cannot be read");
  expect(source("open.cu", "void f() { k<<<1; }") + " --task scan",
         "open.cu, line 1: <<< has no >>>");
}

}  // namespace
