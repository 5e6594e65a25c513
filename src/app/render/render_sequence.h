// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "app/render/render_image.h"
#include "app/sequence/sequence.h"

namespace winnow {

// Several images of one scene, which is loaded and built once: only the camera changes.

/// The options of one frame: its outputs have its number.
RenderOptions options_of_frame(RenderOptions options, uint32_t number);

/// The frames to render: with --skip-existing those of which a file is missing, as the first
/// process sees it.
std::vector<SequenceFrame> missing_frames(RenderJob& job, const RenderOptions& options,
                                          const std::vector<SequenceFrame>& frames);

/// The camera with which to make a renderer of all frames.
CameraDescription camera_around_frames(const std::vector<SequenceFrame>& frames,
                                       const RenderSettings& settings);

/// Renders and writes all frames, at least one. An interrupt ends it without the image in progress,
/// and a line says which are there. Returns the exit code.
///
/// @param plan   of each image
/// @param first  what loading and building took
int render_sequence(const RenderSetup& setup, RenderOptions options, const RenderGoal& goal,
                    const PassPlan& plan, const std::vector<SequenceFrame>& frames,
                    const RenderReport& first);

}  // namespace winnow
