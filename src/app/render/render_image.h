// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/choose_device.h"
#include "app/render/checkpoint.h"
#include "app/render/render_job.h"
#include "app/render/render_passes.h"
#include "app/render/stats_json.h"
#include "app/sequence/sequence.h"
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

/// Objects that all images of a render share.
struct RenderSetup {
  RenderJob& job;
  const HostScene& scene;
  const ChosenDevice& device;
  Renderer& renderer;
  Checkpoints& checkpoints;
  const std::optional<Denoiser>& denoiser;
  const StopRequest& interrupt;
  ProgressPrinter& printer;
  /// Returns the scenes of an image of a sequence; null: all images have the same
  std::function<MovingRenderer::SceneAt(const SequenceFrame&)> scenes_of_frame = nullptr;
};

/// Renders the samples of one image and completes the report except for its files. Returns the time
/// in seconds. If the renderer cannot go on and its film remains, as for a SliceError of a process
/// that is alone, the report says why.
///
/// @param earlier  record of the film that it continues, if any
double render_image(const RenderSetup& setup, const RenderGoal& goal, PassPlan& plan,
                    const std::optional<RenderRecord>& earlier, RenderReport& report);

/// Adds scene and devices to a report.
void describe_render(const RenderSetup& setup, const RenderOptions& options, RenderReport& report);

/// Writes all files of the image except the statistics of a sequence, and prints their names.
/// Completes the report. Returns the exit code.
///
/// @param seconds  result of render_image()
int finish_image(const RenderSetup& setup, const RenderOptions& options, const RenderGoal& goal,
                 const PassPlan& plan, double seconds, RenderReport& report);

/// Writes all films, images and AOVs of the film while it renders. Returns a line that names them.
/// Throws the first failure.
std::string save_images(const RenderSetup& setup, const RenderOptions& options,
                        const PassPlan& plan, double seconds);

/// Returns "16", or "2.37" if the number of samples differs between pixels.
std::string spp_text(uint64_t paths, uint64_t pixel_count);

// Several images of one scene, which is loaded and built once if only the camera changes.

/// Returns the options of one frame: its outputs have its number.
RenderOptions options_of_frame(RenderOptions options, uint32_t number);

/// Returns the frames to render; with --skip-existing only those with a missing file, as the first
/// process sees it.
std::vector<SequenceFrame> missing_frames(RenderJob& job, const RenderOptions& options,
                                          const std::vector<SequenceFrame>& frames);

/// Returns the camera with which to make a renderer for all frames.
CameraDescription camera_around_frames(const std::vector<SequenceFrame>& frames,
                                       const RenderSettings& settings);

/// Renders and writes all frames, at least one. An interrupt ends it without the image in progress,
/// and a line names the complete ones. Returns the exit code.
///
/// @param first  report with the times of loading and building
int render_sequence(const RenderSetup& setup, RenderOptions options, const RenderGoal& goal,
                    const PassPlan& plan, const std::vector<SequenceFrame>& frames,
                    const RenderReport& first);

}  // namespace winnow
