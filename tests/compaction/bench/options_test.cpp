// SPDX-License-Identifier: MIT
#include "compaction/bench/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using namespace compaction::bench;
using testing::ElementsAre;
using testing::HasSubstr;

Options parse(std::vector<const char*> arguments) {
  return parse_options(arguments);
}

/// Returns the error message; empty if the arguments are accepted.
std::string mistake(std::vector<const char*> arguments) {
  try {
    parse_options(arguments);
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(BenchOptions, MeasureEverythingByDefault) {
  Options options = parse({});
  EXPECT_EQ(options.suites, all_suites());
  EXPECT_EQ(options.sizes.front(), 1u << 10);
  EXPECT_EQ(options.sizes.back(), 1u << 30);
  EXPECT_THAT(options.ladder_sizes, ElementsAre(1u << 16, 1u << 20, 1u << 28));
  EXPECT_THAT(options.keep, ElementsAre(1, 10, 50, 90, 99));
  EXPECT_THAT(options.item_bytes, ElementsAre(1, 3, 4, 5, 8, 12, 16, 20));
  EXPECT_GE(options.repeats, 9);
  EXPECT_TRUE(options.json_path.empty());
}

TEST(BenchOptions, QuickMeasuresLess) {
  Options all = parse({}), quick = parse({"--quick"});
  EXPECT_LT(quick.sizes.size(), all.sizes.size());
  EXPECT_THAT(quick.keep, ElementsAre(10, 50, 90));
  EXPECT_GE(quick.repeats, 9);
}

TEST(BenchOptions, GivenOptionsOverrideQuickInAnyOrder) {
  for (auto arguments : {std::vector<const char*>{"--quick", "--n", "1000", "--repeat", "3"},
                         {"--repeat", "3", "--n", "1000", "--quick"}}) {
    Options options = parse(arguments);
    EXPECT_THAT(options.sizes, ElementsAre(1000));
    EXPECT_THAT(options.ladder_sizes, ElementsAre(1000));
    EXPECT_EQ(options.repeats, 3);
  }
}

TEST(BenchOptions, SizesAreNumbersPowersAndRanges) {
  EXPECT_THAT(parse_sizes("7,2^3"), ElementsAre(7, 8));
  EXPECT_THAT(parse_sizes("2^10..2^13"), ElementsAre(1024, 2048, 4096, 8192));
  EXPECT_THAT(parse_sizes("2^10..2^15:8"), ElementsAre(1024, 8192));
  EXPECT_THAT(parse_sizes("100..100,5"), ElementsAre(100, 5));
}

TEST(BenchOptions, SplitsLists) {
  Options options = parse({"--suite", "scan,soa", "--keep", "0,12.5,100", "--type", "16,1",
                           "--flush", "read", "--json", "out.json"});
  EXPECT_THAT(options.suites, ElementsAre("scan", "soa"));
  EXPECT_THAT(options.keep, ElementsAre(0, 12.5, 100));
  EXPECT_THAT(options.item_bytes, ElementsAre(16, 1));
  EXPECT_EQ(options.flush, Flush::kRead);
  EXPECT_EQ(options.json_path, "out.json");
}

TEST(BenchOptions, MasksAreReplayedAloneUnlessSuitesAreNamedToo) {
  EXPECT_EQ(parse({}).masks_path, "");
  Options alone = parse({"--masks", "m.bin"});
  EXPECT_EQ(alone.masks_path, "m.bin");
  EXPECT_TRUE(alone.suites.empty());
  for (auto arguments : {std::vector<const char*>{"--masks", "m.bin", "--suite", "soa"},
                         {"--suite", "soa", "--masks", "m.bin"}})
    EXPECT_THAT(parse(arguments).suites, ElementsAre("soa"));
}

TEST(BenchOptions, MistakesAreNamed) {
  EXPECT_THAT(mistake({"--frobnicate"}), HasSubstr("--frobnicate"));
  EXPECT_THAT(mistake({"--n"}), HasSubstr("--n: its value is missing; see --help"));
  for (const char* sizes : {"", "0", "x", "-1", "2^", "2^31", "2^64", "1,,2", "4294967297",
                            "99999999999999999999", "2^12..2^10", "2^10..2^12:1", "8..", "..8"})
    EXPECT_THAT(mistake({"--n", sizes}), HasSubstr("--n")) << sizes;
  for (const char* keep : {"", "-1", "101", "nan", "ten", "10%", "1,"})
    EXPECT_THAT(mistake({"--keep", keep}), HasSubstr("--keep")) << keep;
  EXPECT_THAT(mistake({"--suite", "select,sort"}),
              HasSubstr("--suite: 'sort' is not one of select, partition, "));
  EXPECT_THAT(mistake({"--type", "2"}), HasSubstr("'2' is not one of 1, 3, 4, 5, 8, 12, 16, 20"));
  EXPECT_THAT(mistake({"--repeat", "0"}), HasSubstr("--repeat"));
  EXPECT_THAT(mistake({"--flush", "never"}), HasSubstr("'never'"));
  EXPECT_THAT(mistake({"--masks"}), HasSubstr("--masks: its value is missing"));
  EXPECT_THAT(mistake({"--masks", ""}), HasSubstr("--masks"));
  EXPECT_THAT(mistake({"--masks", "m", "--json", "m"}), HasSubstr("'m' is the file of --masks"));
  EXPECT_THAT(mistake({"--json", "-"}), HasSubstr("'-' is not a file"));
  EXPECT_THAT(mistake({"select"}), HasSubstr("select"));
  EXPECT_EQ(mistake({"--n", "2^30"}), "");
}

TEST(BenchOptions, MistakesTakeOneLine) {
  for (auto arguments :
       {std::vector<const char*>{"--frobnicate"}, {"--n"}, {"--n", "x"}, {"all"}}) {
    std::string message = mistake(arguments);
    EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 0) << message;
    EXPECT_FALSE(message.empty());
  }
}

TEST(BenchOptions, TheLastOfSeveralCounts) {
  EXPECT_EQ(parse({"--repeat", "3", "--repeat", "5"}).repeats, 5);
  EXPECT_THAT(parse({"--n", "8", "--n", "2^4"}).sizes, ElementsAre(16));
}

TEST(BenchOptions, HelpNamesEveryOption) {
  EXPECT_EQ(parse({}).help, "");
  std::string help = parse({"--quick", "--help"}).help;
  for (const char* option : {"--suite", "--n", "--keep", "--type", "--masks", "--repeat", "--flush",
                             "--quick", "--json"})
    EXPECT_THAT(help, HasSubstr(std::string("  ") + option)) << option;
}

}  // namespace
