// SPDX-License-Identifier: MIT
// The fuzz targets on their seeds, on former findings and on some broken seeds, in every build.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/target.h"
#include "tests/support/scene_files.h"
#include "tests/support/test_names.h"

namespace winnow {
namespace {

class Fuzz : public testing::TestWithParam<FuzzTarget> {};

TEST_P(Fuzz, ReadsItsSeeds) {
  ASSERT_FALSE(GetParam().seeds().empty());
  for (const std::string& seed : GetParam().seeds())
    EXPECT_TRUE(GetParam().run(seed)) << testing::PrintToString(seed.substr(0, 200));
}

TEST_P(Fuzz, ReadsWhatWasFound) {
  const std::filesystem::path folder =
      std::filesystem::path(WINNOW_SOURCE_DIR) / "tests/fuzz/findings" / GetParam().name;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "nothing was found here";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename());
    std::ifstream stream(entry.path(), std::ios::binary);
    GetParam().run(std::string(std::istreambuf_iterator<char>(stream), {}));
  }
}

/// Bytes replaced, and the end cut off.
TEST_P(Fuzz, SurvivesBrokenSeeds) {
  constexpr int kTrials = 20;
  ByteNoise noise;
  GetParam().run("");
  for (std::string seed : GetParam().seeds())
    for (int trial = 0; trial < kTrials && !seed.empty(); ++trial) {
      seed[noise() % seed.size()] = char(noise());
      GetParam().run(seed);
      GetParam().run(std::string_view(seed).substr(0, noise() % seed.size()));
    }
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(fuzz_targets()),
                         [](const auto& info) { return test_name(info.param.name); });

TEST(FuzzTargets, ReportWhatIsNoErrorOfOneLine) {
  EXPECT_FALSE(reads([] { throw Error("a reason"); }));
  EXPECT_THROW(reads([] { throw Error("two\nlines"); }), FuzzFinding);
  EXPECT_THROW(reads([] { throw std::out_of_range("vector::at"); }), std::out_of_range);
}

}  // namespace
}  // namespace winnow
