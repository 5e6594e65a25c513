// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt::host {

/// A line of source code. `line` is 0 if it is not known.
struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

/// Returns the source lines of instructions of this program, found by addr2line of binutils in the
/// debug information that -g1 adds. For inlined functions, it returns the innermost line outside of
/// `compaction/simt`, of CUDA's syntax and of the standard library: the line of the kernel. Lines
/// are 0 if there is no debug information or no addr2line.
///
/// @param addresses addresses of instructions, as returned by __builtin_return_address()
std::vector<SourceLine> source_lines(const std::vector<uintptr_t>& addresses);

}  // namespace simt::host
