// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "app/render/render_image.h"
#include "app/sequence/sequence.h"

namespace winnow {

// Several images of one scene, which is loaded and built once: only the camera changes.

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
/// @param plan   plan of each image
/// @param first  report with the times of loading and building
int render_sequence(const RenderSetup& setup, RenderOptions options, const RenderGoal& goal,
                    const PassPlan& plan, const std::vector<SequenceFrame>& frames,
                    const RenderReport& first);

}  // namespace winnow
