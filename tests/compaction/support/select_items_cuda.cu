// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/select_items_on.h"

namespace fast_on {

template SelectResult select_items(SelectDevice<CudaCalls>&, const SelectProblem&);

}  // namespace fast_on
