#pragma once

#include "compaction/select/scan_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// Flag, work-efficient exclusive scan, scatter. Keeps the order.
/// compaction/select/scan_select.h
template <class Backend>
Queue cull_scan(Backend& backend, Queue queue, Queue next, const Paths& paths) {
  uint32_t most = backend.upper_bound(queue);
  compaction::scan_select(backend.launcher(), Survivors{queue, paths.certificate},
                          {.capacity = most, .on_device = queue.count}, next.ids, {next.count, 1},
                          backend.select_workspace());
  return next;
}

}  // namespace winnow
