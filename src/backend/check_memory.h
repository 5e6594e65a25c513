#pragma once

#include <cstdint>
#include <string>

namespace winnow {

/// Bytes that this machine can give without swapping; all there could be if it does not say.
uint64_t free_host_memory();

/// Throws Error with the estimate and the remedy if `needed` bytes are more than `free`.
///
/// @param where   "on the GPU", "in memory"
/// @param remedy  "use a smaller --size"
void check_memory(uint64_t needed, uint64_t free, const std::string& where,
                  const std::string& remedy);

}  // namespace winnow
