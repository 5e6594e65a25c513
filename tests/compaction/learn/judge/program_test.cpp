// SPDX-License-Identifier: MIT
// The program compaction-judge: its verdicts on sources of students, and its messages about sources
// and options that it cannot use.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/wait.h>

#include <algorithm>
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
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
};

TEST_F(JudgeProgram, PassesANaiveScanInCudaWithArraysOfTheHost) {
  const Outcome run =
      judge(student("naive_scan.cu") + " --task scan --host-arrays --max 1100 --schedules 60");
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.text, StartsWith("PASS  naive_scan.cu: 60 calls"));
  EXPECT_THAT(run.text, ContainsRegex("naive_scan.cu +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
  EXPECT_THAT(run.text, HasSubstr("naive_scan (rung)"));
}

TEST_F(JudgeProgram, PassesAWorkEfficientScanOfFloatsAndCountsItsBankConflicts) {
  const Outcome run =
      judge(student("work_efficient_scan.cu") + " --task scan --type float --schedules 60");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_THAT(run.text, ContainsRegex("work_efficient_scan.cu +3 +[0-9]+ +[0-9]+ +[0-9]+ +[1-9]"));
  EXPECT_THAT(run.text, ContainsRegex("brent_kung_scan .rung. +3 +[0-9]+ +[0-9]+ +[0-9]+ +0\n"));
}

TEST_F(JudgeProgram, PassesACompactionInPaddedSharedMemory) {
  const Outcome run = judge(student("padded_select.cu") + " --task select --schedules 60");
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
  EXPECT_THAT(run.text, HasSubstr("a barrier is missing "));
  EXPECT_THAT(run.text, HasSubstr("\n  note: in this schedule, threads and blocks run in "));
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

TEST_F(JudgeProgram, SaysThatTheThreadsOfAWarpDoNotRunInStep) {
  const std::string file =
      source("warp.cu",
             "__global__ void k(const int* in, int* out, int n) {\n"
             "  __shared__ volatile int s[48];\n"
             "  int t = threadIdx.x;\n"
             "  s[t] = t < n ? in[t] : 0;\n"
             "  for (int stride = 16; stride > 0; stride /= 2) s[t] += s[t + stride];\n"
             "  if (t == 0) *out = s[0];\n"
             "}\n"
             "void reduce(const int* in, int* out, int n) { k<<<1, 32>>>(in, out, n); }\n");
  const Outcome run = judge(file + " --task reduce --min 1 --max 32");
  EXPECT_THAT(run.text, StartsWith("FAIL  warp.cu: "));
  EXPECT_THAT(run.text, HasSubstr("note: volatile does not order the threads of a warp"));
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

struct WrongCode {
  const char* name;
  const char* task;
  const char* code;
  const char* verdict;
};

class JudgeOfPrograms : public JudgeProgram, public testing::WithParamInterface<WrongCode> {};

constexpr const char* kSumOfThread0 =
    "__global__ void sum(const int* in, int* out, int n) {\n"
    "  if (threadIdx.x + threadIdx.y + threadIdx.z > 0) return;\n"
    "  int s = 0;\n"
    "  for (int i = 0; i < n; ++i) s += in[i];\n"
    "  *out = s;\n"
    "}\n";

/// Ways to fail on a GPU that need no mistake in the arithmetic.
const WrongCode kWrongCodes[] = {
    {"shared_memory_without_size_of_32_threads", "reduce",
     "__global__ void k(int* out) { extern __shared__ int s[]; s[threadIdx.x] = 1; *out = 0; }\n"
     "void reduce(const int* in, int* out, int n) { k<<<1, 32>>>(out); }\n",
     "access out of range\n  n = [0-9]+, .*\n.* writes 4 bytes of shared memory outside of its "
     "arrays at test.cu:1\n"},
    {"shared_memory_without_size_of_512_threads", "reduce",
     "__global__ void k(int* out) { extern __shared__ int s[]; s[threadIdx.x] = 1; *out = 0; }\n"
     "void reduce(const int* in, int* out, int n) { k<<<1, 512>>>(out); }\n",
     "access out of range\n.*\n.* shared memory outside of its arrays at test.cu:1\n"},
    {"half_of_the_shared_memory", "reduce",
     "__global__ void k(int* out) { extern __shared__ int s[]; s[threadIdx.x] = 1; }\n"
     "void reduce(const int* in, int* out, int n) { k<<<1, 256, 512>>>(out); }\n",
     "access out of range\n.*\n.* shared memory outside of its arrays at test.cu:1\n"},
    {"host_loop", "reduce",
     "void reduce(const int* in, int* out, int n) {\n"
     "  *out = 0;\n"
     "  for (int i = 0; i < n; ++i) *out += in[i];\n"
     "}\n"
     "__global__ void unused() {}\n",
     "access out of range\n.*\n  host code accesses device memory, `out`, at test.cu:2"},
    {"device_counter_on_the_host", "select",
     "__global__ void k(int* c) { *c = 0; }\n"
     "int select(const int* in, int* out, int n) {\n"
     "  int* c;\n"
     "  cudaMalloc(&c, 4);\n"
     "  k<<<1, 1>>>(c);\n"
     "  return *c;\n"
     "}\n",
     "access out of range\n.*\n  host code accesses device memory, allocation 1, at test.cu:6"},
    {"host_variable_in_a_kernel", "reduce",
     "__global__ void k(int* sum) { atomicAdd(sum, 1); }\n"
     "void reduce(const int* in, int* out, int n) { int sum = 0; k<<<1, 1>>>(&sum); }\n",
     "access out of range\n.*\n.* updates 4 bytes of memory of the host .* at test.cu:1\n"},
    {"vector_in_a_kernel", "reduce",
     "#include <vector>\n"
     "__global__ void k(int* sum) { *sum = 1; }\n"
     "void reduce(const int*, int*, int) { std::vector<int> v(9); k<<<1, 1>>>(v.data()); }\n",
     "access out of range\n.*\n.* writes 4 bytes of memory of the host .* at test.cu:2\n"},
    {"read_of_host_memory_in_a_kernel", "reduce",
     "#include <cstdlib>\n"
     "__global__ void k(const int* a, int* out) { *out = *a; }\n"
     "void reduce(const int*, int* out, int) { k<<<1, 1>>>((int*)std::calloc(9, 4), out); }\n",
     "access out of range\n.*\n.* reads 4 bytes of memory of the host .* at test.cu:2\n"},
    {"block_too_deep", "reduce",
     "void reduce(const int* in, int* out, int n) { sum<<<1, dim3(1, 1, 65)>>>(in, out, n); }\n",
     "wrong result"},
    {"grid_too_high", "reduce",
     "void reduce(const int* in, int* out, int n) { sum<<<dim3(1, 65536), 1>>>(in, out, n); }\n",
     "wrong result"},
    {"shared_memory_above_48_KiB", "reduce",
     "void reduce(const int* in, int* out, int n) { sum<<<1, 1, 49153>>>(in, out, n); }\n",
     "wrong result"},
    {"shared_memory_above_227_KiB", "reduce",
     "void reduce(const int* in, int* out, int n) {\n"
     "  cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10);\n"
     "  sum<<<1, 1, 228 << 10>>>(in, out, n);\n"
     "}\n",
     "wrong result"},
    {"wrong_direction", "reduce",
     "#include <vector>\n"
     "__global__ void unused() {}\n"
     "void reduce(const int* in, int* out, int n) {\n"
     "  std::vector<int> items(n);\n"
     "  cudaMemcpy(items.data(), in, n * sizeof(int), cudaMemcpyHostToDevice);\n"
     "  int s = 0;\n"
     "  for (int item : items) s += item;\n"
     "  cudaMemcpy(out, &s, 4, cudaMemcpyHostToDevice);\n"
     "}\n",
     "wrong result"},
    {"exit_of_the_function", "reduce",
     "#include <cstdlib>\n"
     "void reduce(const int* in, int* out, int n) {\n"
     "  if (n > 100) std::exit(0);\n"
     "  sum<<<1, 1>>>(in, out, n);\n"
     "}\n",
     "error\n  n = 127, .*\n  the function ended the program .exit status 0.\n"},
    {"exit_of_a_kernel", "reduce",
     "#include <unistd.h>\n"
     "__global__ void k() { _exit(0); }\n"
     "void reduce(const int* in, int* out, int n) { k<<<1, 1>>>(); }\n",
     "error\n  n = 0, .*\n  the function ended the program .exit status 0.\n"},
    {"exit_of_a_constructor", "reduce",
     "#include <cstdlib>\n"
     "struct Exit { Exit() { std::quick_exit(0); } } leaves;\n"
     "void reduce(const int* in, int* out, int n) { sum<<<1, 1>>>(in, out, n); }\n",
     "error\n  before the first call\n  the function ended the program .exit status 0.\n"},
    {"wait_for_what_no_thread_writes", "reduce",
     "__global__ void k(int* flag) { while (atomicAdd(flag, 0) == 0) continue; }\n"
     "void reduce(const int*, int* out, int) { cudaMemset(out, 0, 4); k<<<1, 1>>>(out); }\n",
     "deadlock\n.*\n  thread 0 of block 0 waits, but no thread makes progress\n"},
    {"closed_output", "reduce",
     "#include <unistd.h>\n"
     "void reduce(const int*, int*, int) { for (int i = 0; i < 100; ++i) close(i); }\n",
     "wrong result"},
};

TEST_P(JudgeOfPrograms, FailsAsOnAGpu) {
  const WrongCode& wrong = GetParam();
  const bool needs_sum = std::string(wrong.code).find("sum<<<") != std::string::npos;
  const std::string file =
      source("test.cu", needs_sum ? kSumOfThread0 + std::string(wrong.code) : wrong.code);
  const Outcome run = judge(file + " --task " + wrong.task + " --schedules 250 --seconds 5");
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.text, ContainsRegex(std::string("FAIL  test.cu: ") + wrong.verdict));
}

INSTANTIATE_TEST_SUITE_P(Mistakes, JudgeOfPrograms, testing::ValuesIn(kWrongCodes),
                         [](const auto& wrong) { return std::string(wrong.param.name); });

TEST_F(JudgeProgram, PassesWhatAGpuRuns) {
  const std::string reduce = source(
      "right.cu",
      kSumOfThread0 +
          std::string("void reduce(int* in, int* out, int n) {\n"
                      "  if (max(n, 9u) < 9 || min(n, 9u) > 9) return;\n"
                      "  cudaDeviceProp p;\n"
                      "  cudaGetDeviceProperties(&p, 0);\n"
                      "  cudaFuncSetAttribute(sum, cudaFuncAttributeMaxDynamicSharedMemorySize,\n"
                      "                       p.sharedMemPerBlockOptin);\n"
                      "  sum<<<dim3(1, 1), dim3(2, 2, 64), 100 << 10>>>(in, out, n);\n"
                      "  int s;\n"
                      "  cudaMemcpy(&s, out, 4, cudaMemcpyDeviceToHost);\n"
                      "  cudaMemcpy(out, &s, 4, cudaMemcpyHostToDevice);\n"
                      "  cudaDeviceReset();\n"
                      "}\n"
                      "int main() {}\n"));
  const Outcome run = judge(reduce + " --task reduce --schedules 60");
  EXPECT_EQ(run.status, 0) << run.text;
  EXPECT_THAT(run.text, ContainsRegex("PASS .*\n  note: .* const items\n"));
}

TEST_F(JudgeProgram, LeavesNoFilesWhenItIsEnded) {
  const std::string file = source("endless.cu",
                                  "__global__ void unused() {}\n"
                                  "void reduce(const int*, int*, int) { for (;;) asm(\"\"); }\n");
  const fs::path temporary = folder_ / "tmp";
  fs::create_directory(temporary);
  // Ended while the student's program runs, as its progress shows.
  const Outcome run =
      ::run("{ cd '" + temporary.string() + "'; TMPDIR=$PWD " COMPACTION_JUDGE " " + file +
            " --task reduce --seconds 60 & judge=$!\n"
            "while kill -0 $judge && ! test -e */progress; do sleep 0.1; done\n"
            "sleep 0.5; kill $judge && wait $judge; }");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.text, "compaction-judge: ended by signal 15\n");
  EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(JudgeProgram, ShowsTheFirstErrorsOfACompiler) {
  const Outcome run = judge(source("bad.cu", "int f() { return unknown; }") + " --task scan");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.text, HasSubstr("bad.cu:1:18: error: "));
  EXPECT_LT(std::count(run.text.begin(), run.text.end(), '\n'), 12);
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
  expect("a.cu --task scan --page -", "--page - is not a file");
  expect("a.cu --task scan --fast", "unknown option --fast; see --help");
  expect("/none/a.cu --task scan", "/none/a.cu cannot be read");
  const std::string binary = source("binary.cu", std::string("\x7f"
                                                             "ELF\0\1",
                                                             6));
  expect(binary + " --task scan", binary + " is not a text file");
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
