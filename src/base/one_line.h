// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winnow {

/// Sanitizes text from a file for a message: replaces control characters by '?', and truncates the
/// text to `longest` bytes.
std::string one_line(std::string_view text, size_t longest = 60);

/// A limit of one_line() in bytes for paths: it truncates none, as the end of a path matters most.
inline constexpr size_t kMaxPathLength = 4096;

/// Returns one_line() of the text in double quotes.
std::string in_quotes(std::string_view text);

}  // namespace winnow
