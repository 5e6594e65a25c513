// SPDX-License-Identifier: MIT
// compaction/README.md and LOOPS.md show parts of programs that are built and run:
// compaction/examples/.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path kLibrary = fs::path(WINNOW_SOURCE_DIR) / "compaction";

Lines lines_of(std::istream&& text) {
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// A block of code in a Markdown text.
struct Snippet {
  std::string language;
  std::string file;  ///< file named in a comment "<!-- file -->" on the line before; else empty
  Lines lines;
};

std::vector<Snippet> snippets_of(const Lines& markdown) {
  static const std::string kFence = "```", kBegin = "<!-- ", kEnd = " -->";
  std::vector<Snippet> snippets;
  bool inside = false;
  for (size_t i = 0; i < markdown.size(); ++i) {
    const std::string& line = markdown[i];
    if (!line.starts_with(kFence)) {
      if (inside) snippets.back().lines.push_back(line);
      continue;
    }
    inside = !inside;
    if (!inside) continue;
    Snippet snippet{.language = line.substr(kFence.size()), .file = "", .lines = {}};
    if (i > 0 && markdown[i - 1].starts_with(kBegin) && markdown[i - 1].ends_with(kEnd))
      snippet.file = markdown[i - 1].substr(kBegin.size(),
                                            markdown[i - 1].size() - kBegin.size() - kEnd.size());
    snippets.push_back(snippet);
  }
  return snippets;
}

/// Whether `file` holds `lines` one after the other, all indented by as many spaces more.
bool holds(const Lines& file, const Lines& lines) {
  for (size_t first = 0; first + lines.size() <= file.size(); ++first) {
    const size_t at = file[first].find_first_not_of(' ');
    const std::string indent(at == std::string::npos ? 0 : at, ' ');
    auto is_same = [&](const std::string& shown, const std::string& real) {
      return shown.empty() ? real.empty() : real == indent + shown;
    };
    if (std::equal(lines.begin(), lines.end(), file.begin() + ptrdiff_t(first), is_same))
      return true;
  }
  return false;
}

TEST(CompactionReadme, ShowsItsExamplesAsTheyAre) {
  int checked = 0;
  std::vector<Snippet> snippets = snippets_of(lines_of(std::ifstream(kLibrary / "README.md")));
  const std::vector<Snippet> of_loops = snippets_of(lines_of(std::ifstream(kLibrary / "LOOPS.md")));
  snippets.insert(snippets.end(), of_loops.begin(), of_loops.end());
  for (const Snippet& snippet : snippets) {
    if (snippet.language != "cpp" && snippet.language != "cmake") continue;
    const std::string shown = testing::PrintToString(snippet.lines);
    ASSERT_NE(snippet.file, "") << "no <!-- examples/... --> before " << shown;
    EXPECT_TRUE(holds(lines_of(std::ifstream(kLibrary / snippet.file)), snippet.lines))
        << snippet.file << " does not hold " << shown;
    ++checked;
  }
  EXPECT_GE(checked, 8);
}

TEST(CompactionReadme, EveryExampleIsBuilt) {
  std::stringstream project;
  project << std::ifstream(kLibrary / "examples/CMakeLists.txt").rdbuf();
  for (const auto& entry : fs::directory_iterator(kLibrary / "examples"))
    if (entry.path().extension() == ".cu" || entry.path().extension() == ".cpp") {
      EXPECT_THAT(project.str(), testing::HasSubstr(entry.path().stem().string()));
    }
}

TEST(Snippets, AreFoundWithTheirFile) {
  const std::vector<Snippet> found = snippets_of(lines_of(
      std::istringstream("text\n<!-- a.cu -->\n```cpp\nint a;\n\nint b;\n```\n```sh\nls\n```\n")));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].language, "cpp");
  EXPECT_EQ(found[0].file, "a.cu");
  EXPECT_EQ(found[0].lines, (Lines{"int a;", "", "int b;"}));
  EXPECT_EQ(found[1].file, "");
}

TEST(Snippets, AreHeldWithTheSameText) {
  const Lines file = {"int main() {", "  int a;", "", "    int b;", "}"};
  EXPECT_TRUE(holds(file, {"int a;", "", "  int b;"}));
  EXPECT_TRUE(holds(file, {"int main() {", "  int a;"}));
  EXPECT_FALSE(holds(file, {"int a;", "int b;"}));
  EXPECT_FALSE(holds(file, {"int a;", "", "int b;"}));
  EXPECT_FALSE(holds(file, {"int c;"}));
}

}  // namespace
