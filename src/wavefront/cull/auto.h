#pragma once

#include "wavefront/cull/survivors.h"

namespace winnow {

/// Keeps or culls, as BeginCull has decided on the device by cull_policy.h: in the one case the
/// queue to cull is empty. Culls by the fastest way of the device that keeps the order.
template <class Backend>
void cull_auto(Backend& backend, const CullJob& job) {
  backend.select_survivors(job);
}

}  // namespace winnow
