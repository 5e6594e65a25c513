// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_cuda.cuh"
#include "tests/compaction/support/partition_on.h"

template fast::PartitionResult fast_on::partition(fast_on::SelectDevice<fast::CudaCalls>&,
                                                  fast::Partition, const fast::SelectProblem&);
