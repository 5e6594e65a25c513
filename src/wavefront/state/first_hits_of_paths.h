// SPDX-License-Identifier: MIT
#pragma once

#include "shading/features.h"
#include "wavefront/state/render_settings.h"

namespace winnow {

/// Returns whether the paths themselves find the first hits that the film keeps, where the host
/// reads the state of waves; otherwise camera rays are traced again. Not in media, where a path may
/// scatter before its first surface.
inline bool paths_keep_first_hits(const RenderSettings& settings, const Features& features) {
  return settings.keep_first_hits && !settings.only_first_hits && !settings.regenerate &&
         settings.loop_in_use() == Loop::kWave && !features.media;
}

}  // namespace winnow
