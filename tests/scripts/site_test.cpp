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
  EXPECT_THAT(output_, HasSubstr("3 pages, 7 links within the site, 0 broken"));
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
  EXPECT_THAT(output_, HasSubstr("none: is not there"));
  EXPECT_EQ(site("--only ladder,none"), 2);
  EXPECT_THAT(output_, HasSubstr("--only: none is no section"));
}

/// A small project whose site is built.
class SitePages : public SiteScript {
 protected:
  void SetUp() override {
    for (const char* program : {"cmark-gfm", "dot"})
      if (!has(program)) GTEST_SKIP() << program << " is not installed";
    put("project/README.md",
        "# A project\n\n[Use it](src/README.md#use-it-now) as [the source](src/a.h) and [the "
        "rules](.github/RULES.md) say.\n\n![A picture](a.png)\n\nRead `src/a.h`.\n");
    put("project/src/README.md", "# Sources\n\n## Use it, now!\n\n[All](rooms) of it.\n");
    put("project/src/a.h", "// A comment.\nint a = 1 < 2;\n");
    put("project/src/rooms/b.h", "int b;\n");
    put("project/.github/RULES.md", "# Rules\n\n## One\n\n## One\n\n[Second](#one-1)\n");
    put("project/a.png", "a picture");
  }
  int build(const std::string& arguments) {
    return site("--root project --programs programs -o site " + arguments);
  }
  std::string page(const std::string& name) const { return text_of("site/" + name); }
};

TEST_F(SitePages, OfReadmesLinkToSourcesFoldersAndImages) {
  ASSERT_EQ(build("--only documents"), 0) << output_;
  EXPECT_THAT(page("documents/README.html"),
              AllOf(HasSubstr("<a href=\"src/README.html#use-it-now\">Use it</a>"),
                    HasSubstr("<a href=\"github/RULES.html\">the rules</a>"),
                    HasSubstr("<img src=\"a.png\" alt=\"A picture\" />"),
                    HasSubstr("<a href=\"src/a.h.html\"><code>src/<wbr>a.h</code></a>")));
  EXPECT_THAT(page("documents/src/README.html"),
              AllOf(HasSubstr("<h2 id=\"use-it-now\">Use it, now!</h2>"),
                    HasSubstr("<a href=\"rooms/index.html\">All</a>")));
  EXPECT_THAT(page("documents/src/a.h.html"),
              AllOf(HasSubstr("<span id=\"L1\"><i class=\"c\">// A comment.</i></span>"),
                    HasSubstr("<span id=\"L2\"><i class=\"k\">int</i> a = 1 &lt; 2;</span>")));
  EXPECT_THAT(page("documents/src/rooms/index.html"), HasSubstr("<a href=\"b.h.html\">b.h</a>"));
  EXPECT_EQ(page("documents/a.png"), "a picture");
  EXPECT_THAT(page("index.html"), HasSubstr("<a href=\"documents/README.html\">Documents</a>"));
}

TEST_F(SitePages, AreNotWholeWithABrokenLinkInAReadme) {
  put("project/src/README.md", "[a](none.h) [b](../README.md#none) ![c](none.png) [d](../..)\n");
  EXPECT_EQ(build("--only documents"), 1);
  for (const char* part :
       {"documents/src/README.html: <a> none.h.html: there is no such file",
        "documents/src/README.html: <a> ../README.html#none: there is no such anchor",
        "documents/src/README.html: <img> none.png: there is no such file",
        "documents/src/README.html: <a> ../../out-of-the-project: there is no such file"})
    EXPECT_THAT(output_, HasSubstr(part));
}

TEST_F(SitePages, OfFlowchartsAreDrawn) {
  put("project/src/README.md",
      "## Use it now\n\n```mermaid\nflowchart LR\n  a[first<br>step] -->|\"then\"| b\n  b --> a\n"
      "```\n");
  ASSERT_EQ(build("--only documents"), 0) << output_;
  EXPECT_THAT(page("documents/src/README.html"),
              AllOf(HasSubstr("<svg"), HasSubstr(">first</text>"), HasSubstr(" then "),
                    Not(HasSubstr("flowchart")), Not(HasSubstr("\"black\""))));
}

TEST_F(SitePages, ReplaceAnOlderSiteAndNothingElse) {
  ASSERT_EQ(build("--only documents"), 0) << output_;
  put("site/old.html", "");
  ASSERT_EQ(build("--only documents"), 0) << output_;
  EXPECT_FALSE(fs::exists(folder_ / "site/old.html"));

  put("mine/index.html", "");
  EXPECT_EQ(site("--root project --only documents -o mine"), 1);
  EXPECT_THAT(output_, HasSubstr("mine: is not empty, and no site"));
  EXPECT_TRUE(fs::exists(folder_ / "mine/index.html"));
}

/// Stand-ins for the programs, and what their sections need.
class SiteSections : public SitePages {
 protected:
  void SetUp() override {
    SitePages::SetUp();
    put("project/compaction/README.md",
        "# A library\n\n## The ladder\n\n| rung |\n|---|\n| first |\n\n## The judge\n\n## "
        "Measured\n");
    fs::remove(folder_ / "project/.github/RULES.md");
    put("project/README.md",
        "[The library](compaction), [labs](compaction/learn/labs), "
        "[culling](src/wavefront/cull)\n");
    put("project/compaction/learn/labs/README.md",
        "# Labs\n\n| | start |\n|---|---|\n| 1 | [a tree](tree.h) |\n");
    put("project/compaction/learn/labs/tree.h",
        "#include <a>\n\n// Exercise 1: a tree of\n// sums.\n//\n// Hint: add.\n//\n// Judge: "
        "compaction-judge tree.h\n\nint tree;\n");
    put("project/compaction/learn/gallery/no_barrier.h",
        "#include <a>\n\n// A `__syncthreads()` is missing. Corrected: src/a.h.\n\nint x;\n");
    put("project/scenes/open.json", "{}");
    put("project/scenes/closed.json", "{}");
    put("project/src/wavefront/cull/README.md", "# Culling\n");
    put_program("project/compaction/learn/gallery/pages",
                "for page in no_barrier no_barrier-corrected; do echo '<body>' \"$2\" "
                ">\"$1/$page.html\"; done");
    put_program(
        "programs/compaction/learn/see/compaction-see",
        "[ $1 = --list ] && { echo 'scan/first  n = 8'; echo 'broken:race  n = 4'; exit; }\n"
        "echo \"<body><header><h1>$1 <small>n = 8, forward</small></h1>"
        "<p id=\\\"about\\\">Adds &amp; scans.</p>\" >\"$3\"\n"
        "[ $1 = scan/first ]  # what is broken fails, and has a page");
    put_program("programs/compaction/learn/judge/compaction-judge", "");
    put_winnow("echo '  see    writes a page'");
  }
  void put_winnow(const std::string& help) const {
    put_program("programs/winnow",
                "if [ $1 = --help ]; then " + help + "; else echo \"<body>$2\" >\"$4\"; fi");
  }
};

TEST_F(SiteSections, ShowThePagesOfThePrograms) {
  ASSERT_EQ(build("--only ladder,gallery,labs,paths,reports"), 0) << output_;
  EXPECT_THAT(page("ladder/index.html"),
              AllOf(HasSubstr("1 algorithm, "), HasSubstr("<a href=\"scan-first.html\">"),
                    HasSubstr("Adds &amp; scans. <span class=\"size\">n = 8</span>"),
                    HasSubstr("broken-race.html"), HasSubstr("What each rung adds")));
  EXPECT_THAT(page("ladder/scan-first.html"), AllOf(HasSubstr("href=\"index.html\">The ladder</a>"),
                                                    HasSubstr("href=\"broken-race.html\">")));
  EXPECT_THAT(
      page("gallery/index.html"),
      AllOf(HasSubstr("No barrier"), HasSubstr("<p>A <code>__syncthreads()</code> is missing."),
            HasSubstr("a.h.html\"><code>src/<wbr>a.h</code></a>."),
            HasSubstr("<a href=\"no_barrier-corrected.html\">corrected</a>"),
            HasSubstr("no_barrier.h.html\">source</a>")));
  EXPECT_THAT(page("gallery/no_barrier.html"), HasSubstr("judge/compaction-judge"));
  EXPECT_THAT(page("labs/index.html"),
              AllOf(HasSubstr("1. A tree"), HasSubstr("<p>A tree of sums.</p>"),
                    HasSubstr("<summary>Hint</summary><p>Add.</p>"),
                    HasSubstr("tree.h.html\">Start from tree.h</a>")));
  EXPECT_THAT(page("paths/open.html"), HasSubstr("scenes/open.json"));
  EXPECT_THAT(page("reports/index.html"), HasSubstr("Does culling pay?"));
}

TEST_F(SiteSections, AreLeftOutWithANoteWhereTheProjectHasNone) {
  put_winnow("echo '  render'");
  fs::remove(folder_ / "project/compaction/learn/gallery/pages");
  ASSERT_EQ(build("--only gallery,paths"), 0) << output_;
  EXPECT_THAT(output_, AllOf(HasSubstr("without the gallery: "), HasSubstr("without the paths")));
  EXPECT_THAT(page("index.html"), AllOf(Not(HasSubstr("Gallery")), Not(HasSubstr("Paths"))));
}

TEST_F(SiteSections, EndWithTheWordsOfAProgramThatFails) {
  put_program("project/compaction/learn/gallery/pages", "echo no such kernel >&2; exit 1");
  EXPECT_EQ(build("--only gallery"), 1);
  EXPECT_THAT(output_, AllOf(HasSubstr("no such kernel"), HasSubstr("scripts/site: failed: ")));
  fs::remove(folder_ / "programs/compaction/learn/see/compaction-see");
  EXPECT_EQ(build("--only ladder"), 1);
  EXPECT_THAT(output_, HasSubstr("compaction-see: there is no such program"));
}

/// The project itself.
class SiteOfTheProject : public SitePages {};

TEST_F(SiteOfTheProject, HasNoBrokenLinkInAReadme) {
  EXPECT_EQ(site("-o site --only documents"), 0) << output_;
}

TEST_F(SiteOfTheProject, HasAPageForEachHeaderAndNoFaultyDocstring) {
  if (!has("doxygen")) GTEST_SKIP() << "doxygen is not installed";
  ASSERT_EQ(site("-o site --only api"), 0) << output_;
  EXPECT_THAT(page("api/index.html"), AllOf(HasSubstr("select.cuh"), HasSubstr("select_if")));
  EXPECT_THAT(
      page("api/select.cuh.html"),
      AllOf(
          HasSubstr("cudaError_t select_if(const T* in, T* out, Count count, "),
          HasSubstr("Stable select of the items that a predicate selects."),
          HasSubstr("<dt>predicate</dt><dd><p>called exactly once for each item"),
          HasSubstr("</dl>\n<p><a href=\"cuda/workspace.cuh.html#Workspace\">Workspace</a> of ")));
  EXPECT_THAT(page("api/simt/simt.h.html"), HasSubstr("// bit i = lane i's vote"));
}

}  // namespace
}  // namespace winnow::site_test
