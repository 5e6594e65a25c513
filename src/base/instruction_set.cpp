// SPDX-License-Identifier: MIT
#include "base/instruction_set.h"

namespace winnow {

#if defined(__x86_64__)
InstructionSet best_instruction_set() {
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (!has_avx2) return InstructionSet::kBase;
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
  return has_avx512 ? InstructionSet::kAvx512 : InstructionSet::kAvx2;
}

#else
InstructionSet best_instruction_set() {
  return InstructionSet::kBase;
}
#endif

}  // namespace winnow
