// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "app/cli/option_table.h"
#include "app/cli/option_values.h"
#include "app/display/socket.h"
#include "scene/host_scene.h"

namespace winnow {

/// A value of --display.
struct DisplayRequest {
  enum class Kind { kTev, kWeb };

  Kind kind = Kind::kWeb;
  Address address;
};

OptionRow display_option(std::optional<DisplayRequest>& display);

/// Parses tev, tev:HOST:PORT, web, web:PORT or web:HOST:PORT; an IPv6 address has brackets. Throws
/// UsageError, which names `option` and the expected form.
DisplayRequest parse_display(const std::string& option, const std::string& text);

/// Returns the value of --camera with the same eye and direction, an upright pinhole camera.
std::string view_text(const CameraDescription& camera, Size size);

/// Returns the object "camera" of a scene in Winnow JSON, on one line.
std::string camera_json(const CameraDescription& camera);

/// Returns `camera` moved as {"position": [x,y,z], "look_at": [x,y,z]} says, at the same focus
/// distance. Throws Error with the reason unless numbers are finite and the points differ.
CameraDescription moved_camera(const CameraDescription& camera, const std::string& json);

}  // namespace winnow
