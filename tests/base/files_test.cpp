// SPDX-License-Identifier: MIT
#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

class ReplaceFile : public FolderTest {
 protected:
  size_t file_count() const {
    return size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
};

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

auto text(const std::string& text) {
  return [text](std::ostream& stream) { stream << text; };
}

TEST_F(ReplaceFile, WritesANewFileAndLeavesNoOther) {
  replace_file(folder_ / "a file ☃.txt", text("new"));
  EXPECT_EQ(content(folder_ / "a file ☃.txt"), "new");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(ReplaceFile, ReplacesTheOldContentWhole) {
  replace_file(folder_ / "file", text("a long old text"));
  replace_file(folder_ / "file", text("new"));
  EXPECT_EQ(content(folder_ / "file"), "new");
  EXPECT_EQ(file_count(), 1u);
}

/// Whoever is last, the file is that of one of them, at any time.
TEST_F(ReplaceFile, SeveralWritersLeaveOneWholeFile) {
  constexpr int kWriters = 4, kRounds = 40;
  constexpr size_t kBytes = 100'000;
  const fs::path file = folder_ / "file";
  auto is_whole = [&] {
    const std::string found = content(file);
    return found.size() == kBytes && found.find_first_not_of(found.front()) == found.npos;
  };
  replace_file(file, text(std::string(kBytes, 'x')));
  auto write_often = [&](char letter) {
    for (int round = 0; round < kRounds; ++round)
      replace_file(file, text(std::string(kBytes, letter)));
  };
  std::vector<pid_t> processes;
  for (int i = 0; i < kWriters; ++i) {
    processes.push_back(::fork());
    if (processes.back() != 0) continue;
    write_often(char('a' + i));
    ::_exit(0);
  }
  std::vector<std::jthread> threads;
  for (int i = 0; i < kWriters; ++i) threads.emplace_back([&, i] { write_often(char('A' + i)); });
  for (int round = 0; round < kRounds; ++round) EXPECT_TRUE(is_whole());
  threads.clear();
  for (const pid_t process : processes) {
    int status = -1;
    ::waitpid(process, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(is_whole());
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(ReplaceFile, AFailureKeepsTheOldFileAndLeavesNoOther) {
  replace_file(folder_ / "file", text("old"));
  auto fail = [](std::ostream& stream) {
    stream << "half";
    throw Error("the reason");
  };
  EXPECT_EQ(message_of([&] { replace_file(folder_ / "file", fail); }),
            (folder_ / "file").string() + ": the reason");
  EXPECT_EQ(content(folder_ / "file"), "old");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(ReplaceFile, NamesFileAndReasonWhenTheFolderIsMissing) {
  const fs::path file = folder_ / "missing" / "file";
  EXPECT_EQ(message_of([&] { replace_file(file, text("new")); }),
            file.string() + ": cannot be written: No such file or directory");
}

TEST_F(ReplaceFile, AFolderIsNotReplaced) {
  fs::create_directory(folder_ / "sub");
  EXPECT_THROW(replace_file(folder_ / "sub", text("new")), Error);
  EXPECT_TRUE(fs::is_directory(folder_ / "sub"));
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(ReplaceFile, FollowsASymbolicLink) {
  replace_file(folder_ / "file", text("old"));
  fs::create_symlink("file", folder_ / "link");
  replace_file(folder_ / "link", text("new"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(content(folder_ / "file"), "new");
}

TEST_F(ReplaceFile, ADeviceStaysADevice) {
  replace_file("/dev/null", text("anything"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ReplaceFile, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  EXPECT_EQ(message_of([] { replace_file("/dev/full", text("anything")); }),
            "/dev/full: cannot be written: No space left on device");
}

TEST_F(ReplaceFile, AcceptsANameOfTheGreatestLength) {
  std::string name(255, 'x');
  replace_file(folder_ / name, text("new"));
  EXPECT_EQ(content(folder_ / name), "new");
}

}  // namespace
}  // namespace winnow
