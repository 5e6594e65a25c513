// SPDX-License-Identifier: MIT
#pragma once

#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/scans_on.h"

// Each type and operator of AllScans is instantiated by one of the .cu files that include this.

template <class T, class Op>
fast::ScansPointer<T, Op> fast::make_cuda_scans_of(CudaTiles tiles) {
  return std::make_unique<fast_on::ScansOn<CudaCalls, T, Op>>(tiles);
}
