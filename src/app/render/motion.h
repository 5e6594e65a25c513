// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "app/render/render.h"
#include "backend/moving_renderer.h"
#include "scene/host_scene.h"

namespace winnow {

// Motion within a picture and from one picture of a sequence to the next.

/// Throws UsageError for a --shutter without anything that could move.
void check_shutter(const RenderOptions& options);

/// Returns the time on the clock of the scene file that an image shows, s; nothing for the rest
/// pose, or the middle of the shutter that the file states.
/// @param frame_time  time of the image in its sequence, s
std::optional<double> time_of_objects(const RenderOptions& options, double frame_time);

/// Returns when the shutter of an image is open, on the clock of the scene file; nothing for an
/// image of a moment.
/// @param file_shutter  HostScene::shutter
std::optional<Shutter> shutter_of_objects(const RenderOptions& options,
                                          const std::optional<Shutter>& file_shutter,
                                          double frame_time);

/// Adds the motion of the camera to a single image: while `shutter` is open, or none.
/// Sequences move their cameras by themselves.
/// @param scene  as load_scene() returns it; receives a warning for a --shutter without motion
void blur_camera(const RenderOptions& options, const std::optional<Shutter>& shutter,
                 HostScene& scene);

/// Returns the scenes of an image as its file has them.
/// @param file_shutter, frame_time  as above
MovingRenderer::SceneAt scenes_of_file(const RenderOptions& options,
                                       const std::optional<Shutter>& file_shutter,
                                       double frame_time);

/// Returns scenes with the options of the command.
/// @param scene  has what all scenes share: size, filter and medium of the camera; must outlive
/// them
MovingRenderer::SceneAt with_options(const RenderOptions& options, const HostScene& scene,
                                     MovingRenderer::SceneAt scene_at);

}  // namespace winnow
