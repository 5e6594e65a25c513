// SPDX-License-Identifier: MIT
// Takes the place of nvdb.cpp where CMake does not find NanoVDB.
#include <fmt/format.h>

#include "base/error.h"
#include "load/volumes/nvdb.h"

namespace winnow {

NvdbGrid read_nvdb(const std::filesystem::path& file, std::string_view name) {
  return parse_nvdb({}, name, file.string());
}

bool has_nvdb_grid(const std::filesystem::path& file, std::string_view name) {
  read_nvdb(file, name);
  return false;
}

NvdbGrid parse_nvdb(std::string_view /* bytes */, std::string_view /* name */,
                    const std::string& file) {
  throw Error(fmt::format(
      "{}: this build reads no .nvdb files; install libnanovdb-dev and build it again", file));
}

}  // namespace winnow
