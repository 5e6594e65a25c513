// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/select_sources_on.h"

namespace fast_on {

template SelectResult select_from_sources(SelectDevice<CudaCalls>&, const SelectProblem&);

}  // namespace fast_on
