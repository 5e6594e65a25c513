// SPDX-License-Identifier: MIT
// The wheel: what scripts/wheel and its parts promise, without building one.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <regex>
#include <string>

#include "base/files.h"
#include "tests/support/folder_test.h"

namespace winnow::wheel_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::StartsWith;

const fs::path kRoot = WINNOW_SOURCE_DIR;

/// The first group of the first match in a file of the project; empty if there is none.
std::string found(const std::string& file, const std::string& pattern) {
  const std::string text = read_file(kRoot / file);
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

class Wheel : public FolderTest {
 protected:
  /// The exit status of a command in the folder of the test; `output_` is what it printed.
  int run(const std::string& command) {
    const fs::path output = folder_ / "output.txt";
    const int status = std::system(
        ("cd '" + folder_.string() + "' && " + command + " >'" + output.string() + "' 2>&1")
            .c_str());
    output_ = read_file(output);
    return WEXITSTATUS(status);
  }

  std::string output_;
};

TEST_F(Wheel, HasTheVersionOfTheProgramOutsideAClone) {
  const std::string version = found("CMakeLists.txt", R"(set\(version ([\d.]+)\))");
  EXPECT_NE(version, "");
  EXPECT_EQ(found("src/python/pyproject.toml", R"re(fallback_version = "([^"]+)")re"), version);
}

TEST_F(Wheel, IsTaggedForTheStableAbiForWhichTheModuleIsCompiled) {
  const std::string abi = found("src/python/CMakeLists.txt", R"(STABLE_ABI_VERSION 3\.(\d+))");
  EXPECT_NE(abi, "");
  const std::string project = "src/python/pyproject.toml";
  EXPECT_EQ(found(project, R"re(wheel\.py-api = "cp3(\d+)")re"), abi);
  EXPECT_EQ(found(project, R"re(requires-python = ">=3\.(\d+)")re"), abi);
  EXPECT_EQ(found("scripts/support/wheel_check.py", R"re(TAG = f"cp3(\d+)-abi3-)re"), abi);
}

TEST_F(Wheel, TheCommandStartsTheProgramBesideTheModule) {
  EXPECT_EQ(found("src/python/pyproject.toml", R"re(winnow = "(winnow\.program:main)")re"),
            "winnow.program:main");
  const fs::path package = folder_ / "winnow";
  fs::create_directories(package / "bin");
  fs::copy(kRoot / "src/python/winnow/program.py", package);
  std::ofstream(package / "__init__.py") << "";
  const std::string start = "python3 -c 'import winnow.program; winnow.program.main()' ";
  EXPECT_EQ(run(start), 1);
  EXPECT_THAT(output_, AllOf(StartsWith("winnow: "), EndsWith("built without the program\n")));

  std::ofstream(package / "bin/winnow") << "#!/bin/sh\necho \"$0 $2\"\nexit 3\n";  // not executable
  EXPECT_EQ(run(start + "render 'a scene.json'"), 3);
  EXPECT_THAT(output_, EndsWith("/winnow/bin/winnow a scene.json\n"));
}

TEST_F(Wheel, AMissingFileToCheckIsNamedInOneLine) {
  EXPECT_EQ(run("'" + (kRoot / "scripts/wheel").string() + "' --check missing.whl"), 1);
  EXPECT_EQ(output_, "scripts/wheel: missing.whl: there is no such file\n");
}

}  // namespace
}  // namespace winnow::wheel_test
