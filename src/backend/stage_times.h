#pragma once

#include <array>
#include <vector>

#include "wavefront/render_stats.h"

namespace winnow {

/// Milliseconds of each stage, bounce by bounce.
using StageTimes = std::vector<std::array<double, kStageCount>>;

}  // namespace winnow
