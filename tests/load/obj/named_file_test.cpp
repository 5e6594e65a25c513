// SPDX-License-Identifier: MIT
#include "load/obj/named_file.h"

#include <ctime>

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

  /// Returns the path of a name, relative to the folder of the test.
  std::string found(const std::string& name) {
    return fs::relative(files_.path_of(folders(), name, "a.mtl:1"), folder_);
  }
  NamedFiles::Folders folders() const { return {folder_, folder_ / "other"}; }

  NamedFiles files_;
};

TEST_F(FindNamedFile, FindsPathsOfOtherSystemsWithoutWarning) {
  for (const char* name :
       {"Textures/Wall.png", "Textures\\Wall.png", ".\\Textures\\Wall.png", "\"Textures/Wall.png\"",
        "textures/WALL.PNG", "other/../Textures/wall.png"})
    EXPECT_EQ(fs::path(found(name)).lexically_normal(), "Textures/Wall.png") << name;
  EXPECT_EQ(found("roof.png"), "roof.PNG");
  EXPECT_EQ(found((folder_ / "roof.PNG").string()), "roof.PNG");
  EXPECT_EQ(found("floor.png"), "other/floor.png");
  EXPECT_EQ(files_.warnings(), std::vector<std::string>());
}

TEST_F(FindNamedFile, PrefersTheCaseThatIsWritten) {
  write("Roof.png", "x");
  EXPECT_EQ(found("roof.PNG"), "roof.PNG");
  EXPECT_EQ(found("ROOF.png"), "Roof.png");
}

TEST_F(FindNamedFile, FindsTheLongestEndOfAPathThatDoesNotExistWithAWarning) {
  write("wall.png", "x");
  fs::create_directories(folder_ / "maps/stone/old");
  for (const char* file : {"maps/stone/old/brick.png", "brick.png"}) write(file, "x");
  EXPECT_EQ(found("C:\\Users\\me\\textures\\wall.png"), "Textures/Wall.png");
  EXPECT_EQ(found("C:\\Users\\me\\Roof.png"), "roof.PNG");
  EXPECT_EQ(found("C:\\proj\\maps\\stone\\old\\brick.png"), "maps/stone/old/brick.png");
  EXPECT_EQ(found("/home/me/floor.png"), "other/floor.png");
  ASSERT_EQ(files_.warnings().size(), 4u);
  EXPECT_EQ(files_.warnings()[3], "a.mtl:1: \"/home/me/floor.png\" is not at its path; " +
                                      (folder_ / "other/floor.png").string() + " is used");
}

TEST_F(FindNamedFile, FindsTheEndOfAPathThatLeadsUpwards) {
  EXPECT_EQ(found("none/../../gone/./roof.PNG"), "roof.PNG");
  EXPECT_EQ(found("..\\none\\..\\textures\\wall.png"), "Textures/Wall.png");
  EXPECT_EQ(files_.warnings().size(), 2u);
}

TEST_F(FindNamedFile, WarnsOnceOfAFileAndCountsThoseAfterTheFirstThree) {
  const auto warnings_after = [&](int count) {
    for (int i = 0; i < count; ++i) {
      const std::string file = std::to_string(i) + ".png";
      write(file, "x");
      EXPECT_EQ(found("C:\\maps\\" + file), file);
    }
    return files_.warnings();
  };
  EXPECT_EQ(warnings_after(4).size(), 4u);
  EXPECT_EQ(warnings_after(4)[3], "a.mtl:1: \"C:\\maps\\3.png\" is not at its path; " +
                                      (folder_ / "3.png").string() + " is used (2 times)");
  const std::vector<std::string> many = warnings_after(2000);
  ASSERT_EQ(many.size(), 4u);
  EXPECT_NE(many[2].find("2.png"), std::string::npos);
  EXPECT_EQ(many[3], "1997 more files are not at their paths; files found elsewhere are used");
}

TEST_F(FindNamedFile, FindsNoFolders) {
  for (const char* name : {"", "\"\"", "textures", "Textures/", ".", "..", "other/..", "none/..",
                           "none\\.", "C:\\x\\textures", "C:\\x\\textures\\", "/", "\\"}) {
    EXPECT_EQ(files_.find(folders(), name), "") << name;
    EXPECT_EQ(files_.find_end(folders(), name, ""), "") << name;
  }
  EXPECT_TRUE(files_.warnings().empty());
}

/// A search of the folder for each name would read 6,000,000 entries.
TEST_F(FindNamedFile, ListsAFolderOnceForManyNames) {
  for (int i = 0; i < 2000; ++i) write(std::to_string(i) + ".txt", "x");
  const std::clock_t start = std::clock();
  for (int i = 0; i < 3000; ++i) {
    const std::string name = "maps/none" + std::to_string(i) + ".png";
    EXPECT_EQ(files_.path_of({folder_}, name, ""), folder_ / name);
  }
  constexpr double kMaxSeconds = 2.0;  // CPU time; it takes 0.1
  EXPECT_LT(double(std::clock() - start) / CLOCKS_PER_SEC, kMaxSeconds);
}

TEST_F(FindNamedFile, ReturnsThePathOfAFileThatDoesNotExist) {
  EXPECT_EQ(found("textures\\none.png"), "textures/none.png");
  const std::string longest(100'000, 'p');
  EXPECT_EQ(files_.path_of({""}, longest, ""), longest);
  EXPECT_EQ(files_.path_of({""}, "", ""), "");
  EXPECT_TRUE(files_.warnings().empty());
}

}  // namespace
}  // namespace winnow
