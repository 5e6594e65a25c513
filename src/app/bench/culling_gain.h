// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "wavefront/state/render_stats.h"

namespace winnow {

// The possible and the actual gain of culling, from the counts and stage times of a render. Times
// are device times; on the CPU, the sum over the threads divided by the number of threads.
//
// Model: the 32 lanes of a warp take the time of the slowest. A warp with one active path costs as
// much as a full one, and a warp without any costs almost nothing.

using StageMilliseconds = std::array<double, kStageCount>;  ///< [Stage], ms

/// Returns the time of each stage, summed over all bounces.
StageMilliseconds stage_milliseconds(const RenderStats& stats);

/// Returns the time of all stages, ms.
double sum_milliseconds(const StageMilliseconds& stages);

/// Returns the number of paths terminated by each cause, over all bounces; [Termination].
std::array<uint64_t, kTerminationCount> termination_counts(const RenderStats& stats);

/// Returns the mean number of rays of a path, without shadow rays; 0 if there are no paths.
double mean_path_length(const RenderStats& stats);

/// Returns active paths at the start of `bounce` over those of bounce 0; 0 if there were none.
double alive_share(const RenderStats& stats, size_t bounce);

/// Returns the share of the lanes of busy warps that hold an active path: alive / (32 busy_warps),
/// in (0, 1]. None if no busy warp was counted.
std::optional<double> lane_efficiency(const BounceStats& bounce);

/// Returns the bytes of path state moved per active path; none if no path is active.
std::optional<double> bytes_per_path(const BounceStats& bounce);

/// Estimates the time of each stage if culling were perfect and free, from a render that never
/// culls.
///
/// Intersect and shade run over the queue, so their time in each bounce shrinks to the share of
/// active lanes: time * lane_efficiency. Shadow rays are in a queue of their own without gaps, and
/// generate and film do not depend on culling: they keep their time. Culling costs 0. Assumes that
/// active paths run as fast in full warps as they did in sparse ones, and that skipping an empty
/// warp, which the times contain, costs nothing. None if a bounce with active paths has no count of
/// busy warps.
std::optional<StageMilliseconds> ideal_milliseconds(const RenderStats& none);

/// Returns the share of the possible gain that a mode reached: (none - mode) / (none - ideal), from
/// the sums of the stages, ms. Above 1 if it beat the model, below 0 if it was slower than `none`.
/// None if there is nothing to gain: the ideal saves less than kMinIdealGain of `none`.
std::optional<double> ideal_share_reached(double none, double mode, double ideal);
inline constexpr double kMinIdealGain = 0.01;

/// Estimates the time of intersect and shade at each bounce if all paths of the frame were still
/// active, ms; [bounce]: time * paths / (32 busy_warps).
///
/// If less than kMinBusyShare of the paths is left, the launch of a stage dominates its time; then
/// the value of the previous bounce is kept. 0 if nothing was measured.
std::vector<double> full_milliseconds(const RenderStats& stats);
inline constexpr double kMinBusyShare = 1.0 / 64;

/// Estimates the gain of culling at each bounce, if terminated paths cost as much as active ones,
/// ms; [bounce]: (1 - alive share) * full_milliseconds - time of the cull before the bounce. 0 at
/// bounce 0, which has nothing to cull.
std::vector<double> gain_milliseconds(const RenderStats& stats);

/// Returns the time that a mode saved at each bounce relative to a render that never culls, in all
/// stages and the cull after them, ms; [bounce]. Negative where the mode lost time; the sum is the
/// total gain.
std::vector<double> saved_milliseconds(const RenderStats& none, const RenderStats& mode);

}  // namespace winnow
