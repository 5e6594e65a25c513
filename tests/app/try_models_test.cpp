// SPDX-License-Identifier: MIT
// scripts/try-models: a contact sheet of the scene files below a folder.

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/app/support/run_winnow.h"

namespace winnow {
namespace {

using testing::HasSubstr;
using testing::Not;

class TryModels : public WinnowTest {
 protected:
  /// Runs the script in the folder of the test, with its output in stdout.txt. Returns the status
  /// of the shell.
  int try_models(const std::string& arguments) const {
    return std::system(("cd '" + folder_.string() + "' && '" + WINNOW_SCENES_DIR +
                        "/../scripts/try-models' " + arguments + " --winnow '" + kThisBuild.winnow +
                        "' --device cpu --size 8x8 --spp 1 > stdout.txt 2> stderr.txt")
                           .c_str());
  }
};

TEST_F(TryModels, ShowsPicturesWarningsFailuresAndMarksBlackOnes) {
  std::filesystem::create_directories(file("models/room one"));
  put("models/room one/good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nstrange words\n");
  put("models/broken<b>.ply", "ply\nformat ascii 1.0\n");
  put("models/notes.json", "{}");
  put("models/night.json", R"({
    "camera": {"position": [0, 0, 4], "look_at": [0, 0, 0]}, "materials": {"grey": {"type": "diffuse"}},
    "shapes": [{"type": "sphere", "material": "grey", "radius": 1}]})");
  ASSERT_EQ(try_models("models -o sheet.html"), 0) << read_text(file("stderr.txt"));
  EXPECT_EQ(read_text(file("stdout.txt")),
            "sheet.html: 3 files: 1 ok, 1 failed, 1 black; 1 with warnings\n");
  const std::string sheet = read_text(file("sheet.html"));
  EXPECT_THAT(sheet, HasSubstr("<figure class=\"ok\"><img alt=\"room one/good.obj\""));
  EXPECT_THAT(sheet, HasSubstr("data:image/png;base64,"));
  EXPECT_THAT(sheet, HasSubstr("is not a statement of OBJ"));
  EXPECT_THAT(sheet, HasSubstr("<figure class=\"failed\"><figcaption><span class=\"mark\">failed"));
  EXPECT_THAT(sheet, HasSubstr("broken&lt;b&gt;.ply"));
  EXPECT_THAT(sheet, HasSubstr("<figure class=\"black\"><img alt=\"night.json\""));
  EXPECT_THAT(sheet, Not(HasSubstr("notes.json")));
}

TEST_F(TryModels, RefusesWhatIsNoFolder) {
  put("a.obj", "");
  EXPECT_NE(try_models("a.obj"), 0);
  EXPECT_THAT(read_text(file("stderr.txt")), HasSubstr("a.obj: is not a folder"));
}

}  // namespace
}  // namespace winnow
