// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "denoise/oidn_api.h"

namespace winnow {

/// Open Image Denoise, loaded into this process until its end.
struct OidnLibrary {
  OidnApi api;
  std::filesystem::path file;
};

/// Finds the library and loads it:
/// 1. the file that the environment variable WINNOW_OIDN names, or one below that folder; if the
///    variable is set, nothing else is searched;
/// 2. where the system finds libraries: a distribution's package, LD_LIBRARY_PATH;
/// 3. the wheel `pyoidn` among the packages of the active virtual environment, of each `python3` in
///    PATH, of this user and of the system.
///
/// Throws Error in one line: how to install the library if there is none, or why it cannot be used
/// if its version is not 2.
OidnLibrary load_oidn();

/// Returns the libraries of the wheel `pyoidn` that step 3 of load_oidn() finds, the preferred one
/// first.
std::vector<std::filesystem::path> find_oidn_wheels();

}  // namespace winnow
