#pragma once

#include <glm/vec3.hpp>
#include <string>

#include "app/cli/option_values.h"
#include "scene/host_scene.h"

namespace winnow {

/// Where --camera looks from and to; +y is up.
struct View {
  glm::vec3 eye{0.0f}, direction{0.0f};
  float horizontal_fov = 0.0f;  ///< degrees
};

inline constexpr const char* kViewHelp =
    "eye, direction and horizontal field of view in degrees:\nX,Y,Z,DX,DY,DZ,FOV; +y is up "
    "(default: the scene's)";

/// X,Y,Z,DX,DY,DZ,FOV. Throws UsageError, as all in option_values.h.
View parse_view(const std::string& option, const std::string& text);

/// The view's camera, a pinhole, for a film of this size.
CameraDescription camera_of(const View& view, Size size);

}  // namespace winnow
