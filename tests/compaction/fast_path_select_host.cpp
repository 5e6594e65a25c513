#include "tests/compaction/fast_path_host.h"
#include "tests/compaction/fast_path_select_on.h"

std::unique_ptr<fast::Selects> fast::make_host_selects(const HostPlace& place) {
  if (place.tiles == Tiles::kTiny)
    return std::make_unique<fast_on::SelectsOn<TinyCalls>>(place.schedule);
  return std::make_unique<fast_on::SelectsOn<LibraryCalls>>(place.schedule);
}
