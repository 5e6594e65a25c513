// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>

namespace winnow {

/// Thrown when an input, a file or a device fails. `what()` is one line with the file, the position
/// in it and the remedy; `main` prints it and exits with 1.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown for an error in the command line. `main` prints it and exits with 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace winnow
