// SPDX-License-Identifier: MIT
#include "app/cli/fallback.h"

#include <fmt/core.h>
#include <stdlib.h>

#include <string>
#include <system_error>

#include "base/error.h"

namespace winnow {

namespace fs = std::filesystem;

fs::path fallback_for(const fs::path& file) {
  std::error_code failure;
  const fs::path parent = fs::temp_directory_path(failure);
  if (failure) return {};
  std::string folder = (parent / "winnow-XXXXXX").string();
  return ::mkdtemp(folder.data()) ? fs::path(folder) / file.filename() : fs::path();
}

void write_or_fall_back(const fs::path& file, const std::function<void(const fs::path&)>& write) {
  try {
    write(file);
  } catch (const Error& error) {
    const fs::path other = fallback_for(file);
    if (other.empty()) throw;
    try {
      write(other);
    } catch (const std::exception&) {
      std::error_code ignored;
      fs::remove_all(other.parent_path(), ignored);
      throw error;
    }
    throw Error(fmt::format("{}; it is in {} instead", error.what(), other.string()));
  }
}

}  // namespace winnow
