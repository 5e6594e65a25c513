// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

namespace winnow {

/// An empty folder for temporary files, removed with its contents on destruction. The process id in
/// its name keeps concurrent runs of the tests apart.
struct TemporaryFolder {
  explicit TemporaryFolder(const std::string& name)
      : path(std::filesystem::path(testing::TempDir()) /
             ("winnow_" + std::to_string(::getpid()) + "_" + name)) {
    std::filesystem::remove_all(path);  // left by a crashed process with this id
    std::filesystem::create_directories(path);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

  const std::filesystem::path path;
};

/// Creates an empty folder for each test and removes it afterwards.
class FolderTest : public testing::Test {
 private:
  static std::string own_name() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test.test_suite_name()) + "_" + test.name();
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
  }
  const TemporaryFolder temporary_{own_name()};

 protected:
  const std::filesystem::path folder_ = temporary_.path;
};

}  // namespace winnow
