#pragma once

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/frame.h"
#include "math/sampling.h"
#include "scene/host_scene.h"

namespace winnow {

struct CameraRay {
  glm::vec3 origin{0.0f};                 ///< m
  glm::vec3 direction{0.0f, 0.0f, 1.0f};  ///< unit length
};

/// Pinhole or thin-lens camera, ready to make rays.
struct Camera {
  glm::vec3 position{0.0f};                                 ///< m, middle of the lens
  glm::vec3 right{1.0f, 0.0f, 0.0f}, up{0.0f, 1.0f, 0.0f};  ///< unit length, in the lens
  glm::vec3 top_left{0.0f};  ///< from `position` to the film's corner, on the plane 1 m ahead
  glm::vec3 pixel_x{0.0f}, pixel_y{0.0f};  ///< to the next pixel on that plane, right and down
  float lens_radius = 0.0f;                ///< m
  float focus_distance = 1.0f;             ///< m along the view axis
};

/// @param width, height  of the film in pixels
inline Camera make_camera(const CameraDescription& description, uint32_t width, uint32_t height) {
  glm::vec3 to_target = description.look_at - description.position;
  float target_distance = glm::length(to_target);
  glm::vec3 forward =
      target_distance > 0.0f ? to_target / target_distance : glm::vec3{0.0f, 0.0f, -1.0f};

  // Looking along `up` leaves the roll open: any will do.
  glm::vec3 right = glm::cross(forward, description.up);
  float right_length = glm::length(right);
  constexpr float kParallel = 1e-6f;  // sine of the angle between `forward` and `up`
  right = right_length > kParallel * glm::length(description.up) ? right / right_length
                                                                 : Frame(forward).s;
  glm::vec3 up = glm::cross(right, forward);

  float half_height = std::tan(0.5f * description.vertical_fov * (kPi / 180.0f));
  float half_width = half_height * float(width) / float(height);
  bool focuses_on_target = description.focus_distance == 0.0f;
  return {.position = description.position,
          .right = right,
          .up = up,
          .top_left = forward - half_width * right + half_height * up,
          .pixel_x = 2.0f * half_width / float(width) * right,
          .pixel_y = -2.0f * half_height / float(height) * up,
          .lens_radius = description.lens_radius,
          .focus_distance = focuses_on_target ? target_distance : description.focus_distance};
}

/// @param film    pixels; (0, 0) is the top left corner of the film, (width, height) the opposite
/// one
/// @param lens_u  two uniforms that choose the point on the lens
SIMT_HOST_DEVICE inline CameraRay generate_camera_ray(const Camera& camera, glm::vec2 film,
                                                      glm::vec2 lens_u) {
  glm::vec3 ahead = camera.top_left + film.x * camera.pixel_x + film.y * camera.pixel_y;
  if (camera.lens_radius == 0.0f) return {camera.position, glm::normalize(ahead)};

  // All rays of a film point meet where the one through the middle of the lens is in focus.
  glm::vec2 lens = camera.lens_radius * sample_uniform_disk_concentric(lens_u);
  glm::vec3 offset = lens.x * camera.right + lens.y * camera.up;
  return {camera.position + offset, glm::normalize(camera.focus_distance * ahead - offset)};
}

}  // namespace winnow
