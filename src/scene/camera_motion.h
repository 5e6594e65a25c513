// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <span>
#include <string>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/bounds.h"
#include "scene/host_scene.h"

namespace winnow {

/// Axes of a camera: a right-handed basis with `forward` along the view.
struct ViewAxes {
  glm::vec3 right, up, forward;  ///< unit length
  float target_distance;         ///< m, to `look_at`
};
ViewAxes view_axes(const CameraDescription& camera);

/// Steps of a shutter. A camera that jumps while the shutter is open is blurred across one step,
/// which receives less than one of 255 levels of the light.
inline constexpr size_t kShutterSteps = 256;

/// Returns the times of the steps of a shutter, from its opening to its closing, s.
std::vector<double> times_of_steps(const Shutter& shutter);

/// Sets CameraDescription::motion.
///
/// @param places  [moment] position, `look_at` and `up` of the camera, at equal steps from the
///                opening to the closing of the shutter; at least two. The other members are not
///                used: the lens does not change while the shutter is open.
/// A moving camera has no far clipping plane; this removes it.
void set_motion(CameraDescription& camera, std::span<const CameraDescription> places);

/// Returns a camera on the way from one to another: position, `look_at` and `up` are interpolated,
/// the position along a straight line and the orientation the short way, at constant speed.
///
/// @param t  [0, 1]
CameraDescription camera_between(const CameraDescription& from, const CameraDescription& to,
                                 double t);

/// Returns kShutterSteps or a few more steps along camera_between() from key to key, which are
/// equally far apart in time.
///
/// @param keys  at least two
std::vector<CameraDescription> shutter_steps(std::span<const CameraDescription> keys);

/// Returns a moving camera's place at a moment.
///
/// @param motion  [at least two], see CameraDescription::motion
/// @param moment  [0, 1], from the opening to the closing of the shutter
SIMT_HOST_DEVICE inline CameraPose pose_at(simt::Span<const CameraPose> motion, float moment) {
  const float step = moment * float(motion.size - 1);
  const uint32_t last = uint32_t(motion.size) - 2;
  const uint32_t first = uint32_t(step) < last ? uint32_t(step) : last;
  const float t = step - float(first);
  const CameraPose from = motion[first], to = motion[first + 1];
  // Neighbours differ by so little that a straight line between them is an arc.
  const glm::quat turn = (1.0f - t) * from.turn + t * to.turn;
  return {(1.0f - t) * from.position + t * to.position,
          (1.0f / std::sqrt(glm::dot(turn, turn))) * turn};
}

/// Returns whether the scene, or the medium of its camera in front of a sky, may reach behind the
/// far clipping plane.
bool may_reach_far_clip(const HostScene& scene);

/// Returns a warning if the far clipping plane of the camera, which set_motion() would remove, may
/// hide something; else nothing.
std::string far_clip_warning(const HostScene& scene);

/// Returns the box of all positions of a camera, m.
Bounds camera_positions(const CameraDescription& camera);

}  // namespace winnow
