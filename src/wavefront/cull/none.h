#pragma once

#include "wavefront/queue.h"

namespace winnow {

/// Culls nothing: each stage returns at once for a path that has ended. What culling is measured
/// against.
inline Queue cull_none(Queue queue) {
  return queue;
}

}  // namespace winnow
