// SPDX-License-Identifier: MIT
#include "app/cli/completion.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using testing::HasSubstr;

/// The scripts of the real program, in the shells.
class Completion : public WinnowTest {
 protected:
  std::string script(const std::string& shell) const { return succeed({"completion", shell}).out; }

  /// Returns what bash completes for the last of `words`, separated by spaces.
  std::string completed(const std::string& words) const {
    put("complete.sh", script("bash") + "COMP_WORDS=(" + words +
                           ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_winnow\n"
                           "echo \"${COMPREPLY[*]}\" >replies.txt\n");
    EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && bash complete.sh").c_str()), 0);
    std::string replies = read_text(file("replies.txt"));
    replies.pop_back();
    return replies;
  }
};

TEST_F(Completion, OfBashKnowsCommandsOptionsAndValues) {
  EXPECT_EQ(completed("winnow ren"), "render");
  EXPECT_EQ(completed("winnow bench"), "bench bench-rays");
  EXPECT_EQ(completed("winnow render --spp"), "--spp");
  EXPECT_EQ(completed("winnow render a.glb --sam"), "--sampler");
  EXPECT_EQ(completed("winnow render a.glb --sampler ''"), "hash sobol");
  EXPECT_EQ(completed("winnow render --sampler = so"), "sobol");
  EXPECT_EQ(completed("winnow render --sampler ="), "hash sobol");
  EXPECT_EQ(completed("winnow completion ''"), "bash zsh fish");
  EXPECT_EQ(completed("winnow info a.gl"), "") << "bash completes the file";
  EXPECT_EQ(completed("winnow render -o pict"), "");
  EXPECT_EQ(completed("winnow diff --flip"), "--flip");
}

TEST_F(Completion, OfBashHasEveryOptionOfEveryCommand) {
  const std::string options = completed("winnow render --");
  for (const char* option : {"--camera", "--look-at", "--denoise", "--resume", "--help"})
    EXPECT_THAT(options + " ", HasSubstr(std::string(option) + " "));
}

TEST_F(Completion, OfEachShellQuotesItsTexts) {
  const std::vector<Command> commands = {
      {.name = "go",
       .summary = "Say what's new: [all]. More.",
       .options = {{.name = "-o,--out",
                    .placeholder = "A:B",
                    .help = "File's name: [a\\b]. More.",
                    .form = {.is_repeatable = true, .is_path = true},
                    .read = {}},
                   {.name = "--fast", .placeholder = "", .help = "Be fast.", .read = {}}},
       .notes = "",
       .run = {}}};
  const std::string zsh = completion_script(Shell::kZsh, commands);
  EXPECT_THAT(zsh, HasSubstr("'go:Say what'\\''s new\\: [all]'"));
  EXPECT_THAT(zsh, HasSubstr("'*-o+[File'\\''s name\\: \\[a\\\\b\\]]:A\\:B:_files'"));
  EXPECT_THAT(zsh, HasSubstr("'*--out=[File"));
  EXPECT_THAT(zsh, HasSubstr("'--fast[Be fast]'"));
  const std::string fish = completion_script(Shell::kFish, commands);
  EXPECT_THAT(fish, HasSubstr("-a go -d 'Say what\\'s new: [all]'\n"));
  EXPECT_THAT(fish, HasSubstr("-s o -l out -r -F -d 'File\\'s name: [a\\\\b]'\n"));
  EXPECT_THAT(fish, HasSubstr(" -l fast -d 'Be fast'\n"));
}

TEST_F(Completion, IsValidWhereTheShellIsInstalled) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    put("script", script(shell));
    const std::string check = "command -v " + shell + " >/dev/null || exit 0; " + shell + " -n '" +
                              file("script").string() + "'";
    EXPECT_EQ(std::system(("sh -c \"" + check + "\"").c_str()), 0) << shell;
  }
}

TEST_F(Completion, RefusesAnotherShell) {
  expect_failure(2, {"completion"}, "SHELL is required");
  expect_failure(2, {"completion", "bsh"}, "did you mean bash?");
}

}  // namespace
}  // namespace winnow
