// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cstdlib>

#include "app/cli/completion.h"
#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using testing::HasSubstr;
using ManualPage = WinnowTest;

TEST_F(ManualPage, DescribesTheOptionsOfEveryCommand) {
  const std::string page = succeed({"man"}).out;
  EXPECT_EQ(page.rfind(".TH WINNOW 1 ", 0), 0u);
  EXPECT_THAT(page, HasSubstr("\n.SS winnow render SCENE [OPTION...]\n"));
  EXPECT_THAT(page, HasSubstr("\n\\fB\\-\\-spp\\fR \\fIN\\fR\n"));
  EXPECT_THAT(page, HasSubstr("[hash or sobol; default: sobol]"));
  EXPECT_THAT(page, HasSubstr("\n.SS winnow completion SHELL\n"));
  EXPECT_THAT(page, HasSubstr("\n.SH EXIT STATUS\n"));
  EXPECT_THAT(page, HasSubstr("\n.B 130\n"));
}

/// A line of text that begins with a dot or a quote would be a request of roff.
TEST_F(ManualPage, EscapesWhatRoffReads) {
  const std::string page = manual_page(
      {{.name = "go", .summary = ".film \\ 'x' a-b", .options = {}, .notes = "'q'", .run = {}}},
      "1");
  EXPECT_THAT(page, HasSubstr("\n\\&.film \\e 'x' a\\-b\n"));
  EXPECT_THAT(page, HasSubstr("\n.PP\n\\&'q'\n"));
}

TEST_F(ManualPage, HasNoWarningsOfGroff) {
  put("winnow.1", succeed({"man"}).out);
  const std::string command = "command -v groff >/dev/null || exit 0; groff -man -Tutf8 -ww -z '" +
                              file("winnow.1").string() + "' 2>'" + file("warnings").string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_text(file("warnings")), "");
}

}  // namespace
}  // namespace winnow
