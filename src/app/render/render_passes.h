#pragma once

#include <cstdint>
#include <optional>

#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "backend/renderer.h"

namespace winnow {

inline constexpr uint32_t kUnlimitedSpp = 0x7fffffff;  ///< more than any time suffices for

/// When a render ends. The time limit leaves every pixel at least one sample.
struct RenderGoal {
  uint64_t pixel_count = 0;
  uint32_t spp = 1;                       ///< samples per pixel
  std::optional<double> time_limit = {};  ///< s
  std::optional<double> noise = {};       ///< see noise.h; `spp` is then the most of any pixel
};

/// Samples in the pass that begins with sample `first`: 1, 1, 2, 4, 8, ... while that stays below
/// some ten million paths, so that a pass costs little and an early end leaves an even image.
uint32_t pass_size(uint32_t first, const RenderGoal& goal);

/// The same for a pass that should end with the time limit, by the speed so far; 0 if not one
/// sample fits. One that is slower than that is cut, and leaves the image uneven.
///
/// @param size          samples that the pass would have without a limit
/// @param samples_done  of each pixel, at least one
/// @param seconds       that they took
uint32_t fitting_size(uint32_t size, uint32_t samples_done, double seconds, double time_limit);

/// Renders up to the goal or an interrupt, whichever comes first, and shows the progress. Returns
/// the seconds that it took.
double render_passes(Renderer& renderer, const RenderGoal& goal, const Interrupt& interrupt,
                     ProgressPrinter& printer);

}  // namespace winnow
