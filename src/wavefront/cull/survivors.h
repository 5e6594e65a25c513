#pragma once

#include "wavefront/paths.h"
#include "wavefront/queue.h"

namespace winnow {

/// The living paths of a queue, as the compaction algorithms ask for them.
struct Survivors {
  Queue queue;
  Span<const Certificate> certificate;  ///< [path]

  SIMT_HOST_DEVICE bool selected(uint32_t i) const { return certificate[queue[i]].alive(); }
  SIMT_HOST_DEVICE PathId value(uint32_t i) const { return queue[i]; }
};

}  // namespace winnow
