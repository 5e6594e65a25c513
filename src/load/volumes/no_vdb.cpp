// SPDX-License-Identifier: MIT
// Takes the place of vdb.cpp where CMake does not find OpenVDB.
#include <fmt/format.h>

#include "base/error.h"
#include "load/volumes/vdb.h"

namespace winnow {

SparseGrid read_vdb(const std::filesystem::path& file, std::string_view /* grid */,
                    const VdbLimits& /* limits */) {
  throw Error(
      fmt::format("{}: this build reads no .vdb files; nanovdb_convert of OpenVDB makes a "
                  ".nvdb file, or install libopenvdb-dev and build it again",
                  file.string()));
}

}  // namespace winnow
