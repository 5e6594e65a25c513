// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "compaction/simt/span.h"
#include "wavefront/state/render_settings.h"
#include "wavefront/state/render_stats.h"
#include "wavefront/state/wave.h"

namespace winnow {

/// Adds the counters of one integrator to `stats`.
///
/// The active paths of a bounce are those that the wavefront's iterations counted. With
/// regeneration and in the path loop, where paths of different bounces mix, they are the paths that
/// did not end at an earlier bounce.
///
/// @param totals  [bounce], in host memory
void add_to_stats(simt::Span<const BounceTotals> totals, const RenderSettings& settings,
                  RenderStats& stats);

/// Adds the counts and times of another part of a render.
void add_stats(RenderStats& stats, const RenderStats& other);

/// Splits a MaskRecord into the masks of the bounces that took place.
///
/// @param words    [bounce][words_per_bounce] or empty
/// @param entries  [bounce]
std::vector<AliveMask> make_alive_masks(const std::vector<uint32_t>& words,
                                        const std::vector<uint32_t>& entries,
                                        uint32_t words_per_bounce);

}  // namespace winnow
