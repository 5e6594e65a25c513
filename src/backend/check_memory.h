// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace winnow {

/// Returns the bytes of host memory available without swapping, from /proc/meminfo; the maximum of
/// the type on machines without that file.
uint64_t free_host_memory();

/// Throws Error with the estimate and a remedy if `needed` bytes exceed `free`.
///
/// @param where   "on the GPU", "in memory"
/// @param remedy  "use a smaller --size"
void check_memory(uint64_t needed, uint64_t free, const std::string& where,
                  const std::string& remedy);

}  // namespace winnow
