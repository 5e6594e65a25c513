// SPDX-License-Identifier: MIT
// scripts/site, which builds the site of the project and checks its links: on small folders, with
// programs that stand in for those whose pages it shows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/folder_test.h"

namespace winnow::site_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The folder of a test, and calls of the script there.
class SiteScript : public FolderTest {
 protected:
  /// The exit status of the script; `output_` is what it printed.
  int site(const std::string& arguments) {
    const fs::path output = folder_ / "output.txt";
    const std::string command = "cd '" + folder_.string() + "' && '" + WINNOW_SOURCE_DIR +
                                "/scripts/site' " + arguments + " >'" + output.string() + "' 2>&1";
    const int status = std::system(command.c_str());
    output_ = text_of("output.txt");
    fs::remove(output);
    return WEXITSTATUS(status);
  }

  static bool has(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null").c_str()) == 0;
  }

  std::string text_of(const std::string& name) const {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  void put(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }
  void put_program(const std::string& name, const std::string& body) const {
    put(name, "#!/bin/sh\n" + body + "\n");
    fs::permissions(folder_ / name, fs::perms::owner_all);
  }
  void put_page(const std::string& name, const std::string& body) const {
    put("pages/" + name, "<!DOCTYPE html>\n<title>A page</title>\n" + body);
  }

  std::string output_;
};

/// Pages that are checked.
class SiteCheck : public SiteScript {
 protected:
  int check() { return site("--check pages"); }
};

TEST_F(SiteCheck, PassesWhereEveryLinkLeadsSomewhere) {
  put_page("index.html",
           "<a href=\"room/\">a folder</a> <a href=\"room/b.html#there\">an anchor</a> "
           "<a href=\"#here\">here</a> <p id=\"here\"> <img src=\"room/a%20b.png?v=1\"> "
           "<link rel=\"stylesheet\" href=\"style.css\"> <a href=\"https://example.org/none\">");
  put_page("room/index.html", "<a href=\"../index.html\">");
  put_page("room/b.html", "<h2 id=\"there\">There</h2>");
  put("pages/room/a b.png", "");
  put("pages/style.css",
      "body { background: url(room/a%20b.png), url(data:image/png;base64,AA); }");
  EXPECT_EQ(check(), 0) << output_;
  EXPECT_THAT(output_, HasSubstr("4 pages and styles, 7 links, 0 broken"));
}

TEST_F(SiteCheck, NamesEachBrokenLinkAnchorAndImage) {
  put_page("index.html",
           "<a href=\"none.html\"> <a href=\"b.html#none\"> <a href=\"#none\"> "
           "<img src=\"none.png\"> <a href=\"B.html\"> <a href=\"../pages/../outside.html\"> "
           "<a href=\"/b.html\"> <a href=\"empty/\"> <a href=\"b.html\"> "
           "<img srcset=\"small.png 1x, large.png 2x\"> <p style=\"background: url('back.png')\">");
  put_page("b.html", "");
  put("pages/empty/a.txt", "");
  put("pages/style.css", "@import \"other.css\";");
  put("outside.html", "");
  EXPECT_EQ(check(), 1);
  for (const char* line :
       {"index.html: <a> none.html: there is no such file",
        "index.html: <a> b.html#none: there is no such anchor",
        "index.html: <a> #none: there is no such anchor",
        "index.html: <img> none.png: there is no such file",
        "index.html: <a> B.html: there is no such file",
        "index.html: <a> ../pages/../outside.html: leads out of the site",
        "index.html: <a> /b.html: is not relative", "index.html: <a> empty/: there is no such file",
        "index.html: <img> small.png: there is no such file",
        "index.html: <img> large.png: there is no such file",
        "index.html: <style> back.png: there is no such file",
        "style.css: <style> other.css: there is no such file", "12 broken"})
    EXPECT_THAT(output_, HasSubstr(line));
}

TEST_F(SiteCheck, NamesAPageThatNoLinkLeadsTo) {
  put_page("index.html", "<a href=\"b.html\">");
  put_page("b.html", "");
  put_page("c.html", "<a href=\"d.html\">");
  put_page("d.html", "<a href=\"c.html\">");
  EXPECT_EQ(check(), 1);
  EXPECT_THAT(output_, AllOf(HasSubstr("c.html: no link leads here"),
                             HasSubstr("d.html: no link leads here"), HasSubstr("2 broken")));
}

TEST_F(SiteCheck, NamesWhatWouldBeLoadedFromTheNetwork) {
  put_page("index.html",
           "<script src=\"https://example.org/a.js\"></script> <img src=\"//example.org/a.png\"> "
           "<link rel=\"stylesheet\" href=\"http://example.org/a.css\"> "
           "<style>p { background: url(https://example.org/b.png) }</style>");
  EXPECT_EQ(check(), 1);
  EXPECT_THAT(output_, AllOf(HasSubstr("<script> https://example.org/a.js: would be loaded"),
                             HasSubstr("<style> https://example.org/b.png: would be loaded"),
                             HasSubstr("4 broken")));
}

TEST_F(SiteCheck, NamesAnAnchorThatAPageHasTwice) {
  put_page("index.html", "<p id=\"a\"> <p id=\"a\">");
  EXPECT_EQ(check(), 1);
  EXPECT_THAT(output_, HasSubstr("index.html: two anchors #a"));
}

TEST_F(SiteCheck, TakesNoTextOfAScriptForALink) {
  put_page("index.html", "<script>x = '<a href=\"none.html\">' + 'url(none.png)';</script>");
  EXPECT_EQ(check(), 0) << output_;
}

TEST_F(SiteCheck, RefusesWhatIsNotThereInOneLine) {
  EXPECT_EQ(site("--check none"), 2);
  EXPECT_THAT(output_, HasSubstr("none: does not exist"));
  EXPECT_EQ(site("--report none.json"), 2);
  EXPECT_THAT(output_, HasSubstr("none.json: does not exist"));
}

/// A small project whose site is built.
class SitePages : public SiteScript {
 protected:
  void SetUp() override {
    for (const char* program : {"sphinx-build", "dot", "doxygen"})
      if (!has(program)) GTEST_SKIP() << program << " is not installed";
    put("project/README.md",
        "# A project\n\n[Use it](src/README.md#use-it-now) as [the source](src/a.h) and [the "
        "rules](.github/RULES.md) say.\n\n![A picture](a.png)\n\nRead `src/a.h`.\n");
    put("project/src/README.md",
        "# Sources\n\n## Use it, now!\n\n[All](rooms) of it.\n\n```mermaid\nflowchart LR\n  "
        "a[first<br>step] -->|\"then\"| b\n  b --> a\n```\n");
    put("project/src/a.h", "// A comment.\nint a = 1 < 2;\n");
    put("project/src/rooms/b.h", "int b;\n");
    put("project/.github/RULES.md", "# Rules\n\n## One\n\n## One\n\n[Second](#one-1)\n");
    put("project/a.png", "a picture");
    put("project/compaction/README.md", "# A library\n\n## The ladder\n\n## Measured\n");
    put("project/compaction/sum.h",
        "// A licence\n#pragma once\n\n// Sums of items. The order is fixed.\n\n/// Returns a "
        "sum.\n///\n/// @param a  a "
        "number\n/// Costs little.\nint sum(int a);\n");
    put("project/compaction/learn/labs/README.md", "# Labs\n");
    for (const char* picture : {"scan-blelloch", "broken-race", "scan-look-back"})
      put("project/compaction/learn/see/pictures/" + std::string(picture) + ".png", "a picture");
  }
  int build(const std::string& arguments) {
    return site("--root project --programs programs -o site " + arguments);
  }
  std::string page(const std::string& name) const { return text_of("site/" + name); }
};

// One build of the small project shows what pages hold: each takes seconds.
TEST_F(SitePages, ReplaceAnOlderSiteLinkReadmesDrawFlowchartsAndShowDocstrings) {
  put("site/.buildinfo", "");  // as an older site has it
  put("site/old.html", "");
  ASSERT_EQ(build("--quick"), 0) << output_;
  EXPECT_FALSE(fs::exists(folder_ / "site/old.html"));
  EXPECT_TRUE(fs::exists(folder_ / "site/.buildinfo"));
  EXPECT_THAT(page("README.html"),
              AllOf(HasSubstr("href=\"src/README.html#use-it-now\""),
                    HasSubstr("href=\"github/RULES.html\""), HasSubstr("src=\"_images/a.png\""),
                    HasSubstr("href=\"src/a.h.html\"")));
  EXPECT_THAT(page("src/README.html"),
              AllOf(HasSubstr("id=\"use-it-now\""), HasSubstr("href=\"rooms/index.html\"")));
  EXPECT_THAT(page("src/a.h.html"), HasSubstr("// A comment."));
  EXPECT_THAT(page("src/rooms/index.html"), HasSubstr("href=\"b.h.html\""));
  EXPECT_EQ(page("_images/a.png"), "a picture");
  EXPECT_THAT(page("index.html"), HasSubstr("href=\"README.html\""));

  const std::string text = page("src/README.html");
  EXPECT_THAT(text, Not(HasSubstr("flowchart")));
  const size_t start = text.find("_images/graphviz-");
  ASSERT_NE(start, text.npos);
  const std::string picture = page(text.substr(start, text.find('"', start) - start));
  EXPECT_THAT(picture, AllOf(HasSubstr(">first</text>"), HasSubstr("then")));

  EXPECT_THAT(page("doxygen/files.html"), HasSubstr("Sums of items"));
  EXPECT_THAT(page("doxygen/sum_8h.html"),
              AllOf(HasSubstr("The order is fixed."), HasSubstr("Returns a sum."),
                    testing::ContainsRegex("</dl>\n<p ?>Costs little.")));
  put("project/compaction/sum.h", "/// @param b  not there\nint sum(int a);\n");
  EXPECT_EQ(build("--dry-run"), 1);
  EXPECT_THAT(output_, HasSubstr("argument 'b'"));
}

TEST_F(SitePages, AreNotWholeWithABrokenLinkInAReadme) {
  put("project/src/README.md", "# Use it, now!\n\n[a](none.h) ![c](none.png) [d](../..)\n");
  EXPECT_EQ(build("--dry-run"), 1);
  for (const char* target : {"none.h", "none.png", "../.."})
    EXPECT_THAT(output_, HasSubstr("src/README.md: " + std::string(target) + ": does not exist"));
  put("project/src/README.md", "# Use it, now!\n\n[b](../README.md#none)\n");
  EXPECT_EQ(build("--dry-run"), 1);
  EXPECT_THAT(output_, HasSubstr("README.md#none"));
  EXPECT_FALSE(fs::exists(folder_ / "site"));
}

TEST_F(SitePages, ReplaceNothingButAnOlderSite) {
  put("mine/index.html", "");
  EXPECT_EQ(site("--root project --quick -o mine"), 1);
  EXPECT_THAT(output_, HasSubstr("mine: is neither empty nor a site"));
  EXPECT_TRUE(fs::exists(folder_ / "mine/index.html"));
}

/// Stand-ins for the programs, and what their pages need.
class SiteSections : public SitePages {
 protected:
  void SetUp() override {
    SitePages::SetUp();
    for (const char* file : {"renders/open-culling.png", "compaction/plots/throughput.svg"})
      put("project/" + std::string(file), "a picture");
    for (const char* room : {"src/wavefront/cull", "src/bvh", "compaction/learn/gallery"})
      put("project/" + std::string(room) + "/README.md", "# A document\n");
    put("project/compaction/learn/gallery/no_barrier.h", "int x;\n");
    put_program("project/compaction/learn/gallery/pages",
                "for page in no_barrier no_barrier-corrected; do echo '<body>' >\"$1/$page.html\"; "
                "done");
    put_program(
        "programs/compaction/learn/see/compaction-see",
        "[ $1 = --list ] && { echo 'scan/first  n = 8'; echo 'broken:race  n = 4'; exit; }\n"
        "echo \"<body><p id=\\\"about\\\">Adds &amp; scans.</p>\" >\"$3\"\n"
        "[ $1 = scan/first ]  # what is broken fails, and has a page");
    put_program("programs/winnow", "echo \"<body>$2\" >\"$4\"");
  }
};

TEST_F(SiteSections, ShowThePagesOfThePrograms) {
  ASSERT_EQ(build(""), 0) << output_;
  EXPECT_THAT(page("ladder/index.html"),
              AllOf(HasSubstr("<a href=\"scan-first.html\">scan-first</a>: Adds &amp; scans."),
                    HasSubstr("broken-race.html")));
  EXPECT_THAT(page("ladder/scan-first.html"), HasSubstr("href=\"index.html\""));
  EXPECT_THAT(page("gallery/index.html"),
              AllOf(HasSubstr("<a href=\"no_barrier.html\">no barrier</a>"),
                    HasSubstr("<a href=\"no_barrier-corrected.html\">no barrier-corrected</a>")));
  EXPECT_THAT(page("paths/open.html"), HasSubstr("scenes/open.json"));
  EXPECT_THAT(page("reports/index.html"), HasSubstr("Does culling pay?"));
}

TEST_F(SiteSections, EndWithTheWordsOfAProgramThatFails) {
  put_program("project/compaction/learn/gallery/pages", "echo no such kernel >&2; exit 1");
  EXPECT_EQ(build(""), 1);
  EXPECT_THAT(output_, AllOf(HasSubstr("no such kernel"), HasSubstr("scripts/site: failed: ")));
}

/// The project itself. The nightly workflow builds its pages.
class SiteOfTheProject : public SitePages {};

TEST_F(SiteOfTheProject, HasNoBrokenLinkAndNoFaultyDocstring) {
  EXPECT_EQ(site("--dry-run"), 0) << output_;
}

}  // namespace
}  // namespace winnow::site_test
