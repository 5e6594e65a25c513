// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace compaction::judge {

// Positions in the source are kept as addresses of code until a message is shown: looking up a line
// takes a process, addr2line, which is part of the binutils that g++ needs.

/// `address` relative to the start of the program.
uint32_t code_of(uintptr_t address);

/// What stands for a position in a message.
std::string code_mark(uint32_t code);

/// Whether `address` is that of a static variable of the program.
bool is_static(uintptr_t address);

/// `text` with each mark replaced by "FILE:LINE", or by the address where the program has no lines.
/// Folders of files are left out.
std::string with_source_lines(std::string text);

}  // namespace compaction::judge
