// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/partition_on.h"

namespace fast_on {

template PartitionResult partition(SelectDevice<CudaCalls>&, Partition, const SelectProblem&);

}  // namespace fast_on
