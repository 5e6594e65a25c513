// SPDX-License-Identifier: MIT
#include "load/text/repeated_warnings.h"

#include <gmock/gmock.h>

#include <chrono>

#include "base/text_position.h"

namespace winnow {
namespace {

TEST(RepeatedWarnings, CountTheSameTextInTheOrderOfTheFirst) {
  RepeatedWarnings warnings;
  warnings.add("b", [] { return "1"; });
  warnings.add("a", [] { return "2"; });
  warnings.add("b", []() -> std::string { throw std::logic_error("a place that nobody needs"); });
  EXPECT_THAT(warnings.lines(), testing::ElementsAre("1: b (2 times)", "2: a"));
}

/// A file that names 100,000 missing files has as many warnings.
TEST(RepeatedWarnings, TakeHundredThousandTextsInASecond) {
  const std::string text(10'000'000, '\n');
  const TextLines lines(text);
  RepeatedWarnings warnings;
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < 100'000; ++i)
    warnings.add(std::to_string(i), [&] { return std::to_string(lines.at(100 * i).line); });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  EXPECT_EQ(warnings.lines().back(), "9999901: 99999");
}

TEST(TextLines, FindThePlacesThatASearchFinds) {
  for (const std::string text : {"", "\n", "a\n\nbc\nd", "abc", "abc\n"})
    for (size_t offset = 0; offset <= text.size() + 2; ++offset) {
      const TextPosition expected = text_position(text, offset), found = TextLines(text).at(offset);
      EXPECT_EQ(found.line, expected.line) << text << offset;
      EXPECT_EQ(found.column, expected.column) << text << offset;
    }
}

}  // namespace
}  // namespace winnow
