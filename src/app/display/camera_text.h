// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

// Conversion of a camera to text and back, for the page of --display web.

/// Returns the value of --camera with the same eye and direction: a perspective, upright pinhole
/// camera.
std::string view_text(const CameraDescription& camera, Size size);

/// Returns the object "camera" of a scene in Winnow JSON, on one line.
std::string camera_json(const CameraDescription& camera);

/// Returns `camera` moved as {"position": [x,y,z], "look_at": [x,y,z]} says. The numbers must be
/// finite and the points different. The focus distance stays the same. Throws Error with the
/// reason.
CameraDescription moved_camera(const CameraDescription& camera, const std::string& json);

}  // namespace winnow
