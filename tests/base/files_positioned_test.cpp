// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "base/files.h"
#include "tests/support/folder_test.h"
#include "tests/support/message_of.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class PositionedFiles : public FolderTest {
 protected:
  static std::string content_of(const fs::path& file) {
    const InputFile input(file);
    std::string bytes(input.size(), '\0');
    input.read(0, bytes.data(), bytes.size());
    return bytes;
  }
  size_t file_count() const {
    return size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  const fs::path file_ = folder_ / "file";
};

TEST_F(PositionedFiles, AreWrittenInAnyOrderAndReadFromAnywhere) {
  replace_positioned_file(file_, [](const OutputFile& output) {
    EXPECT_TRUE(output.has_positions());
    output.write(3, "def", 3);
    output.write(6, "", 0);
    output.write(0, "abc", 3);
  });
  EXPECT_EQ(content_of(file_), "abcdef");
  std::string part(2, ' ');
  InputFile(file_).read(3, part.data(), part.size());
  EXPECT_EQ(part, "de");
  EXPECT_EQ(message_of([&] { InputFile(file_).read(5, part.data(), part.size()); }),
            "is truncated");
  EXPECT_EQ(file_count(), 1u);
}

TEST_F(PositionedFiles, AreReplacedCompletelyOrNotAtAll) {
  replace_positioned_file(file_, [](const OutputFile& output) { output.write(0, "old", 3); });
  const std::string message = message_of([&] {
    replace_positioned_file(file_, [](const OutputFile& output) {
      output.write(0, "ne", 2);
      throw Error("the reason");
    });
  });
  EXPECT_EQ(message, file_.string() + ": the reason");
  EXPECT_EQ(content_of(file_), "old");
  EXPECT_EQ(file_count(), 1u);
  EXPECT_THAT(message_of([&] { replace_positioned_file(folder_ / "none" / "file", {}); }),
              HasSubstr("none/file: cannot be written: No such file or directory"));
}

TEST_F(PositionedFiles, ThatArePipesHaveNoPositions) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  std::array<char, 6> bytes{};
  std::jthread reader([&] {
    FILE* pipe = std::fopen(file_.c_str(), "rb");
    EXPECT_EQ(std::fread(bytes.data(), 1, bytes.size(), pipe), bytes.size());
    std::fclose(pipe);
  });
  replace_positioned_file(file_, [](const OutputFile& output) {
    EXPECT_FALSE(output.has_positions());
    output.write(0, "abc", 3);
    output.write(3, "def", 3);
  });
  reader.join();
  EXPECT_EQ(std::string(bytes.data(), bytes.size()), "abcdef");
  // Nobody writes into it now, for which opening it does not wait.
  EXPECT_EQ(message_of([&] { InputFile input(file_); }), "is not a file that can be read twice");
}

TEST_F(PositionedFiles, ThatArePipesWithoutAReaderAreGivenUpOnRequest) {
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  std::jthread ender([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      end_waits_for_readers();
    }
  });
  const std::string expected = file_.string() + ": interrupted while no program read this pipe";
  EXPECT_EQ(message_of([&] { replace_positioned_file(file_, {}); }), expected);
  EXPECT_EQ(message_of([&] { replace_file(file_, {}); }), expected);
}

TEST_F(PositionedFiles, OnAFullDiskFailWithTheReason) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  EXPECT_EQ(message_of([&] {
              replace_positioned_file("/dev/full",
                                      [](const OutputFile& output) { output.write(0, "a", 1); });
            }),
            "/dev/full: cannot be written: No space left on device");
}

}  // namespace
}  // namespace winnow
