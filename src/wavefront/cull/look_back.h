#pragma once

#include "compaction/select/look_back_select.h"
#include "wavefront/cull/survivors.h"

namespace winnow {

/// One pass: each block ranks its survivors and looks back for those before it. Keeps the order.
/// compaction/select/look_back_select.h
template <class Backend>
Queue cull_look_back(Backend& backend, Queue queue, Queue next, const Paths& paths) {
  uint32_t most = backend.upper_bound(queue);
  compaction::look_back_select(backend.launcher(), Survivors{queue, paths.certificate},
                               {.capacity = most, .on_device = queue.count}, next.ids,
                               {next.count, 1}, backend.select_workspace());
  return next;
}

}  // namespace winnow
