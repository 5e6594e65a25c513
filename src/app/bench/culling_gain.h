#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "wavefront/state/render_stats.h"

namespace winnow {

// What culling can gain and what it gains, from the counts and times of a render whose stages were
// measured. The times are those of the device: on a GPU as they are, on the CPU the threads' sum
// over the number of threads.
//
// The model: 32 lanes of a warp take the time of the slowest. So a warp with any living path costs
// as much as a full one, and a warp without costs nearly nothing.

using StageMilliseconds = std::array<double, kStageCount>;  ///< [Stage], ms

/// Each stage over all bounces.
StageMilliseconds stage_milliseconds(const RenderStats& stats);

/// All stages together, ms.
double sum_milliseconds(const StageMilliseconds& stages);

/// How often each cause ended a path, over all bounces; [Death].
std::array<uint64_t, kDeathCount> death_counts(const RenderStats& stats);

/// Rays that a path follows on average, shadow rays apart; 0 if there are no paths.
double mean_path_length(const RenderStats& stats);

/// Living paths at the start of `bounce` over those of bounce 0; 0 if there were none.
double alive_share(const RenderStats& stats, size_t bounce);

/// Share of the lanes in busy warps that hold a living path: alive / (32 busy_warps), (0, 1].
/// None where no busy warp was counted.
std::optional<double> lane_efficiency(const BounceStats& bounce);

/// Bytes of path state moved for each living path; none if no path lives.
std::optional<double> bytes_per_path(const BounceStats& bounce);

/// What each stage would cost if culling were perfect and free, from a render that never culls.
///
/// Intersect and shade run over the queue, so of their time in each bounce the share of the lanes
/// that live is left: time * lane_efficiency. Shadow rays are in a queue of their own that has no
/// gaps, and generate and film do not depend on culling: they keep their time. Culling costs 0.
/// Assumed: the living paths would run as fast together as they did apart; and finding that an
/// empty warp is empty, which is counted in, costs nothing.
/// None if a bounce with living paths has no count of busy warps.
std::optional<StageMilliseconds> ideal_milliseconds(const RenderStats& none);

/// Part of the possible gain that a mode got: (none - mode) / (none - ideal), from the sums of the
/// stages, ms. Above 1 if it beat the model, below 0 if it was slower than `none`.
/// None where there is nothing to gain: the ideal saves less than kMinIdealGain of `none`.
std::optional<double> ideal_share_reached(double none, double mode, double ideal);
inline constexpr double kMinIdealGain = 0.01;

/// What intersect and shade would take at each bounce if all paths of the frame still lived, ms;
/// [bounce]: time * paths / (32 busy_warps).
///
/// Where less than kMinBusyShare of the paths is left, the time is that of starting a stage
/// rather than of its lanes; then the value of the bounce before is kept. 0 where nothing was
/// measured.
std::vector<double> full_milliseconds(const RenderStats& stats);
inline constexpr double kMinBusyShare = 1.0 / 64;

/// What culling gained at each bounce against lanes that stay in the queue and cost as much as the
/// living, ms; [bounce]: (1 - alive share) * full_milliseconds - time of the cull before the
/// bounce. Bounce 0 has nothing to cull: 0.
std::vector<double> gain_milliseconds(const RenderStats& stats);

/// What a mode saved at each bounce against a render that never culls, all stages and the cull
/// after it taken together, ms; [bounce]. Their sum is the gain; below 0 the mode lost time.
std::vector<double> saved_milliseconds(const RenderStats& none, const RenderStats& mode);

}  // namespace winnow
