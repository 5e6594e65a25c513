// SPDX-License-Identifier: MIT
#include "scene/camera_motion.h"

#include <algorithm>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "math/frame.h"
#include "scene/scene_bounds.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

/// Returns the rotation from the axes right, up and back to those of the camera.
glm::dquat orientation(const CameraDescription& camera) {
  const ViewAxes axes = view_axes(camera);
  return glm::normalize(glm::quat_cast(
      glm::dmat3(glm::dvec3(axes.right), glm::dvec3(axes.up), -glm::dvec3(axes.forward))));
}

}  // namespace

ViewAxes view_axes(const CameraDescription& camera) {
  const glm::vec3 to_target = camera.look_at - camera.position;
  const float target_distance = glm::length(to_target);
  const glm::vec3 forward =
      target_distance > 0.0f ? to_target / target_distance : glm::vec3{0.0f, 0.0f, -1.0f};

  // If the view direction is along `up`, the roll is arbitrary.
  glm::vec3 right = glm::cross(forward, camera.up);
  const float right_length = glm::length(right);
  constexpr float kParallel = 1e-6f;  // sine of the angle between `forward` and `up`
  right =
      right_length > kParallel * glm::length(camera.up) ? right / right_length : Frame(forward).s;
  return {right, glm::cross(right, forward), forward, target_distance};
}

std::vector<double> times_of_steps(const Shutter& shutter) {
  std::vector<double> times;
  for (size_t step = 0; step <= kShutterSteps; ++step)
    times.push_back(std::lerp(shutter.open, shutter.close, double(step) / kShutterSteps));
  return times;
}

void set_motion(CameraDescription& camera, std::span<const CameraDescription> places) {
  const glm::dquat back = glm::conjugate(orientation(camera));
  camera.motion.clear();
  camera.far_clip = std::numeric_limits<float>::infinity();
  for (const CameraDescription& place : places) {
    glm::quat turn(orientation(place) * back);
    // A rotation is two quaternions. Neighbours take those between which it is not far.
    if (!camera.motion.empty() && glm::dot(turn, camera.motion.back().turn) < 0.0f) turn = -turn;
    camera.motion.push_back({place.position, turn});
  }
}

CameraDescription camera_between(const CameraDescription& from, const CameraDescription& to,
                                 double t) {
  if (t == 0.0) return from;
  const glm::dquat turn = glm::slerp(orientation(from), orientation(to), t);
  const glm::dvec3 position = glm::mix(glm::dvec3(from.position), glm::dvec3(to.position), t);
  CameraDescription camera = from;
  camera.position = position;
  // A target as far away as the origin keeps rounding from changing the direction.
  camera.look_at = position + turn * glm::dvec3(0.0, 0.0, -std::max(1.0, glm::length(position)));
  camera.up = turn * glm::dvec3(0.0, 1.0, 0.0);
  return camera;
}

std::vector<CameraDescription> shutter_steps(std::span<const CameraDescription> keys) {
  const size_t segments = keys.size() - 1, parts = (kShutterSteps + segments - 1) / segments;
  std::vector<CameraDescription> steps;
  for (size_t i = 0; i < segments; ++i)
    for (size_t part = 0; part < parts; ++part)
      steps.push_back(camera_between(keys[i], keys[i + 1], double(part) / double(parts)));
  steps.push_back(keys.back());
  return steps;
}

bool may_reach_far_clip(const HostScene& scene) {
  const CameraDescription& camera = scene.camera;
  if (std::isinf(camera.far_clip)) return false;
  if (scene.camera_medium != kNoMedium && summarize(scene).has_sky) return true;
  const Bounds bounds = scene_bounds(scene);
  const float farthest =
      glm::distance(camera.position, bounds.center()) + 0.5f * glm::length(bounds.size());
  return farthest > camera.far_clip;
}

std::string far_clip_warning(const HostScene& scene) {
  if (!may_reach_far_clip(scene)) return "";
  return "the far clipping plane is left out: a camera that moves has none";
}

Bounds camera_positions(const CameraDescription& camera) {
  Bounds bounds;
  bounds.extend(camera.position);
  for (const CameraPose& pose : camera.motion) bounds.extend(pose.position);
  return bounds;
}

}  // namespace winnow
