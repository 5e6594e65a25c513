// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

// A camera as text, and back, for the page of --display web.

/// The value of --camera that looks from the same place. It has no lens, is upright and
/// perspective.
std::string view_text(const CameraDescription& camera, Size size);

/// The object "camera" of a scene in Winnow JSON, on one line.
std::string camera_json(const CameraDescription& camera);

/// Moves `camera` to where {"position": [x,y,z], "look_at": [x,y,z]} says, of finite numbers and
/// different points. Its focus stays at its distance. Throws Error with the reason alone.
CameraDescription moved_camera(const CameraDescription& camera, const std::string& json);

}  // namespace winnow
