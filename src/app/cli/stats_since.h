#pragma once

#include "wavefront/state/render_stats.h"

namespace winnow {

/// What came to the stats of a render after `before` was taken.
RenderStats stats_since(const RenderStats& before, RenderStats now);

}  // namespace winnow
