#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "error.h"
#include "scene/load_scene.h"

namespace winnow {

/// A folder of its own for each test, gone afterwards.
class SceneFiles : public testing::Test {
 protected:
  void SetUp() override {
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "_" + test->name();
    for (char& c : name)
      if (c == '/') c = '_';
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("winnow_" + std::to_string(getpid()) + "_" + name);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  /// Loads `text` as a file of this name.
  HostScene load(const std::string& name, std::string_view text) const {
    return load_scene(write(name, text));
  }

  /// What is wrong with `text`, without the folder; empty if nothing is.
  std::string error_of(const std::string& name, std::string_view text) const {
    return error_of_file(write(name, text));
  }
  std::string error_of_file(const std::filesystem::path& file) const {
    try {
      load_scene(file);
    } catch (const Error& error) {
      std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos) << "more than one line: " << message;
      std::string folder = folder_.string() + "/";
      for (size_t at; (at = message.find(folder)) != std::string::npos;)
        message.erase(at, folder.size());
      return message;
    }
    return "";
  }

  std::filesystem::path folder_;
};

}  // namespace winnow
