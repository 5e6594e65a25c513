// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace winnow {

/// Creates an empty folder for each test and removes it afterwards. The process id in its name
/// keeps concurrent runs of the tests apart.
class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    std::filesystem::remove_all(folder_);  // left by a crashed process with this id
    std::filesystem::create_directories(folder_);
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ = own_path();

 private:
  static std::filesystem::path own_path() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test.test_suite_name()) + "_" + test.name();
    std::replace(name.begin(), name.end(), '/', '_');
    return std::filesystem::path(testing::TempDir()) /
           ("winnow_" + std::to_string(::getpid()) + "_" + name);
  }
};

}  // namespace winnow
