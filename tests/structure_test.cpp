// SPDX-License-Identifier: MIT
// The structure of the source tree: folders include only from floors below, as src/README.md lists
// them, and stay small enough to find one's way in.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Path of each source file from the root of the project, with the files that it includes.
using Includes = std::map<std::string, std::vector<std::string>>;

std::string read(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

bool is_source(const fs::path& file) {
  const std::string extension = file.extension();
  return extension == ".h" || extension == ".cpp" || extension == ".cu" || extension == ".cuh";
}

std::string folder_of(const std::string& file) {
  return fs::path(file).parent_path();
}

/// All sources below `folders` of `root`, from there.
std::set<std::string> sources(const fs::path& root, const std::vector<std::string>& folders) {
  std::set<std::string> files;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(root / folder))
      if (entry.is_regular_file() && is_source(entry.path()))
        files.insert(fs::relative(entry.path(), root));
  return files;
}

/// What each source below `folders` of `root` includes of these sources.
Includes read_includes(const fs::path& root, const std::vector<std::string>& folders) {
  constexpr std::string_view kInclude = "#include \"";
  Includes includes;
  for (const std::string& file : sources(root, folders)) includes[file];
  for (auto& [file, included] : includes) {
    const std::string text = read(root / file);
    for (size_t at = 0; (at = text.find(kInclude, at)) != text.npos;) {
      at += kInclude.size();
      const std::string name = text.substr(at, text.find('"', at) - at);
      for (const std::string& path : {name, "src/" + name})
        if (includes.contains(path)) included.push_back(path);
    }
  }
  return includes;
}

/// The folders that the block "```floors" of a Markdown text lists, one a line, from the top.
std::vector<std::string> read_floors(const std::string& markdown) {
  std::vector<std::string> floors;
  std::istringstream lines(markdown);
  std::string line;
  while (std::getline(lines, line) && line != "```floors") {
  }
  while (std::getline(lines, line) && line != "```") {
    const std::string folder = line.substr(0, line.find(' '));
    floors.push_back(folder.substr(0, folder.find_last_not_of('/') + 1));
  }
  return floors;
}

/// Index of the floor that `folder` belongs to: of those that hold it, the innermost; -1 if none
/// does.
int floor_of(const std::string& folder, const std::vector<std::string>& floors) {
  int found = -1;
  for (int i = 0; i < int(floors.size()); ++i)
    if ((folder + "/").starts_with(floors[i] + "/") &&
        (found < 0 || floors[i].size() > floors[found].size()))
      found = i;
  return found;
}

/// Includes that lead to a higher floor, and files on no floor: "a includes b".
std::vector<std::string> steps_up(const Includes& includes,
                                  const std::vector<std::string>& floors) {
  std::vector<std::string> steps;
  for (const auto& [file, included] : includes) {
    const int from = floor_of(folder_of(file), floors);
    if (from < 0) steps.push_back(file + " is on no floor");
    for (const std::string& other : included)
      if (floor_of(folder_of(other), floors) < from) steps.push_back(file + " includes " + other);
  }
  return steps;
}

/// A cycle of folders that include each other: "a -> b -> a"; empty if there is none.
std::string cycle(const Includes& includes) {
  std::map<std::string, std::set<std::string>> edges;
  for (const auto& [file, included] : includes)
    for (const std::string& other : included)
      if (folder_of(other) != folder_of(file)) edges[folder_of(file)].insert(folder_of(other));

  std::set<std::string> done;
  std::vector<std::string> path;
  std::function<std::string(const std::string&)> visit = [&](const std::string& folder) {
    if (auto seen = std::find(path.begin(), path.end(), folder); seen != path.end()) {
      std::string text;
      for (; seen != path.end(); ++seen) text += *seen + " -> ";
      return text + folder;
    }
    if (!done.insert(folder).second) return std::string();
    path.push_back(folder);
    for (const std::string& other : edges[folder])
      if (std::string found = visit(other); !found.empty()) return found;
    path.pop_back();
    return std::string();
  };
  for (const auto& [file, included] : includes)
    if (std::string found = visit(folder_of(file)); !found.empty()) return found;
  return "";
}

const fs::path kRoot = WINNOW_SOURCE_DIR;

class Structure : public testing::Test {
 protected:
  const Includes includes_ = read_includes(kRoot, {"src", "compaction"});
  const std::vector<std::string> floors_ = read_floors(read(kRoot / "src/README.md"));
};

TEST_F(Structure, FoldersIncludeOnlyFromFloorsBelow) {
  ASSERT_GT(includes_.size(), 200u);
  ASSERT_GT(floors_.size(), 10u);
  EXPECT_THAT(steps_up(includes_, floors_), IsEmpty());
}

TEST_F(Structure, NoFoldersIncludeEachOtherInACircle) {
  EXPECT_EQ(cycle(includes_), "");
}

TEST_F(Structure, EveryFloorExists) {
  for (const std::string& floor : floors_) EXPECT_TRUE(fs::is_directory(kRoot / floor)) << floor;
}

TEST_F(Structure, NoFolderIsCrowded) {
  constexpr int kMaxFiles = 40;
  std::map<std::string, int> counts;
  for (const std::string& file : sources(kRoot, {"src", "compaction", "tests"}))
    ++counts[folder_of(file)];
  for (const auto& [folder, count] : counts) EXPECT_LE(count, kMaxFiles) << folder;
}

TEST_F(Structure, NoHeaderOfAFewLinesHasOnlyOneUser) {
  constexpr int kFewLines = 20;
  std::map<std::string, std::set<std::string>> users;
  for (const auto& [file, included] : includes_)
    for (const std::string& header : included)
      if (fs::path(file).stem() != fs::path(header).stem()) users[header].insert(file);
  for (const auto& [file, included] : includes_) {
    const fs::path path = file;
    if (path.extension() != ".h" && path.extension() != ".cuh") continue;
    const std::string text = read(kRoot / path);
    if (std::count(text.begin(), text.end(), '\n') > kFewLines) continue;
    EXPECT_NE(users[file].size(), 1u) << file << " could stand in " << *users[file].begin();
  }
}

TEST_F(Structure, EverySourceNamesItsLicence) {
  for (const std::string& file : sources(kRoot, {"src", "compaction", "tests"}))
    EXPECT_TRUE(read(kRoot / file).starts_with("// SPDX-License-Identifier: MIT\n")) << file;
}

/// Builds without the headers of OptiX leave these two files out: src/CMakeLists.txt.
TEST_F(Structure, TwoSourcesNeedTheHeadersOfOptix) {
  std::vector<std::string> users;
  for (const std::string& file : sources(kRoot, {"src", "compaction"}))
    if (read(kRoot / file).find("#include <optix") != std::string::npos) users.push_back(file);
  EXPECT_THAT(users, ElementsAre("src/backend/cuda/optix_programs.cu",
                                 "src/backend/cuda/optix_tracer.cpp"));
}

/// nvcc 13.0 lays such members out in other places in kernels than on the host, if they are nested.
TEST_F(Structure, NoMemberOfAKernelSharesItsAddress) {
  for (const std::string& file : sources(kRoot, {"src", "compaction"}))
    EXPECT_THAT(read(kRoot / file), Not(HasSubstr("no_unique_address"))) << file;
}

TEST(Floors, AreReadFromTheirBlock) {
  EXPECT_THAT(read_floors("# Title\n\n```\nno/  floor\n```\n```floors\nsrc/top/    what is on top\n"
                          "src/low/\n```\nsrc/none/\n"),
              ElementsAre("src/top", "src/low"));
}

TEST(Floors, AStepUpIsReported) {
  const std::vector<std::string> floors = {"top", "low"};
  EXPECT_THAT(steps_up({{"top/a.h", {"low/b.h"}}, {"low/b.h", {"low/room/c.h"}}}, floors),
              IsEmpty());
  EXPECT_THAT(steps_up({{"low/room/c.h", {"top/a.h"}}}, floors),
              ElementsAre("low/room/c.h includes top/a.h"));
  EXPECT_THAT(steps_up({{"other/d.h", {}}}, floors), ElementsAre("other/d.h is on no floor"));
}

TEST(Floors, ACircleOfFoldersIsReported) {
  EXPECT_EQ(cycle({{"a/1.h", {"b/1.h"}}, {"b/1.h", {"c/1.h"}}, {"c/1.h", {}}}), "");
  EXPECT_EQ(cycle({{"a/1.h", {"b/1.h"}}, {"b/2.h", {"c/1.h"}}, {"c/2.h", {"b/1.h"}}}),
            "b -> c -> b");
}

}  // namespace
