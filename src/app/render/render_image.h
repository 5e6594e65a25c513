// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "app/cli/choose_device.h"
#include "app/render/checkpoint.h"
#include "app/render/render_job.h"
#include "app/render/render_passes.h"
#include "app/render/stats_json.h"
#include "base/nanoseconds.h"

namespace winnow {

/// Runs `work` and adds the time that it takes to `seconds`.
template <class Work>
auto timed(double& seconds, Work work) {
  struct Timer {
    double& seconds;
    double start = steady_seconds();
    ~Timer() { seconds += steady_seconds() - start; }
  } timer{seconds};
  return work();
}

/// What all images of a render have in common.
struct RenderSetup {
  RenderJob& job;
  const HostScene& scene;
  const ChosenDevice& device;
  Renderer& renderer;
  Checkpoints& checkpoints;
  const std::optional<Denoiser>& denoiser;
  const StopRequest& interrupt;
  ProgressPrinter& printer;
};

/// Renders the samples of one image and completes the report but for its files. Returns the seconds
/// that it took.
///
/// @param earlier  of the film that it continues, if it does
double render_image(const RenderSetup& setup, const RenderGoal& goal, PassPlan& plan,
                    const std::optional<RenderRecord>& earlier, RenderReport& report);

/// Completes what a report says of scene and devices.
void describe_render(const RenderSetup& setup, const RenderOptions& options, RenderReport& report);

/// Writes all files of the image on the film, but for the statistics of a sequence, and prints what
/// they are. Completes the report. Returns the exit code.
///
/// @param seconds  those of render_image()
int finish_image(const RenderSetup& setup, const RenderOptions& options, const RenderGoal& goal,
                 const PassPlan& plan, double seconds, RenderReport& report);

/// "16", or "2.37" if the number of samples differs between pixels.
std::string spp_text(uint64_t paths, uint64_t pixel_count);

}  // namespace winnow
