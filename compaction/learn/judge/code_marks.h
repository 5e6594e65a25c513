// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace compaction::judge {

// Messages contain marks with addresses of code until they are printed, because looking up a source
// line starts a process.

/// Returns the mark for the source line of the instruction before `code`.
std::string code_mark(const void* code);

/// Returns `text` with each mark replaced by "FILE:LINE", without folders, or by the address if the
/// program has no line for it.
std::string with_source_lines(std::string text);

}  // namespace compaction::judge
