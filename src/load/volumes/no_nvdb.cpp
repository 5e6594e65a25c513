// SPDX-License-Identifier: MIT
// Takes the place of nvdb.cpp where CMake does not find NanoVDB.
#include <fmt/format.h>

#include "base/error.h"
#include "load/volumes/nvdb.h"

namespace winnow {

NvdbFile::NvdbFile(const std::filesystem::path& file) : NvdbFile("", file.string()) {}

NvdbFile::NvdbFile(std::string /* bytes */, std::string name) {
  throw Error(fmt::format(
      "{}: this build reads no .nvdb files; install libnanovdb-dev and build it again", name));
}

bool NvdbFile::has_grid(std::string_view /* grid */) const {
  return false;
}

SparseGrid NvdbFile::read(std::string_view /* grid */) const {
  return {};
}

}  // namespace winnow
