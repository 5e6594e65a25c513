// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/select_items_on.h"

template fast::SelectResult fast_on::select_items(fast_on::SelectDevice<fast::CudaCalls>&,
                                                  const fast::SelectProblem&);
