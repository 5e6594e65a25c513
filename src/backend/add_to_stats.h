#pragma once

#include "compaction/simt/span.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"
#include "wavefront/state/wave_state.h"

namespace winnow {

/// Adds what one integrator counted to `stats`.
///
/// Paths that are alive were counted by the rounds of the wavefront; where each path has bounces of
/// its own, they are those that have not died before.
///
/// @param totals  [bounce], in host memory
void add_to_stats(simt::Span<const BounceTotals> totals, const RenderSettings& settings,
                  RenderStats& stats);

}  // namespace winnow
