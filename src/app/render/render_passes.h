// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "app/cli/interrupt.h"
#include "app/cli/progress.h"
#include "app/render/noise.h"
#include "backend/renderer.h"
#include "base/nanoseconds.h"
#include "film/film_tiles.h"
#include "processes/processes.h"

namespace winnow {

class LiveView;

inline constexpr uint32_t kUnlimitedSpp = 0x7fffffff;  ///< more than any render takes

/// The condition that ends a render. Every pixel gets at least one sample, whatever the time limit.
struct RenderGoal {
  uint64_t pixel_count = 0;               ///< pixels to render
  uint32_t spp = 1;                       ///< samples per pixel
  std::optional<double> time_limit = {};  ///< s
  std::optional<double> noise = {};       ///< see noise.h; `spp` is then the maximum of any pixel
  uint32_t least_pass = 1;                ///< least samples per pixel of a pass
};

/// The initial state of a render, and actions while it runs.
struct PassPlan {
  FilmTiles tiles = {};                ///< tiles to render; none: the whole image
  std::vector<uint32_t> samples = {};  ///< [pixel], samples on the film already; empty: none
  uint64_t paths = 0;                  ///< paths of these samples
  NoiseState noise = {};               ///< for RenderGoal::noise; receives the final state

  /// Saves the film; receives the seconds since the start. Null: no checkpoints.
  std::function<void(const NoiseState&, double seconds)> checkpoint = nullptr;
  double checkpoint_interval = 60.0;  ///< s
  bool keeps_interval = false;        ///< saving may take half of the time instead of 1 %

  /// Shows the film while it is rendered, and moves the camera, which restarts the render; null: no
  /// display. Excludes several processes. With `samples` or a checkpoint, the camera must not move.
  LiveView* view = nullptr;

  /// Processes that render together, each with such a plan; null: this process alone. All render
  /// the same passes, end when one of them has to end, and save when the first one saves.
  Processes* processes = nullptr;
};

/// Returns the samples per pixel of the pass that starts with sample `first`: as many as there are
/// already, but at least as many as keep the device busy, and at most `paths.most` paths. Passes
/// stay short, so that a render that ends early has about the same number of samples everywhere.
uint32_t pass_size(uint32_t first, const RenderGoal& goal, PassPaths paths);

/// Returns the samples per pixel of a pass that fit into the time limit at the mean speed so far,
/// possibly 0.
///
/// @param size          samples per pixel without a limit
/// @param samples_done  samples of each pixel so far, at least one
/// @param seconds       time spent on them
uint32_t fitting_size(uint32_t size, uint32_t samples_done, double seconds, double time_limit);

/// Returns the samples per pixel of a pass whose film is shown afterwards: as many as take 0.8 s at
/// the mean speed so far, or up to 4 if they take at most 2 s, but at least one if `size` is not 0.
///
/// @param size  samples per pixel without a display; the others are as in fitting_size()
uint32_t shown_size(uint32_t size, uint32_t samples_done, double seconds);

/// Returns the seconds since a fixed point in time. Several threads call it.
using SecondsClock = std::function<double()>;

/// Renders until the goal is reached or an interrupt is requested, and prints the progress. Returns
/// the time in seconds by `clock`. A second thread checks the interrupt, the time limit and the
/// next checkpoint 20 times a second and ends the pass in progress if necessary.
///
/// A pixel always has its first samples, [0, k), whatever ended a pass. Before the first pass, and
/// after one that a checkpoint ended, pixels with fewer samples than others get the missing ones.
///
/// With a view, passes are short, and the film is shown between them. When the goal is reached, the
/// function waits for moves of the camera as long as the view is watched; the time is that of the
/// last film.
double render_passes(Renderer& renderer, const RenderGoal& goal, const StopRequest& interrupt,
                     ProgressPrinter& printer, PassPlan& plan,
                     const SecondsClock& clock = steady_seconds);

}  // namespace winnow
