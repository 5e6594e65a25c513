#include "tests/compaction/fast_path_host.h"
#include "tests/compaction/fast_path_scan_on.h"

fast::AllScans fast::make_host_scans(const HostPlace& place) {
  if (place.tiles == Tiles::kTiny) return fast_on::make_scans<TinyCalls>(place.schedule);
  return fast_on::make_scans<LibraryCalls>(place.schedule);
}
