// SPDX-License-Identifier: MIT
// Calls compaction-see as a program, because its kernels are compiled with hooks and the tests are
// not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/folder_test.h"
#include "tests/support/test_names.h"

namespace see_test {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Outcome {
  int status;
  std::string output;  // stdout, and stderr if the command redirects it there
};

Outcome run_command(const std::string& command) {
  Outcome outcome{-1, ""};
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return outcome;
  char buffer[4096];
  while (size_t size = std::fread(buffer, 1, sizeof(buffer), pipe))
    outcome.output.append(buffer, size);
  outcome.status = WEXITSTATUS(pclose(pipe));
  return outcome;
}

std::string read_all(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class See : public winnow::FolderTest {
 protected:
  void SetUp() override {
    if (std::string(WINNOW_SEE_BINARY).empty())
      GTEST_SKIP() << "compaction-see is not built with sanitizers";
  }

  Outcome see(const std::string& arguments) const {
    return run_command("cd '" + folder_.string() + "' && '" + WINNOW_SEE_BINARY + "' " + arguments +
                       " 2>&1");
  }
  /// Writes page.html and returns its text.
  std::string page(const std::string& arguments) const {
    Outcome outcome = see(arguments + " -o page.html");
    return read_all(folder_ / "page.html");
  }
  /// Opens the page of the last call in a browser. Returns its contents after its program has run,
  /// or "" without a browser.
  std::string opened(const std::string& fragment) const {
    return run_command(
               "chromium --headless=new --no-sandbox --disable-gpu --dump-dom "
               "--virtual-time-budget=5000 --user-data-dir='" +
               (folder_ / "profile").string() + "' 'file://" + (folder_ / "page.html").string() +
               fragment + "' 2>/dev/null")
        .output;
  }
  static bool has_browser() { return run_command("command -v chromium").status == 0; }
};

/// Returns the text of <pre id="final">.
std::string final_text(const std::string& document) {
  const std::string open = "<pre id=\"final\"";
  size_t first = document.find(open);
  if (first == std::string::npos) return "";
  first = document.find('>', first) + 1;
  return document.substr(first, document.find("</pre>", first) - first);
}

struct Rung {
  const char* name;
  uint32_t n;  // small, but several tiles

  friend void PrintTo(const Rung& self, std::ostream* out) { *out << self.name; }
};

constexpr Rung kRungs[] = {
    {"reduce/naive", 300},      {"reduce/tree", 600},       {"reduce/shuffle", 2100},
    {"scan/naive", 40},         {"scan/hillis-steele", 40}, {"scan/kogge-stone", 100},
    {"scan/brent-kung", 100},   {"scan/blelloch", 100},     {"scan/coarsened", 300},
    {"scan/multi-block", 100},  {"scan/chained", 4100},     {"scan/look-back", 6200},
    {"scan/single-pass", 6200}, {"select/scan", 300},       {"select/ballot", 2100},
    {"select/look-back", 8200}, {"select/append", 200},     {"select/single-pass", 8200}};

class SeeRung : public See, public testing::WithParamInterface<Rung> {};

std::string words_of(const Rung& rung) {
  return std::string(rung.name) + " --n " + std::to_string(rung.n);
}

TEST_P(SeeRung, PageEndsWithTheMemoryOfTheRun) {
  if (!has_browser()) GTEST_SKIP() << "chromium is not installed";
  ASSERT_EQ(see(words_of(GetParam()) + " -o page.html --result result.json").status, 0);
  const std::string shown = final_text(opened("#final"));
  ASSERT_NE(shown, "");
  EXPECT_EQ(json::parse(shown), json::parse(read_all(folder_ / "result.json")));
}

TEST_P(SeeRung, FailsInNoSchedule) {
  for (const char* schedule : {"forward --blocks 1", "reverse", "shuffled:1", "shuffled:2"}) {
    Outcome outcome = see(words_of(GetParam()) + " -o page.html --schedule " + schedule);
    EXPECT_EQ(outcome.status, 0) << schedule << ": " << outcome.output;
  }
}

INSTANTIATE_TEST_SUITE_P(Rungs, SeeRung, testing::ValuesIn(kRungs),
                         [](const auto& info) { return winnow::test_name(info.param.name); });

TEST_F(See, ListsWhatItShows) {
  std::istringstream lines(see("--list").output);
  std::vector<std::string> names, expected;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("broken:")) names.push_back(line.substr(0, line.find(' ')));
  for (const Rung& rung : kRungs) expected.push_back(rung.name);
  EXPECT_THAT(names, ElementsAreArray(expected));
}

TEST_F(See, APageOf4096ItemsHasAtMostThreeMegabytes) {
  constexpr size_t kMaxBytes = 3'000'000;
  for (const char* name : {"select/scan", "select/ballot", "select/look-back", "select/append",
                           "select/single-pass"}) {
    const size_t bytes = page(std::string(name) + " --n 4096").size();
    EXPECT_GT(bytes, 10'000u) << name;
    EXPECT_LE(bytes, kMaxBytes) << name;
  }
}

TEST_F(See, APageNeedsNothingElse) {
  const std::string text = page("scan/blelloch");
  for (const char* reference : {"src=", "<link", "@import", "fetch(", "XMLHttpRequest", "import("})
    EXPECT_THAT(text, Not(HasSubstr(reference)));
  EXPECT_THAT(text, HasSubstr("static T exclusive(simt::Block auto& block"));  // the source
  EXPECT_THAT(text, Not(HasSubstr(fs::path(WINNOW_SOURCE_DIR).string() + "/")));
}

TEST_F(See, NamesWhatIsWrongWithEachBrokenKernel) {
  const auto expect_failure = [&](const std::string& arguments, const std::string& message) {
    Outcome outcome = see(arguments);
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_THAT(outcome.output, HasSubstr("fails: " + message)) << arguments;
  };
  expect_failure("broken:race", "a race: two threads access shared[");
  EXPECT_THAT(see("broken:divergent-barrier").output, HasSubstr("must join have returned"));
  expect_failure("broken:poison", "a read of poison: shared[2]");
  expect_failure("broken:five-bits", "a wrong result: out[0] is 0 and should be 32");
  EXPECT_EQ(see("broken:deadlock").status, 0);  // blocks start in order of their index
  EXPECT_THAT(see("broken:deadlock --schedule reverse").output,
              HasSubstr("no thread makes progress"));
}

TEST_F(See, ShrinksToTheSmallestSizeThatFails) {
  EXPECT_THAT(see("broken:five-bits --shrink").output, StartsWith("broken:five-bits, n = 32, "));
  EXPECT_THAT(see("broken:deadlock --shrink").output,
              StartsWith("broken:deadlock, n = 257, schedule reverse"));  // there is a fifth block
  EXPECT_THAT(see("reduce/naive --shrink --n 40").output, HasSubstr("nothing fails"));
}

TEST_F(See, APageOfAFailureOpensAtItWithBothSides) {
  if (!has_browser()) GTEST_SKIP() << "chromium is not installed";
  page("broken:race --n 64");
  const std::string document = opened("");
  EXPECT_THAT(document, HasSubstr("It fails: a race"));
  EXPECT_THAT(document, HasSubstr("stores shared[1]"));
  EXPECT_THAT(document, HasSubstr("loads shared[1]"));
  const size_t clock = document.find("id=\"clock\"");
  const std::string text = document.substr(clock, document.find('<', clock) - clock);
  EXPECT_THAT(text, Not(HasSubstr("step 1 of"))) << text;
}

TEST_F(See, RefusesWrongCallsInOneLine) {
  for (const char* call :
       {"", "scan/none", "scan/naive --n -3", "scan/naive --n", "--keep 2 scan/naive",
        "scan/naive --schedule backwards", "scan/naive --schedule shuffled:18446744073709551616",
        "scan/naive --blocks 0", "scan/naive -o page.html --result ./page.html",
        "scan/naive select/scan", "scan/naive -o -", "--what"}) {
    Outcome outcome = see(call);
    EXPECT_EQ(outcome.status, 2) << call;
    EXPECT_THAT(outcome.output, StartsWith("compaction-see: ")) << call;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << call;
  }
  Outcome outcome = see("scan/naive -o no/such/folder.html");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("no/such/folder.html: cannot be written"));
}

TEST_F(See, SaysThatItsOutputCannotBeWritten) {
  for (const char* call : {"--list", "--help", "scan/naive"}) {
    const Outcome outcome = run_command("cd '" + folder_.string() + "' && '" + WINNOW_SEE_BINARY +
                                        "' " + call + " 2>&1 >/dev/full");
    EXPECT_EQ(outcome.status, 1) << call;
    EXPECT_EQ(outcome.output, "compaction-see: the output cannot be written\n") << call;
  }
}

TEST_F(See, WritesThePageOfNoItems) {
  for (const char* name : {"reduce/naive", "scan/naive", "scan/look-back", "select/single-pass"})
    EXPECT_EQ(see(std::string(name) + " --n 0").status, 0) << name;
}

}  // namespace see_test
