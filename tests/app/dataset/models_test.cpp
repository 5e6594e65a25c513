// SPDX-License-Identifier: MIT
#include "app/dataset/models.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/error.h"
#include "tests/support/folder_test.h"

namespace winnow {
namespace {

using Models = FolderTest;

std::vector<std::string> model_names(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names;
  for (const DatasetModel& model : name_models(files)) names.push_back(model.name);
  return names;
}

TEST_F(Models, AreNamedByTheirFiles) {
  EXPECT_THAT(model_names({"in/b.glb", "in/a.obj", "c d.ply"}),
              testing::ElementsAre("a", "b", "c d"));
}

TEST_F(Models, OfTheSameNameGetTheNamesOfTheirFolders) {
  EXPECT_THAT(model_names({"chair/model.glb", "table/model.glb", "lamp.glb"}),
              testing::ElementsAre("chair__model", "lamp", "table__model"));
  EXPECT_THAT(model_names({"a/x/model.glb", "b/x/model.glb"}),
              testing::ElementsAre("a__x__model", "b__x__model"));
  EXPECT_THAT(model_names({"model.glb", "model.obj"}),
              testing::ElementsAre("model.glb", "model.obj"));
}

TEST_F(Models, HaveNamesThatDoNotDependOnTheirOrderAndDiffer) {
  std::vector<std::filesystem::path> files = {"a/model.glb",  "b/model.glb",      "a__model.ply",
                                              "dataset.json", "failed.jsonl.glb", "c.glb"};
  const std::vector<std::string> names = model_names(files);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), files.size());
  for (const std::string& name : names) {
    EXPECT_NE(name, "dataset.json");
    EXPECT_NE(name, "failed.jsonl");
  }
  std::ranges::reverse(files);
  EXPECT_EQ(model_names(files), names);
}

TEST_F(Models, ComeFromFoldersAndAreNotTakenTwice) {
  std::filesystem::create_directories(folder_ / "in/deep");
  std::filesystem::create_directories(folder_ / "empty");
  for (const char* name : {"in/a.glb", "in/deep/b.OBJ", "in/b.mtl", "in/notes.txt"})
    std::ofstream(folder_ / name) << "x";
  EXPECT_THAT(find_models({folder_ / "in", folder_ / "in/./a.glb"}),
              testing::ElementsAre(folder_ / "in/a.glb", folder_ / "in/deep/b.OBJ"));
  EXPECT_THAT(find_models({folder_ / "in/deep", folder_ / "in/deep"}), testing::SizeIs(1));
  const auto here = std::filesystem::current_path();
  EXPECT_THAT(find_models({"x.glb", here / "x.glb", "y/../x.glb"}), testing::SizeIs(1));
  EXPECT_THROW(find_models({folder_ / "empty"}), UsageError);
}

TEST_F(Models, ComeFromAListOfLines) {
  std::ofstream(folder_ / "list.txt") << "\xef\xbb\xbf"
                                         "a.glb\r\n\n\t folder name/b.glb \t\n \n";
  EXPECT_THAT(read_model_list(folder_ / "list.txt"),
              testing::ElementsAre("a.glb", "folder name/b.glb"));
}

}  // namespace
}  // namespace winnow
