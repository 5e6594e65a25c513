// SPDX-License-Identifier: MIT
#include "backend/collect_results.h"

#include <algorithm>
#include <numeric>

#include "bvh/wide_bvh.h"
#include "compaction/simt/simt.h"
#include "wavefront/stage/intersect.h"
#include "wavefront/stage/shade.h"
#include "wavefront/stage/shadow.h"

namespace winnow {
namespace {

uint64_t ended_at(const BounceTotals& total) {
  return std::accumulate(std::begin(total.terminations), std::end(total.terminations), uint64_t(0));
}

/// Returns the bytes of path state that one bounce reads and writes.
uint64_t state_bytes(const BounceTotals& total, uint64_t alive, uint64_t survivors, uint64_t died,
                     Cull cull) {
  const uint64_t lit = total.terminations[uint32_t(Termination::kEscaped)] +
                       total.terminations[uint32_t(Termination::kHitLight)];
  uint64_t bytes = alive * (IntersectClosest<WideBvh>::kStateBytes +
                            ShadeSurface<DeviceScene<kBasic>>::kStateBytes) +
                   survivors * ShadeSurface<DeviceScene<kBasic>>::kSurvivorBytes +
                   died * ShadeSurface<DeviceScene<kBasic>>::kTerminationBytes +
                   lit * ShadeSurface<DeviceScene<kBasic>>::kLitBytes +
                   total.unoccluded * TraceShadowRays<WideBvh, DeviceScene<kBasic>>::kStateBytes;
  if (moves_in_pass(cull)) bytes += survivors * 2 * 3 * sizeof(Packed);
  return bytes;
}

}  // namespace

void add_to_stats(simt::Span<const BounceTotals> totals, const RenderSettings& settings,
                  RenderStats& stats) {
  constexpr double kNanosecondsPerMillisecond = 1e6;
  const bool by_iterations = settings.loop_in_use() == Loop::kWave && !settings.regenerate;
  stats.bounces.resize(totals.size);
  uint64_t alive = 0;  // before the first bounce: all paths that ended
  for (const BounceTotals& total : totals) alive += ended_at(total);
  stats.paths += alive;
  for (size_t b = 0; b < totals.size; ++b) {
    const BounceTotals& total = totals[b];
    BounceStats& bounce = stats.bounces[b];
    uint64_t died = ended_at(total);
    uint64_t survivors = by_iterations ? total.survivors : alive - died;
    bounce.alive += alive;
    bounce.queued += total.queued;
    bounce.busy_warps += total.busy_warps;
    bounce.waves += total.waves;
    bounce.culls += total.culls;
    if (settings.loop_in_use() == Loop::kWave)
      bounce.state_bytes += state_bytes(total, alive, survivors, died, settings.cull);
    bounce.shadow_rays += total.shadow_rays;
    for (uint32_t d = 0; d < kTerminationCount; ++d)
      bounce.terminations[d] += total.terminations[d];
    for (uint32_t s = 0; s < kStageCount; ++s)
      bounce.milliseconds[s] += double(total.nanoseconds[s]) / kNanosecondsPerMillisecond;
    alive = survivors;
  }
}

void add_stats(RenderStats& stats, const RenderStats& other) {
  stats.paths += other.paths;
  stats.waves += other.waves;
  stats.host_seconds += other.host_seconds;
  stats.bounces.resize(std::max(stats.bounces.size(), other.bounces.size()));
  for (size_t b = 0; b < other.bounces.size(); ++b) {
    for (const auto& [name, count] : kBounceCounts)
      stats.bounces[b].*count += other.bounces[b].*count;
    for (size_t d = 0; d < kTerminationCount; ++d)
      stats.bounces[b].terminations[d] += other.bounces[b].terminations[d];
    for (size_t s = 0; s < kStageCount; ++s)
      stats.bounces[b].milliseconds[s] += other.bounces[b].milliseconds[s];
  }
}

std::vector<AliveMask> make_alive_masks(const std::vector<uint32_t>& words,
                                        const std::vector<uint32_t>& entries,
                                        uint32_t words_per_bounce) {
  std::vector<AliveMask> masks;
  for (size_t bounce = 0; bounce < entries.size() && entries[bounce] > 0; ++bounce) {
    auto first = words.begin() + ptrdiff_t(bounce * words_per_bounce);
    uint32_t count = simt::ceil_div(entries[bounce], simt::kWarpSize);
    masks.push_back({entries[bounce], {first, first + count}});
  }
  return masks;
}

}  // namespace winnow
