// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/partition_on.h"

namespace fast_on {

template PartitionResult partition(SelectDevice<TinyCalls>&, Partition, const SelectProblem&);
template PartitionResult partition(SelectDevice<LibraryTilesCalls>&, Partition,
                                   const SelectProblem&);

}  // namespace fast_on
