// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "compaction/simt/host/trace.h"

namespace simt::host {

/// The lines of instructions of this program, by the debug information that -g1 adds and by
/// addr2line of binutils. Where a function was inlined, the innermost line that is outside of
/// `compaction/simt` and of the standard library: what a kernel says. Lines are 0 where there is no
/// debug information or no addr2line.
///
/// @param addresses  of instructions, as __builtin_return_address() returns them
std::vector<SourceLine> source_lines(const std::vector<uintptr_t>& addresses);

}  // namespace simt::host
