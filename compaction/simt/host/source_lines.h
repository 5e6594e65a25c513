// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simt::host {

/// A line of source code. `line` is 0 where it is not known.
struct SourceLine {
  std::string file;
  uint32_t line = 0;
};

/// Returns the lines of instructions of this program, by the debug information that -g1 adds and by
/// addr2line of binutils. Where a function was inlined, the innermost line that is outside of
/// `compaction/simt`, of CUDA's syntax and of the standard library: what a kernel says. Lines are 0
/// where there is no debug information or no addr2line.
///
/// @param addresses  of instructions, as __builtin_return_address() returns them
std::vector<SourceLine> source_lines(const std::vector<uintptr_t>& addresses);

}  // namespace simt::host
