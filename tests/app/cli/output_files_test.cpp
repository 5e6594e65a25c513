// SPDX-License-Identifier: MIT
#include "app/cli/output_files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

class CheckOutputs : public FolderTest {
 protected:
  CheckOutputs() {
    fs::create_directories(folder_ / "sub.png");
    std::ofstream(folder_ / "file") << "text";
  }

  template <class Failure>
  std::string refusal_of(const std::vector<fs::path>& images, const fs::path& stats = {}) const {
    return message_of<Failure>([&] { check_outputs(images, {stats}, {folder_ / "file"}); });
  }
};

TEST_F(CheckOutputs, AcceptsNewAndOldFiles) {
  std::ofstream(folder_ / "old.png") << "text";
  EXPECT_NO_THROW(check_outputs({folder_ / "old.png", folder_ / "new ☃.exr", "bare.pfm"},
                                {folder_ / "stats.json"}, {folder_ / "file"}));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 3)
      << "checking leaves a file";
}

TEST_F(CheckOutputs, RefusesAnUnknownExtension) {
  EXPECT_NE(refusal_of<UsageError>({folder_ / "image.bmp"}), "");
  EXPECT_EQ(refusal_of<UsageError>({folder_ / "image.png"}, folder_ / "stats.bmp"), "");
}

TEST_F(CheckOutputs, RefusesAMissingFolder) {
  std::string file = (folder_ / "none" / "a.png").string();
  EXPECT_EQ(refusal_of<Error>({file}), file + ": cannot be written: the folder " +
                                           (folder_ / "none").string() +
                                           " does not exist; create it first");
  EXPECT_NE(refusal_of<Error>({folder_ / "a.png"}, folder_ / "none" / "stats.json"), "");
}

/// Makes access() answer as for a user other than root; root may write everywhere.
class AsAnotherUser {
 public:
  AsAnotherUser() : is_changed_(::getuid() == 0 && ::setreuid(kNobody, kSame) == 0) {}
  AsAnotherUser(const AsAnotherUser&) = delete;
  ~AsAnotherUser() {
    if (is_changed_) {
      EXPECT_EQ(::setreuid(0, kSame), 0);
    }
  }

 private:
  static constexpr uid_t kNobody = 65534, kSame = uid_t(-1);
  bool is_changed_;
};

TEST_F(CheckOutputs, RefusesWhatIsReadOnly) {
  const fs::path file = folder_ / "old.png", folder = folder_ / "locked";
  std::ofstream(file) << "text";
  fs::create_directory(folder);
  fs::permissions(file, fs::perms(0444));
  fs::permissions(folder, fs::perms(0555));
  const AsAnotherUser user;
  if (::getuid() == 0) GTEST_SKIP() << "root may write everywhere, and cannot be another user here";
  EXPECT_EQ(refusal_of<Error>({file}), file.string() + ": cannot be written: Permission denied");
  EXPECT_EQ(refusal_of<Error>({folder / "a.png"}), (folder / "a.png").string() +
                                                       ": cannot be written: the folder " +
                                                       folder.string() + ": Permission denied");
}

TEST_F(CheckOutputs, RefusesAFileInPlaceOfAFolder) {
  EXPECT_NE(refusal_of<Error>({folder_ / "file" / "a.png"}).find("is not a folder"),
            std::string::npos);
}

TEST_F(CheckOutputs, RefusesAFolderInPlaceOfAFile) {
  EXPECT_NE(refusal_of<Error>({folder_ / "sub.png"}).find("it is a folder"), std::string::npos);
}

TEST_F(CheckOutputs, RefusesANameThatIsTooLong) {
  EXPECT_NE(refusal_of<Error>({folder_ / (std::string(300, 'x') + ".png")}), "");
}

TEST_F(CheckOutputs, RefusesAFileTwiceHoweverItIsSpelt) {
  EXPECT_NE(refusal_of<UsageError>({folder_ / "a.png", folder_ / "sub.png" / ".." / "a.png"}), "");
  EXPECT_NE(refusal_of<UsageError>({folder_ / "a.png"}, folder_ / "a.png"), "");
  EXPECT_NE(refusal_of<UsageError>({"a.png", "./a.png"}), "");
}

TEST_F(CheckOutputs, RefusesToReplaceAnInput) {
  EXPECT_NE(refusal_of<UsageError>({folder_ / "a.png"}, folder_ / "file"), "");
}

}  // namespace
}  // namespace winnow
