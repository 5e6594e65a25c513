// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/support/this_build.h"

namespace winnow {

/// A library that stands in for Open Image Denoise, built beside the tests.
///
/// @param kind  "fake", or "old" for one of version 1
inline std::string fake_oidn(const std::string& kind) {
  const std::filesystem::path build = std::filesystem::path(kThisBuild.winnow).parent_path();
  return build / "tests" / ("lib" + kind + "_oidn.so");
}

/// Variables of the environment during a test, for this process and those that it starts. Those
/// that choose an OIDN are unset at first.
class DenoiseEnvironment {
 public:
  DenoiseEnvironment() {
    for (const char* name :
         {"WINNOW_OIDN", "VIRTUAL_ENV", "CONDA_PREFIX", "FAKE_OIDN_LOG", "FAKE_OIDN_VERSION",
          "FAKE_OIDN_FAILS", "FAKE_OIDN_CUDA", "FAKE_OIDN_TAKES"})
      set(name, "");
  }
  DenoiseEnvironment(const DenoiseEnvironment&) = delete;
  ~DenoiseEnvironment() {
    for (const auto& [name, value] : before_) change(name, value);
  }

  /// An empty value unsets the variable.
  void set(const std::string& name, const std::string& value) {
    const char* before = std::getenv(name.c_str());
    before_.try_emplace(name, before ? before : "");
    change(name, value);
  }

  /// Only the library that stands in for OIDN, which writes to `log`.
  void use_fake(const std::filesystem::path& log) {
    set("WINNOW_OIDN", fake_oidn("fake"));
    set("FAKE_OIDN_LOG", log.string());
  }

 private:
  static void change(const std::string& name, const std::string& value) {
    if (value.empty())
      ::unsetenv(name.c_str());
    else
      ::setenv(name.c_str(), value.c_str(), 1);
  }

  std::map<std::string, std::string> before_;
};

inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace winnow
