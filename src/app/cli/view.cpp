// SPDX-License-Identifier: MIT
#include "app/cli/view.h"

#include <fmt/core.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "base/error.h"
#include "scene/mesh.h"

namespace winnow {

View parse_view(const std::string& option, const std::string& text) {
  constexpr float kMaxFov = 180.0f;  // degrees
  const std::vector<float> n = parse_numbers(option, text, "X,Y,Z,DX,DY,DZ,FOV", 7);
  const View view{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}, n[6]};
  if (!is_near(view.eye)) throw UsageError(option + ": the eye is farther away than 1e9 m");
  if (view.direction == glm::vec3(0.0f)) throw UsageError(option + ": the direction is 0,0,0");
  if (!(view.horizontal_fov > 0.0f && view.horizontal_fov < kMaxFov))
    throw UsageError(fmt::format("{}: the field of view is {:g} degrees, not between 0 and 180",
                                 option, view.horizontal_fov));
  return view;
}

CameraDescription camera_of(const View& view, Size size) {
  const float half_width = std::tan(0.5f * glm::radians(view.horizontal_fov));
  const float half_height = half_width * float(size.height) / float(size.width);
  return {.position = view.eye,
          .look_at = view.eye + glm::normalize(view.direction),
          .vertical_fov = 2.0f * glm::degrees(std::atan(half_height))};
}

}  // namespace winnow
