// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace winnow {

/// Names without extension of the files in `folder` that end in `extension`, sorted; without those
/// that have another dot.
inline std::vector<std::string> stems_of(const std::filesystem::path& folder,
                                         const std::string& extension) {
  std::vector<std::string> stems;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == extension && !entry.path().stem().has_extension())
      stems.push_back(entry.path().stem());
  std::sort(stems.begin(), stems.end());
  return stems;
}

}  // namespace winnow
