// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <glm/geometric.hpp>

#include "scene/camera_motion.h"

namespace winnow {

/// Returns a camera as it is at one of the places of its motion, at rest.
inline CameraDescription placed_at(const CameraPose& pose, CameraDescription camera) {
  const ViewAxes axes = view_axes(camera);
  camera.position = pose.position;
  const float ahead = std::max(1.0f, glm::length(pose.position));
  camera.look_at = pose.position + ahead * (pose.turn * axes.forward);
  camera.up = pose.turn * axes.up;
  camera.motion.clear();
  return camera;
}

}  // namespace winnow
