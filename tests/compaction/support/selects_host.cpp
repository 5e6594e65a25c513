// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/partition_on.h"
#include "tests/compaction/support/select_items_on.h"
#include "tests/compaction/support/select_sources_on.h"

std::unique_ptr<fast::Selects> fast::make_host_selects(const HostPlace& place) {
  if (place.tiles == Tiles::kTiny)
    return std::make_unique<fast_on::SelectsOn<TinyCalls>>(place.schedule);
  return std::make_unique<fast_on::SelectsOn<LibraryTilesCalls>>(place);
}
