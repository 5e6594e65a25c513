// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

/// Returns the value of --camera with the same eye and direction, an upright pinhole camera.
std::string view_text(const CameraDescription& camera, Size size);

/// Returns the object "camera" of a scene in Winnow JSON, on one line.
std::string camera_json(const CameraDescription& camera);

/// Returns `camera` moved as {"position": [x,y,z], "look_at": [x,y,z]} says, at the same focus
/// distance. Throws Error with the reason unless numbers are finite and the points differ.
CameraDescription moved_camera(const CameraDescription& camera, const std::string& json);

}  // namespace winnow
