// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winnow {

/// Sanitizes text from a file for a message: replaces control characters by '?', and truncates the
/// text to `longest` bytes.
std::string one_line(std::string_view text, size_t longest = 60);

/// Bytes; a limit that truncates no path, whose end matters most.
inline constexpr size_t kMaxPathLength = 4096;

/// one_line() of the text, in double quotes.
std::string in_quotes(std::string_view text);

}  // namespace winnow
