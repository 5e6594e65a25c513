// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "scene/volumes/sparse_values.h"

namespace winnow {

/// What reading an OpenVDB file may cost, beside what it costs for each byte of the file.
struct VdbLimits {
  int seconds = 5;                      ///< of CPU time
  int wait_seconds = 120;               ///< until the next part of its values
  uint64_t memory = uint64_t{1} << 30;  ///< bytes
};

/// Reads the first grid of a name of an OpenVDB file (.vdb): of numbers, or of vectors, whose means
/// count. Stored values count, active or not, and negative ones are 0. The library reads the file
/// in a process of its own, because it may crash or never end if the file is damaged.
/// Throws Error, in one line that names the file, if it cannot be read or has no such grid, and if
/// this build has no OpenVDB.
SparseGrid read_vdb(const std::filesystem::path& file, std::string_view grid,
                    const VdbLimits& limits = {});

}  // namespace winnow
