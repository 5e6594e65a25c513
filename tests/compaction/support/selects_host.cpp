// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/selects_on.h"

std::unique_ptr<fast::Selects> fast::make_host_selects(const HostPlace& place) {
  switch (place.tiles) {
    case Tiles::kTiny:
      return std::make_unique<fast_on::SelectsOn<TinyCalls>>(place.schedule);
    case Tiles::kSmall:
      return std::make_unique<fast_on::SelectsOn<LibraryCalls<SmallDevice>>>(place.schedule);
    case Tiles::kLibrary:
      break;
  }
  return std::make_unique<fast_on::SelectsOn<LibraryCalls<HostDevice>>>(place.schedule);
}
