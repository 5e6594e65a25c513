#include "app/cli/stats_since.h"

#include <algorithm>

namespace winnow {

RenderStats stats_since(const RenderStats& before, RenderStats now) {
  now.paths -= before.paths;
  now.waves -= before.waves;
  now.host_seconds -= before.host_seconds;
  for (size_t b = 0; b < std::min(before.bounces.size(), now.bounces.size()); ++b) {
    const BounceStats& old = before.bounces[b];
    BounceStats& bounce = now.bounces[b];
    bounce.alive -= old.alive;
    bounce.queued -= old.queued;
    bounce.busy_warps -= old.busy_warps;
    bounce.waves -= old.waves;
    bounce.culls -= old.culls;
    bounce.state_bytes -= old.state_bytes;
    bounce.shadow_rays -= old.shadow_rays;
    for (size_t cause = 0; cause < kDeathCount; ++cause) bounce.deaths[cause] -= old.deaths[cause];
    for (size_t stage = 0; stage < kStageCount; ++stage)
      bounce.milliseconds[stage] -= old.milliseconds[stage];
  }
  return now;
}

}  // namespace winnow
