#pragma once

#include "backend/stage_times.h"
#include "wavefront/render_stats.h"
#include "wavefront/wave_counters.h"

namespace winnow {

/// Adds what one integrator counted, and the times of its backend, to `stats`.
///
/// @param totals  in host memory
void add_to_stats(const TotalCounters& totals, const StageTimes& times, RenderStats& stats);

}  // namespace winnow
