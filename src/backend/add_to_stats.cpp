#include "backend/add_to_stats.h"

namespace winnow {

void add_to_stats(const TotalCounters& totals, const StageTimes& times, RenderStats& stats) {
  stats.bounces.resize(totals.alive.size);
  for (size_t b = 0; b < stats.bounces.size(); ++b) {
    BounceStats& bounce = stats.bounces[b];
    bounce.alive += totals.alive[b];
    bounce.shadow_rays += totals.shadow_rays[b];
    for (uint32_t d = 0; d < kDeathCount; ++d)
      bounce.deaths[d] += totals.deaths[b * kDeathCount + d];
    for (uint32_t s = 0; s < kStageCount; ++s) bounce.milliseconds[s] += times[b][s];
  }
  stats.paths = stats.bounces[0].alive;
}

}  // namespace winnow
