// SPDX-License-Identifier: MIT
#pragma once

#include <glm/vec3.hpp>
#include <string>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

/// A value of --camera; +y is up.
struct View {
  glm::vec3 eye{0.0f}, direction{0.0f};
  float horizontal_fov = 0.0f;  ///< degrees
};

/// Parses X,Y,Z,DX,DY,DZ,FOV. Throws UsageError.
View parse_view(const std::string& option, const std::string& text);

/// Returns the pinhole camera of a view for a film of `size` pixels.
CameraDescription camera_of(const View& view, Size size);

}  // namespace winnow
