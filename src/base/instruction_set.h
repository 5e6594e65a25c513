// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

#include "base/names.h"

namespace winnow {

/// Instructions that loops over batches of paths may use. Each loop is compiled once for each set
/// from the same source. All sets compute the same bits, since the compiler may not contract or
/// approximate operations.
enum class InstructionSet : uint32_t {
  kBase,    ///< instructions of the compiler's target
  kAvx2,    ///< x86-64-v3: 8 lanes
  kAvx512,  ///< x86-64-v4: 16 lanes
};
template <>
inline constexpr std::array<const char*, 3> kEnumNames<InstructionSet> = {"base", "avx2", "avx512"};

/// Returns the largest set that this processor has.
InstructionSet best_instruction_set();

}  // namespace winnow
