#pragma once

#include <filesystem>
#include <vector>

namespace winnow {

/// Finds before a render what would keep its result from being written: an unknown extension, a
/// folder that is missing or closed, a file named twice, or one that is the input.
///
/// @param images  files to write by extension
/// @param others  further files to write; empty paths are passed over
/// @param inputs  files that are read
/// Throws UsageError or Error, which name the file.
void check_outputs(const std::vector<std::filesystem::path>& images,
                   const std::vector<std::filesystem::path>& others,
                   const std::vector<std::filesystem::path>& inputs);

}  // namespace winnow
