// SPDX-License-Identifier: MIT
#pragma once

#include "base/instruction_set.h"

// The compiler turns loops with this mark into vector code if their bodies have no calls left and
// no control flow but assignments under conditions, which include early returns of inlined
// functions. g++ 12 gives up on a choice between references (`c ? a.x : b.x` of structs), on a bool
// that is the same in all iterations, and on a loaded value that a branch only copies.

#if defined(__GNUC__) && !defined(__clang__)
#define WINNOW_LANES _Pragma("GCC ivdep")
#define WINNOW_UNROLL _Pragma("GCC unroll 64")
#else
#define WINNOW_LANES
#define WINNOW_UNROLL
#endif

namespace winnow {

// One program has code for several instruction sets. Inline functions are compiled only for the
// compiler's own set: the linker keeps one copy of each, which must run on every processor.

#if defined(__x86_64__)
#define WINNOW_AVX2 "avx2,fma,bmi,bmi2"
#if defined(__clang__)
#define WINNOW_AVX512 WINNOW_AVX2 ",avx512f,avx512vl,avx512bw,avx512dq,avx512cd"
#else
#define WINNOW_AVX512 \
  WINNOW_AVX2 ",avx512f,avx512vl,avx512bw,avx512dq,avx512cd,prefer-vector-width=512"
#endif

// `flatten` inlines everything that the loop calls, compiled for its instruction set.
template <class Loop>
[[gnu::flatten, gnu::noinline]] void run_in_base(const Loop& loop) {
  loop();
}
template <class Loop>
[[gnu::flatten, gnu::noinline, gnu::target(WINNOW_AVX2)]] void run_in_avx2(const Loop& loop) {
  loop();
}
template <class Loop>
[[gnu::flatten, gnu::noinline, gnu::target(WINNOW_AVX512)]] void run_in_avx512(const Loop& loop) {
  loop();
}

/// Calls loop(), compiled for an instruction set that this machine has.
template <class Loop>
void run_with(InstructionSet set, const Loop& loop) {
  switch (set) {
    case InstructionSet::kBase:
      return run_in_base(loop);
    case InstructionSet::kAvx2:
      return run_in_avx2(loop);
    case InstructionSet::kAvx512:
      return run_in_avx512(loop);
  }
}
#else
template <class Loop>
void run_with(InstructionSet, const Loop& loop) {
  loop();
}
#endif

}  // namespace winnow
