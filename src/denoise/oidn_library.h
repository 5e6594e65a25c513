// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "denoise/oidn_api.h"

namespace winnow {

/// Open Image Denoise in this process. It stays loaded until the end.
struct OidnLibrary {
  OidnApi api;
  std::filesystem::path file;
};

/// Finds the library and loads it:
/// 1. the file, or below the folder, that the environment variable WINNOW_OIDN names, and no other;
/// 2. where the system finds libraries: a distribution's package, LD_LIBRARY_PATH;
/// 3. the wheel `pyoidn` among the packages of the active virtual environment, of each `python3` in
///    PATH, of this user and of the system.
///
/// Throws Error in one line, which says how to install it, if there is none, and why it cannot be
/// used if it is of another version than 2.
OidnLibrary load_oidn();

/// The libraries of the wheel `pyoidn` that 3. finds, the preferred one first.
std::vector<std::filesystem::path> find_oidn_wheels();

}  // namespace winnow
