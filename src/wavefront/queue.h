#pragma once

#include <cstdint>

#include "compaction/simt/span.h"
#include "wavefront/paths.h"

namespace winnow {

/// Path ids that wait for a stage. The count lives where the paths live; the host does not read it.
struct Queue {
  Span<PathId> ids;           ///< [capacity]; without ids the queue holds the paths 0, 1, 2 ...
  uint32_t* count = nullptr;  ///< how many of `capacity` there are; null drops what is pushed
  uint32_t capacity = 0;

  SIMT_HOST_DEVICE PathId operator[](uint32_t i) const { return ids.data ? ids[i] : i; }
};

}  // namespace winnow
