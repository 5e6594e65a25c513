// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "app/render/render.h"
#include "backend/moving_renderer.h"
#include "scene/host_scene.h"

namespace winnow {

// Motion blur of one image. Sequences blur the motion of their cameras by themselves.

/// Throws UsageError for a --shutter without anything that could move.
void check_shutter(const RenderOptions& options);

/// Adds the motion of the camera while the shutter is open. Returns when that is, on the clock of
/// the file, if anything moves; nothing for an image of a moment.
/// @param scene  as load_scene() returns it; receives a warning for a --shutter without motion
std::optional<Shutter> blur_motion(const RenderOptions& options, HostScene& scene);

/// Returns the scene of a time slice with the options of the command: objects as in the
/// middle of the slice, the camera with its motion during the slice.
/// @param scene  the scene of the middle of `shutter`, with the whole motion of its camera
HostScene scene_of_slice(const RenderOptions& options, const HostScene& scene,
                         const Shutter& shutter, const TimeSlices& slices, uint32_t slice);

}  // namespace winnow
