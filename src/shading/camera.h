// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "compaction/simt/span.h"
#include "math/sampling.h"
#include "scene/camera_motion.h"

namespace winnow {

struct CameraRay {
  glm::vec3 origin{0.0f};                 ///< m
  glm::vec3 direction{0.0f, 0.0f, 1.0f};  ///< unit length
  float from_lens = 0.0f;                 ///< m, distance of `origin` from the lens
};

/// Camera with a pinhole or a thin lens, prepared for ray generation.
struct Camera {
  glm::vec3 position{0.0f};                                 ///< m, middle of the lens
  glm::vec3 right{1.0f, 0.0f, 0.0f}, up{0.0f, 1.0f, 0.0f};  ///< unit length, in the lens; with
                                                            ///< blades, a corner is on `right`
  glm::vec3 top_left{0.0f};  ///< from `position` to the film's corner, on the plane 1 m ahead, or
                             ///< through `position` if the camera is orthographic
  glm::vec3 pixel_x{0.0f}, pixel_y{0.0f};  ///< steps between pixels on that plane, right and down
  float lens_radius = 0.0f;                ///< m
  float focus_distance = 1.0f;             ///< m along the view axis
  Projection projection = Projection::kPerspective;
  glm::vec3 forward{0.0f, 0.0f, -1.0f};     ///< unit length
  uint32_t blades = 0;                      ///< number of corners of the lens; 0 is a disk
  float near_clip = 0.0f;                   ///< m along `forward`
  float far_clip = INFINITY;                ///< m along `forward`
  simt::Span<const CameraPose> poses = {};  ///< CameraDescription::motion, on the device
};

inline constexpr float kRadians = kPi / 180.0f;  ///< per degree

/// Prepares a camera at rest.
/// @param width, height  size of the film in pixels
inline Camera make_camera(const CameraDescription& description, uint32_t width, uint32_t height) {
  const auto [right, up, forward, target_distance] = view_axes(description);

  bool orthographic = description.projection == Projection::kOrthographic;
  float half_height = orthographic ? 0.5f * description.view_height
                                   : std::tan(0.5f * description.vertical_fov * kRadians);
  float half_width = half_height * float(width) / float(height) * description.pixel_aspect;
  glm::vec3 center = orthographic ? glm::vec3(0.0f) : forward;  // from `position`

  glm::vec3 lens_right = right, lens_up = up;
  if (description.blades > 0) {
    constexpr float kFromRightToUp = 90.0f;  // degrees
    float turn = (kFromRightToUp + description.blade_rotation) * kRadians;
    lens_right = std::cos(turn) * right + std::sin(turn) * up;
    lens_up = std::cos(turn) * up - std::sin(turn) * right;
  }

  bool focuses_on_target = description.focus_distance == 0.0f;
  return {.position = description.position,
          .right = lens_right,
          .up = lens_up,
          .top_left = center - half_width * right + half_height * up +
                      2.0f * description.shift.x * half_width * right +
                      2.0f * description.shift.y * half_height * up,
          .pixel_x = 2.0f * half_width / float(width) * right,
          .pixel_y = -2.0f * half_height / float(height) * up,
          .lens_radius = description.lens_radius,
          .focus_distance = focuses_on_target ? target_distance : description.focus_distance,
          .projection = description.projection,
          .forward = forward,
          .blades = description.blades,
          .near_clip = description.near_clip,
          .far_clip = description.far_clip};
}

/// Prepares a camera. `upload` copies its motion to the device, see make_device_scene().
template <class Upload>
Camera make_camera(const CameraDescription& description, uint32_t width, uint32_t height,
                   Upload upload) {
  Camera camera = make_camera(description, width, height);
  camera.poses = upload(description.motion);
  return camera;
}

/// Returns the width of a path's ray cone, m, for texture filtering. Scattering does not widen it.
///
/// @param distance  m, length of the path so far
/// Akenine-Moller et al., "Texture Level of Detail Strategies for Real-Time Ray Tracing", Ray
/// Tracing Gems, 2019.
SIMT_HOST_DEVICE inline float cone_width(const Camera& camera, float distance) {
  constexpr float kOfPixel = 0.25f;  // keeps textures sharp: the film's filter averages samples
  const float pixel = kOfPixel * glm::length(camera.pixel_y);
  return camera.projection == Projection::kOrthographic ? pixel : pixel * distance;
}

/// Samples a lens of radius 1 uniformly. Without blades, the mapping preserves compact strata.
SIMT_HOST_DEVICE inline glm::vec2 sample_lens(uint32_t blades, glm::vec2 u) {
  return blades == 0 ? sample_uniform_disk_concentric(u) : sample_regular_polygon(u, blades);
}

/// Returns a camera ray that starts at the near clipping plane.
///
/// @param origin  on the lens
SIMT_HOST_DEVICE inline CameraRay ray_from_near_plane(const Camera& camera, glm::vec3 origin,
                                                      glm::vec3 direction) {
  if (camera.near_clip == 0.0f) return {origin, direction};
  const float t_near = camera.near_clip / glm::dot(direction, camera.forward);
  return {origin + t_near * direction, direction, t_near};
}

/// Returns the distance from the near to the far clipping plane along a camera ray, m.
SIMT_HOST_DEVICE inline float far_distance(const Camera& camera, glm::vec3 direction) {
  return (camera.far_clip - camera.near_clip) / glm::dot(direction, camera.forward);
}

/// Returns a ray of the camera at rest as the moving camera casts it.
///
/// @param moment  in [0, 1), from the opening to the closing of the shutter
SIMT_HOST_DEVICE inline CameraRay moved_ray(const Camera& camera, const CameraRay& ray,
                                            float moment) {
  const CameraPose pose = pose_at(camera.poses, moment);
  return {pose.position + pose.turn * (ray.origin - camera.position),
          glm::normalize(pose.turn * ray.direction), ray.from_lens};
}

/// Generates the ray of a camera at rest through a point of the film and one of the lens.
///
/// @param film    pixels; (0, 0) is the top left corner of the film, (width, height) the opposite
/// @param lens_u  two independent uniforms in [0, 1) that choose the point of the lens
SIMT_HOST_DEVICE inline CameraRay generate_camera_ray(const Camera& camera, glm::vec2 film,
                                                      glm::vec2 lens_u) {
  glm::vec3 origin = camera.position;
  glm::vec3 ahead = camera.top_left + film.x * camera.pixel_x + film.y * camera.pixel_y;
  if (camera.projection == Projection::kOrthographic) {
    origin += ahead;
    ahead = camera.forward;
  }
  if (camera.lens_radius == 0.0f) return ray_from_near_plane(camera, origin, glm::normalize(ahead));

  // All rays of a film point intersect where the one through the center of the lens is in focus.
  glm::vec2 lens = camera.lens_radius * sample_lens(camera.blades, lens_u);
  glm::vec3 offset = lens.x * camera.right + lens.y * camera.up;
  return ray_from_near_plane(camera, origin + offset,
                             glm::normalize(camera.focus_distance * ahead - offset));
}

}  // namespace winnow
