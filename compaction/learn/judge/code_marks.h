// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace compaction::judge {

// Messages hold addresses of code until they are shown: looking up a line takes a process.

/// What stands in a message for the line of the instruction before `code`.
std::string code_mark(const void* code);

/// `text` with each mark replaced by "FILE:LINE", without folders, or by the address where the
/// program has no lines.
std::string with_source_lines(std::string text);

}  // namespace compaction::judge
