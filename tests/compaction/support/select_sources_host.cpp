// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/select_sources_on.h"

namespace fast_on {

template SelectResult select_from_sources(SelectDevice<TinyCalls>&, const SelectProblem&);
template SelectResult select_from_sources(SelectDevice<LibraryTilesCalls>&, const SelectProblem&);

}  // namespace fast_on
