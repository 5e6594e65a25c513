// SPDX-License-Identifier: MIT
#include <fmt/core.h>

#include "app/commands.h"
#include "winnow_build.h"  // written by build_info.cmake

namespace winnow {

std::string version_text() {
  return fmt::format("winnow {}\n{:<10}{}\n{:<10}{}, {}\n{:<10}{}", WINNOW_VERSION, "commit",
                     WINNOW_COMMIT, "compiler", WINNOW_COMPILER, WINNOW_BUILD_TYPE, "CUDA",
                     WINNOW_CUDA_BUILD);
}

}  // namespace winnow
