// SPDX-License-Identifier: MIT
#include "tests/compaction/support/calls_host.h"
#include "tests/compaction/support/scans_on.h"

fast::AllScans fast::make_host_scans(const HostPlace& place) {
  switch (place.tiles) {
    case Tiles::kTiny:
      return fast_on::make_scans<TinyCalls>(place.schedule);
    case Tiles::kSmall:
      return fast_on::make_scans<LibraryCalls<SmallDevice>>(place.schedule);
    case Tiles::kLibrary:
      break;
  }
  return fast_on::make_scans<LibraryCalls<HostDevice>>(place.schedule);
}
