// SPDX-License-Identifier: MIT
#include "scene/frame_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "math/constants.h"
#include "scene/room.h"
#include "scene/scene_bounds.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

/// Returns +1 or -1, the end of the z axis from which an object is seen: +z, except for a long body
/// whose upper part is towards -z, such as an animal that faces -z.
float front(const HostScene& scene, const Bounds& bounds) {
  constexpr float kLong = 1.5f, kUpperPart = 0.75f, kLean = 0.1f;
  glm::vec3 size = bounds.size();
  if (size.z < kLong * size.x) return 1.0f;

  double area = 0.0, moment = 0.0;
  for (glm::uvec3 triangle : scene.triangles) {
    glm::vec3 a = scene.positions[triangle.x], b = scene.positions[triangle.y],
              c = scene.positions[triangle.z];
    glm::vec3 middle = (a + b + c) / 3.0f;
    if (middle.y < bounds.min.y + kUpperPart * size.y) continue;
    double weight = glm::length(glm::cross(b - a, c - a));
    area += weight;
    moment += weight * (middle.z - bounds.center().z);
  }
  return moment < -kLean * size.z * area ? -1.0f : 1.0f;
}

/// Returns the nearest camera with view direction -`back` that sees all points: either all four
/// sides of its frustum touch the scene, or two opposite ones.
CameraDescription fit_camera(const std::vector<glm::vec3>& points, glm::vec3 back,
                             float vertical_fov, float aspect, float fill) {
  glm::vec3 right = glm::normalize(glm::cross(glm::vec3(0, 1, 0), back));
  glm::vec3 up = glm::cross(back, right);
  float tan_y = fill * std::tan(glm::radians(0.5f * vertical_fov));
  glm::vec2 slope(tan_y * aspect, tan_y);

  // A point p is visible from a camera at c if |dot(p - c, right)| <= slope.x * depth, where
  // depth = dot(c - p, back), and the corresponding holds along `up`. `high` and `low` are the
  // tightest such bounds.
  glm::vec2 high(std::numeric_limits<float>::lowest()), low(std::numeric_limits<float>::lowest());
  float nearest = std::numeric_limits<float>::lowest();
  for (glm::vec3 p : points) {
    glm::vec2 across(glm::dot(p, right), glm::dot(p, up));
    float toward = glm::dot(p, back);
    high = glm::max(high, across + slope * toward);
    low = glm::max(low, -across + slope * toward);
    nearest = std::max(nearest, toward);
  }
  glm::vec2 depth = (high + low) / (2.0f * slope);
  glm::vec2 center = 0.5f * (high - low);
  float distance = std::max(depth.x, depth.y);

  CameraDescription camera;
  camera.position = center.x * right + center.y * up + distance * back;
  camera.look_at = camera.position - (distance - nearest) * back;
  camera.vertical_fov = vertical_fov;
  return camera;
}

/// Returns the distance along a ray to a triangle; infinite if the ray misses it.
/// Moller & Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997.
float hit_distance(glm::vec3 a, glm::vec3 b, glm::vec3 c, glm::vec3 origin, glm::vec3 direction) {
  const glm::vec3 edge_u = b - a, edge_v = c - a, p = glm::cross(direction, edge_v);
  const float determinant = glm::dot(edge_u, p);
  if (determinant == 0.0f) return kInfinity;
  const glm::vec3 from_a = origin - a, q = glm::cross(from_a, edge_u);
  const float u = glm::dot(from_a, p) / determinant, v = glm::dot(direction, q) / determinant;
  const float t = glm::dot(edge_v, q) / determinant;
  return u >= 0.0f && v >= 0.0f && u + v <= 1.0f && t > 0.0f ? t : kInfinity;
}

/// Returns how open the view from `eye` is: the mean distance to the scene along rays around the
/// direction of `target`, m.
float open_view(const HostScene& scene, glm::vec3 eye, glm::vec3 target) {
  constexpr size_t kMaxTriangles = 1'000'000;  // a larger scene is sampled evenly
  const size_t step = scene.triangles.size() / kMaxTriangles + 1;
  const glm::vec3 forward = target - eye;
  const glm::vec3 right = glm::cross(forward, glm::vec3(0, 1, 0)),
                  up(0.0f, glm::length(forward), 0);
  float sum = 0.0f;
  int count = 0;
  for (float x : {-0.5f, -0.25f, 0.0f, 0.25f, 0.5f})
    for (float y : {-0.4f, 0.0f, 0.3f}) {
      const glm::vec3 direction = glm::normalize(forward + x * right + y * up);
      float nearest = glm::length(forward);
      for (size_t i = 0; i < scene.triangles.size(); i += step) {
        const glm::uvec3 corners = scene.triangles[i];
        nearest =
            std::min(nearest, hit_distance(scene.positions[corners.x], scene.positions[corners.y],
                                           scene.positions[corners.z], eye, direction));
      }
      sum += nearest;
      ++count;
    }
  return sum / float(count);
}

/// Returns a camera inside of a closed room, at eye height near the corner with the most open view,
/// that looks at the middle.
CameraDescription view_inside(const HostScene& scene, const Bounds& bounds) {
  constexpr float kFov = 60.0f;
  constexpr float kInset = 0.1f;                      // distance from the walls over the extent
  constexpr float kEyeHeight = 0.6f, kTarget = 0.4f;  // over the height
  const glm::vec3 size = bounds.size();
  CameraDescription best;
  float best_view = -1.0f;
  for (float x : {1.0f - kInset, kInset})
    for (float z : {1.0f - kInset, kInset}) {
      const glm::vec3 eye = bounds.min + glm::vec3(x, kEyeHeight, z) * size;
      const glm::vec3 target = bounds.min + glm::vec3(0.5f, kTarget, 0.5f) * size;
      const float view = open_view(scene, eye, target);
      if (view <= best_view) continue;
      best_view = view;
      best = {.position = eye, .look_at = target, .vertical_fov = kFov};
    }
  return best;
}

/// Returns a lamp below the middle of the ceiling.
DeltaLight ceiling_lamp(const Bounds& bounds) {
  constexpr float kHeight = 0.85f;    // over the height of the room
  constexpr float kIntensity = 0.4f;  // W sr^-1 per m^2 of the floor: white walls do not clip
  const glm::vec3 size = bounds.size();
  return {.position = bounds.min + glm::vec3(0.5f, kHeight, 0.5f) * size,
          .intensity = glm::vec3(kIntensity * size.x * size.z)};
}

}  // namespace

void frame_scene(HostScene& scene) {
  std::vector<glm::vec3> points;
  Bounds bounds;
  for_each_outline_point(scene, [&](glm::vec3 p) {
    points.push_back(p);
    bounds.extend(p);
  });
  if (is_closed_room(scene, bounds)) {
    scene.camera = view_inside(scene, bounds);
    return;
  }
  // Points are relative to the centre, so that no digits are lost far from the origin.
  for (glm::vec3& p : points) p -= bounds.center();
  float aspect = float(scene.width) / float(scene.height);

  if (std::optional<glm::vec3> out = open_side(scene, bounds)) {
    constexpr float kFov = 40.0f, kFill = 0.99f;
    scene.camera = fit_camera(points, *out, kFov, aspect, kFill);
  } else {
    constexpr float kFov = 30.0f, kFill = 0.9f;
    const float kAzimuth = glm::radians(30.0f), kElevation = glm::radians(20.0f);
    glm::vec3 back(std::sin(kAzimuth) * std::cos(kElevation), std::sin(kElevation),
                   std::cos(kAzimuth) * std::cos(kElevation));
    if (front(scene, bounds) < 0.0f) back *= glm::vec3(-1.0f, 1.0f, -1.0f);
    scene.camera = fit_camera(points, back, kFov, aspect, kFill);
  }
  scene.camera.position += bounds.center();
  scene.camera.look_at += bounds.center();
}

void light_scene(HostScene& scene) {
  const bool has_lamp = summarize(scene).has_light();
  add_soft_sky(scene);
  const Bounds bounds = scene_bounds(scene);
  if (has_lamp || !is_closed_room(scene, bounds)) return;
  scene.delta_lights.push_back(ceiling_lamp(bounds));
  scene.warnings.push_back(
      "the scene is a closed room without a light; a lamp is added below its ceiling");
}

void complete_lone_mesh_scene(HostScene& scene, const Mesh& mesh) {
  constexpr uint32_t kSize = 768;  // pixels
  scene.width = scene.height = kSize;
  add_mesh(scene, mesh, glm::mat4(1.0f), 0);
  frame_scene(scene);
  if (std::none_of(scene.materials.begin(), scene.materials.end(), emits)) light_scene(scene);
}

}  // namespace winnow
