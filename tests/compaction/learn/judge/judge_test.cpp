// SPDX-License-Identifier: MIT
// The judge finds the mistakes of wrong kernels and none in correct ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "compaction/learn/judge/rungs.h"
#include "tests/compaction/learn/judge/cases.h"
#include "tests/support/rounds.h"

namespace compaction::judge {

/// Prints the name of a rung, for GoogleTest.
void PrintTo(const Rung& rung, std::ostream* out) {
  *out << rung.name;
}

}  // namespace compaction::judge

namespace {

using compaction::judge::Arguments;
using compaction::judge::Counts;
using compaction::judge::describe;
using compaction::judge::explain;
using compaction::judge::find_rung;
using compaction::judge::kMistakeNames;
using compaction::judge::Rung;
using compaction::judge::rungs;
using compaction::judge::Settings;
using compaction::judge::Task;
using compaction::judge::Trial;
using compaction::judge::Verdict;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

std::string name_of_case(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

Verdict judge_case(const Case& wrong) {
  Settings settings;
  settings.task = wrong.task;
  settings.max_items = wrong.max_items;
  return compaction::judge::judge(settings, wrong.function);
}

class Mistakes : public testing::TestWithParam<Case> {};

TEST_P(Mistakes, AreFoundAndNamed) {
  const Verdict verdict = judge_case(GetParam());
  ASSERT_TRUE(verdict.failure.has_value());
  EXPECT_STREQ(kMistakeNames[size_t(verdict.failure->kind)],
               kMistakeNames[size_t(GetParam().expected)])
      << describe(verdict, GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(Gallery, Mistakes, testing::ValuesIn(gallery_cases()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Planted, Mistakes, testing::ValuesIn(planted_cases()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Labs, Mistakes, testing::ValuesIn(lab_cases()), name_of_case);

class Rungs : public testing::TestWithParam<Rung> {};

TEST_P(Rungs, AreNotBlamed) {
  const Rung& rung = GetParam();
  Settings settings;
  settings.task = rung.task;
  settings.any_order = rung.any_order;
  settings.schedules = winnow::rounds(40);
  if (rung.name == std::string("naive_scan")) settings.max_items = 600;  // n^2 additions
  const Verdict verdict = compaction::judge::judge(settings, rung.function);
  EXPECT_FALSE(verdict.failure.has_value()) << describe(verdict, rung.name);
  EXPECT_EQ(verdict.trials, settings.schedules);
}

INSTANTIATE_TEST_SUITE_P(Ladder, Rungs, testing::ValuesIn(rungs()),
                         [](const testing::TestParamInfo<Rung>& info) { return info.param.name; });

TEST(Labs, HaveARungThatIsTheirSolution) {
  for (const Case& lab : lab_cases()) {
    const Rung* rung = find_rung(lab.name);
    ASSERT_NE(rung, nullptr) << lab.name;
    EXPECT_EQ(rung->task, lab.task) << lab.name;
  }
}

TEST(Labs, AreListedWithTheCommandThatJudgesThem) {
  std::stringstream readme;
  readme << std::ifstream(WINNOW_SOURCE_DIR "/compaction/learn/labs/README.md").rdbuf();
  const char* tasks[] = {"reduce", "scan", "select"};
  for (const Case& lab : lab_cases()) {
    std::string command =
        std::string("compaction-judge ") + lab.name + ".h --task " + tasks[int(lab.task)];
    if (lab.max_items != Settings().max_items) command += " --max " + std::to_string(lab.max_items);
    EXPECT_THAT(readme.str(), HasSubstr("`" + command + "`"));
    std::stringstream start;
    start << std::ifstream(std::string(WINNOW_SOURCE_DIR "/compaction/learn/labs/") + lab.name +
                           ".h")
                 .rdbuf();
    EXPECT_THAT(start.str(), HasSubstr("// Judge: " + command + "\n"));
    EXPECT_THAT(start.str(), HasSubstr("// Hint: "));
  }
}

Case planted(const std::string& name) {
  for (const Case& wrong : planted_cases())
    if (name == wrong.name) return wrong;
  return {};
}

TEST(Verdict, OfARaceNamesBothThreadsAndLines) {
  EXPECT_THAT(describe(judge_case(planted("plain_addition")), "sum"),
              ContainsRegex("FAIL  sum: race\n  n = 2, .*\n  thread 1 of block 0 reads 4 bytes of "
                            "`out` at planted_races.h:[0-9]+, which thread 0 of block 0 writes at "
                            "planted_races.h:[0-9]+; nothing orders the two"));
}

TEST(Verdict, OfARaceSaysWhatIsMissing) {
  for (const auto& [name, missing] :
       {std::pair("no_barrier_between_steps", "a barrier is missing between them ("),
        std::pair("warp_in_step", "as the threads of a warp do not run in step"),
        std::pair("last_block_without_fence",
                  "no barrier orders blocks; a fence (__threadfence()) is missing")})
    EXPECT_THAT(describe(judge_case(planted(name)), name),
                AllOf(HasSubstr("nothing orders the two: "), HasSubstr(missing)))
        << name;
}

TEST(Explanation, SaysWhatACallWithoutItemsAndAScheduleAre) {
  using simt::host::Order;
  const Trial none{.n = 0, .schedule = {.resident_blocks = 2}};
  EXPECT_THAT(
      explain({.task = Task::kReduce}, none),
      testing::ElementsAre(HasSubstr("an input of 0 items is valid: the function stores the "
                                     "sum 0, and launches no grid of 0 blocks"),
                           HasSubstr("run in ascending order, each until it waits, up to 2 "
                                     "blocks at a time; a GPU may choose any order")));
  EXPECT_THAT(explain({.task = Task::kSelect}, none).front(), HasSubstr("reports 0 items"));
  const Trial shuffled{.n = 9, .schedule = {.order = Order::kShuffled, .resident_blocks = 1}};
  EXPECT_THAT(explain({}, shuffled), testing::ElementsAre(HasSubstr(
                                         "run in a random order, each until it waits, one block "
                                         "at a time")));
}

TEST(Verdict, OfAWrongResultHasTheFirstDifference) {
  const Verdict verdict = judge_case(planted("order_of_blocks"));
  EXPECT_THAT(describe(verdict, "append"), ContainsRegex("out\\[[0-9]+\\] is [0-9]+ instead of"));
}

TEST(Verdict, OfAnIndexOutOfRangeHasTheArray) {
  EXPECT_THAT(describe(judge_case(planted("one_item_too_many")), "copy"),
              ContainsRegex("n = 1, .*\n  thread 1 of block 0 writes 4 bytes of `out` at byte 4 "
                            "\\(its size is 4 bytes\\) at planted_limits.h"));
}

TEST(Costs, AreCountedByLaunchBarrierAndByte) {
  Settings settings;
  settings.task = Task::kReduce;
  const Counts counts =
      compaction::judge::count(settings, find_rung("naive_reduce")->function, 512);
  EXPECT_EQ(counts.launches, 2u);
  EXPECT_EQ(counts.barriers, 3u * 8);  // two tiles and one of their sums, log2(256) steps each
  EXPECT_EQ(counts.bytes_read, 4u * (512 + 2));
  EXPECT_EQ(counts.bytes_written, 4u * 3);
}

TEST(BankConflicts, AreCountedForEachWarpAccess) {
  using compaction::judge::BankConflicts;
  const auto conflicts_at_stride = [](uint32_t words) {
    BankConflicts banks;
    for (uint32_t lane = 0; lane < 32; ++lane)
      banks.add({lane, 0, 0, 0, nullptr}, 4 * words * lane);
    return banks.take();
  };
  EXPECT_EQ(conflicts_at_stride(0), 0u);  // all lanes access one word
  EXPECT_EQ(conflicts_at_stride(1), 0u);
  EXPECT_EQ(conflicts_at_stride(2), 1u);
  EXPECT_EQ(conflicts_at_stride(32), 31u);
  EXPECT_EQ(conflicts_at_stride(33), 0u);
}

}  // namespace
