// SPDX-License-Identifier: MIT
#include "scene/frame_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "scene/scene_bounds.h"

namespace winnow {
namespace {

/// The fraction of a side of the bounds that is covered by triangles in its plane.
/// @param axis  x, y or z
/// @param end   0 is the side at the minimum, 1 the one at the maximum
float covered_fraction(const HostScene& scene, const Bounds& bounds, int axis, int end) {
  constexpr float kThickness = 0.03f;  // of the extent: walls are seldom exactly planar
  glm::vec3 size = bounds.size();
  float plane = end ? bounds.max[axis] : bounds.min[axis];
  float side = size[(axis + 1) % 3] * size[(axis + 2) % 3];
  float covered = 0.0f;
  for (glm::uvec3 triangle : scene.triangles) {
    glm::vec3 a = scene.positions[triangle.x], b = scene.positions[triangle.y],
              c = scene.positions[triangle.z];
    float farthest =
        std::max({std::abs(a[axis] - plane), std::abs(b[axis] - plane), std::abs(c[axis] - plane)});
    if (farthest <= kThickness * size[axis])
      covered += 0.5f * std::abs(glm::cross(b - a, c - a)[axis]);
  }
  return side > 0.0f ? covered / side : 0.0f;
}

/// The direction out of the open side, if the scene is a room.
std::optional<glm::vec3> open_side(const HostScene& scene, const Bounds& bounds) {
  constexpr float kWall = 0.6f, kOpen = 0.2f;
  bool floor = covered_fraction(scene, bounds, 1, 0) >= kWall;
  bool ceiling = covered_fraction(scene, bounds, 1, 1) >= kWall;
  if (!floor && !ceiling) return std::nullopt;

  std::optional<glm::vec3> out;
  for (int axis : {0, 2})
    for (int end : {0, 1}) {
      float covered = covered_fraction(scene, bounds, axis, end);
      if (covered >= kWall) continue;
      if (covered > kOpen || out) return std::nullopt;
      out = glm::vec3(0.0f);
      (*out)[axis] = end ? 1.0f : -1.0f;
    }
  return out;
}

/// +1 or -1: the end of the z axis from which an object is seen. That is +z, except for a long body
/// whose upper part is towards -z: an animal that faces that way.
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

/// The nearest camera with view direction -`back` that sees all points: each of the four sides of
/// its frustum touches the scene, or two opposite ones do.
CameraDescription fit_camera(const std::vector<glm::vec3>& points, glm::vec3 back,
                             float vertical_fov, float aspect, float fill) {
  glm::vec3 right = glm::normalize(glm::cross(glm::vec3(0, 1, 0), back));
  glm::vec3 up = glm::cross(back, right);
  float tan_y = fill * std::tan(glm::radians(0.5f * vertical_fov));
  glm::vec2 slope(tan_y * aspect, tan_y);

  // A point p is visible from a camera at c if |dot(p - c, right)| <= slope.x * depth, where
  // depth = dot(c - p, back); likewise along `up`. Each `reach` is the tightest such bound.
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

}  // namespace

void frame_scene(HostScene& scene) {
  Bounds bounds = scene_bounds(scene);
  // Relative to the centre, so that no digits are lost far from the origin.
  std::vector<glm::vec3> points;
  for_each_outline_point(scene, [&](glm::vec3 p) { points.push_back(p - bounds.center()); });
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

Sky soft_sky() {
  return {.zenith = {1.50f, 1.55f, 1.65f},
          .horizon = {0.58f, 0.56f, 0.53f},
          .ground = {0.15f, 0.165f, 0.19f}};
}

void complete_lone_mesh_scene(HostScene& scene, const Mesh& mesh) {
  constexpr uint32_t kSize = 768;  // pixels
  scene.width = scene.height = kSize;
  add_mesh(scene, mesh, glm::mat4(1.0f), 0);
  frame_scene(scene);
  if (std::none_of(scene.materials.begin(), scene.materials.end(), emits)) scene.sky = soft_sky();
}

}  // namespace winnow
