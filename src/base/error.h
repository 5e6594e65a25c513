// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

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

/// Sanitizes text from a file for a message: replaces control characters by '?', and truncates the
/// text to `longest` bytes.
std::string one_line(std::string_view text, size_t longest = 60);

/// A limit of one_line() in bytes for paths: it truncates none, as the end of a path matters most.
inline constexpr size_t kMaxPathLength = 4096;

/// Returns one_line() of the text in double quotes.
std::string in_quotes(std::string_view text);

}  // namespace winnow
