// SPDX-License-Identifier: MIT
#include "load/obj/named_file.h"

#include "tests/support/scene_files.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

class FindNamedFile : public SceneFiles {
 protected:
  void SetUp() override {
    SceneFiles::SetUp();
    for (const char* folder : {"Textures", "other"}) fs::create_directory(folder_ / folder);
    for (const char* file : {"Textures/Wall.png", "other/floor.png", "roof.PNG"}) write(file, "x");
  }

  /// Returns what is found for a name, relative to the folder of the test.
  std::string found(const std::string& name) {
    return fs::relative(find_named_file({folder_, folder_ / "other"}, name, "a.mtl:1", warnings_),
                        folder_);
  }

  std::vector<std::string> warnings_;
};

TEST_F(FindNamedFile, FindsPathsOfOtherSystemsWithoutWarning) {
  for (const char* name :
       {"Textures/Wall.png", "Textures\\Wall.png", ".\\Textures\\Wall.png", "\"Textures/Wall.png\"",
        "textures/WALL.PNG", "other/../Textures/wall.png"})
    EXPECT_EQ(fs::path(found(name)).lexically_normal(), "Textures/Wall.png") << name;
  EXPECT_EQ(found("roof.png"), "roof.PNG");
  EXPECT_EQ(found((folder_ / "roof.PNG").string()), "roof.PNG");
  EXPECT_EQ(found("floor.png"), "other/floor.png");
  EXPECT_EQ(warnings_, std::vector<std::string>());
}

TEST_F(FindNamedFile, PrefersTheCaseThatIsWritten) {
  write("Roof.png", "x");
  EXPECT_EQ(found("roof.PNG"), "roof.PNG");
  EXPECT_EQ(found("ROOF.png"), "Roof.png");
}

TEST_F(FindNamedFile, FindsTheEndOfAPathThatDoesNotExistWithAWarning) {
  write("wall.png", "x");
  EXPECT_EQ(found("C:\\Users\\me\\textures\\wall.png"), "Textures/Wall.png");
  EXPECT_EQ(found("C:\\Users\\me\\Roof.png"), "roof.PNG");
  EXPECT_EQ(found("/home/me/floor.png"), "other/floor.png");
  ASSERT_EQ(warnings_.size(), 3u);
  EXPECT_EQ(warnings_[2], "a.mtl:1: \"/home/me/floor.png\" is not at its path; " +
                              (folder_ / "other/floor.png").string() + " is used");
}

TEST_F(FindNamedFile, ReturnsThePathOfAFileThatDoesNotExist) {
  EXPECT_EQ(found("textures\\none.png"), "textures/none.png");
  const std::string longest(100'000, 'p');
  EXPECT_EQ(find_named_file({""}, longest, "", warnings_), longest);
  EXPECT_EQ(find_named_file({""}, "", "", warnings_), "");
  EXPECT_TRUE(warnings_.empty());
}

}  // namespace
}  // namespace winnow
