#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winnow {

/// Text from a file, fit for a message: control characters become '?', and what is longer than
/// `longest` bytes is cut.
std::string one_line(std::string_view text, size_t longest = 60);

/// Bytes: a path is shown whole, its end above all.
inline constexpr size_t kMaxPathLength = 4096;

/// The same in double quotes.
std::string in_quotes(std::string_view text);

}  // namespace winnow
