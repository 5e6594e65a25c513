// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "scene/volumes/sparse_values.h"

namespace winnow {

/// Limits for reading an OpenVDB file, in addition to a share for each byte of it.
struct VdbLimits {
  int seconds = 5;                      ///< CPU time
  int wait_seconds = 120;               ///< longest wait for the next values
  uint64_t memory = uint64_t{1} << 30;  ///< bytes
};

/// Reads the first grid of a name from an OpenVDB file (.vdb). Its values are numbers, or vectors,
/// of which the mean counts. Stored values count, active or not, and negative ones are 0. The
/// library reads the file in a process of its own, because it may crash or never end if the file is
/// damaged. Throws Error, in one line that names the file, if it cannot be read or has no such
/// grid, and if this build has no OpenVDB.
SparseGrid read_vdb(const std::filesystem::path& file, std::string_view grid,
                    const VdbLimits& limits = {});

}  // namespace winnow
