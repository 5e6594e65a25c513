#pragma once

#include <filesystem>
#include <vector>

namespace winnow {

/// `winnow diff`: prints how far image `a` is from the reference `b`, and writes |a - b|.
///
/// @param outputs  files for the difference picture; may be empty
/// @param flips    files for the picture of FLIP, in false colours; may be empty
void print_diff(const std::filesystem::path& a, const std::filesystem::path& b,
                const std::vector<std::filesystem::path>& outputs,
                const std::vector<std::filesystem::path>& flips);

}  // namespace winnow
