// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace winnow {

/// Checks, before any work is done, that all outputs can be written. Throws UsageError for an
/// unknown extension, a file that is given twice or an output that is also an input, and Error for
/// a folder that does not exist or is not writable; the message names the file.
///
/// @param images  files whose extension selects the format
/// @param others  further files to write; empty paths are ignored
/// @param inputs  files that are read; empty paths are ignored
void check_outputs(const std::vector<std::filesystem::path>& images,
                   const std::vector<std::filesystem::path>& others,
                   const std::vector<std::filesystem::path>& inputs);

}  // namespace winnow
