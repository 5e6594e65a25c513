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

inline constexpr uint32_t kUnlimitedSpp = 0x7fffffff;  ///< more than any render reaches

/// When a render ends. Every pixel gets at least one sample, whatever the time limit.
struct RenderGoal {
  uint64_t pixel_count = 0;               ///< of those that are rendered
  uint32_t spp = 1;                       ///< samples per pixel
  std::optional<double> time_limit = {};  ///< s
  std::optional<double> noise = {};       ///< see noise.h; `spp` is then the maximum of any pixel
};

/// Where a render begins if that is not an empty film, and what happens while it runs.
struct PassPlan {
  FilmTiles tiles = {};                ///< to render; none: the whole image
  std::vector<uint32_t> samples = {};  ///< [pixel of the film], on it already; empty: none are
  uint64_t paths = 0;                  ///< that these samples took
  NoiseState noise = {};               ///< with RenderGoal::noise; of the end, after a render

  /// Saves the film, with the seconds since the start; null if nothing is to be saved.
  std::function<void(const NoiseState&, double seconds)> checkpoint = nullptr;
  double checkpoint_interval = 60.0;  ///< s
  bool keeps_interval = false;        ///< even where saving then takes more than 1 % of the
                                      ///< time, up to half of it

  /// Shows the film while it is rendered, and moves the camera: then the render begins again; null:
  /// nobody looks. Excludes several processes. Where there are `samples`, or a checkpoint, the
  /// camera must not move.
  LiveView* view = nullptr;

  /// Processes that render together, each with such a plan: all render the same passes, end when
  /// one of them is to end, and save when the first one would; null: this one alone.
  Processes* processes = nullptr;
};

/// Samples in the pass that begins with sample `first`: as many as there are already, but at least
/// those that keep the device busy, and not more than its most paths. Passes stay short, so that a
/// render that ends early has about the same number of samples everywhere.
uint32_t pass_size(uint32_t first, const RenderGoal& goal, PassPaths paths);

/// Samples of that pass that fit into the time limit at the mean speed so far; 0 if none does.
///
/// @param size          samples of the pass without a limit
/// @param samples_done  of each pixel, at least one
/// @param seconds       time that they took
uint32_t fitting_size(uint32_t size, uint32_t samples_done, double seconds, double time_limit);

/// So much of a pass that its film can be shown soon: what takes 0.8 s at the mean speed so far, or
/// up to 4 samples where they take at most 2 s, and at least one if there is one.
///
/// @param size          samples of the pass
/// @param samples_done  of each pixel, at least one
/// @param seconds       time that they took
uint32_t shown_size(uint32_t size, uint32_t samples_done, double seconds);

/// Seconds since a fixed point in time. Several threads call it.
using SecondsClock = std::function<double()>;

/// Renders until the goal is reached or an interrupt is requested, and prints the progress. Returns
/// the seconds that it took by `clock`. A second thread watches for the interrupt, the time limit
/// and the next checkpoint, 20 times a second, and then ends the pass in progress.
///
/// A pixel always has its first samples, [0, k), whatever ended a pass. Before the first pass, and
/// after one that a checkpoint ended, pixels with fewer samples than others get what they lack.
///
/// With a view, passes are short, and the film is shown between them. When the goal is reached, it
/// waits for moves of the camera as long as the view is watched; the seconds are those of the last
/// film.
double render_passes(Renderer& renderer, const RenderGoal& goal, const StopRequest& interrupt,
                     ProgressPrinter& printer, PassPlan& plan,
                     const SecondsClock& clock = steady_seconds);

/// The same for a whole image, from its first sample on.
double render_passes(Renderer& renderer, const RenderGoal& goal, const StopRequest& interrupt,
                     ProgressPrinter& printer, const SecondsClock& clock = steady_seconds);

}  // namespace winnow
