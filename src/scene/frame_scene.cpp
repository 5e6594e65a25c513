// SPDX-License-Identifier: MIT
#include "scene/frame_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vector_relational.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "math/constants.h"
#include "scene/scene_bounds.h"
#include "scene/scene_summary.h"
#include "scene/soft_sky.h"

namespace winnow {
namespace {

// How objects are seen: field of view in degrees, and the part of it that they fill.
constexpr float kObjectFov = 30.0f, kObjectFill = 0.9f;

// A room is recognized by its walls: triangles in the planes of the sides of the scene's bounds.

constexpr int kBoxSides = 6;
constexpr float kThickness = 0.03f;  // over the extent: walls are seldom exactly planar

using Corners = std::array<glm::vec3, 3>;

Corners triangle_corners(const HostScene& scene, glm::uvec3 triangle) {
  return {scene.positions[triangle.x], scene.positions[triangle.y], scene.positions[triangle.z]};
}

/// True if a triangle lies in the plane of a side of the bounds.
/// @param end   0 for the side at the minimum, 1 for the one at the maximum
bool is_in_side(const Corners& corners, const Bounds& bounds, int axis, int end) {
  const float plane = end ? bounds.max[axis] : bounds.min[axis];
  return std::ranges::all_of(corners, [&](glm::vec3 corner) {
    return std::abs(corner[axis] - plane) <= kThickness * bounds.size()[axis];
  });
}

/// The triangles in the plane of a side, as fractions of its area.
struct Wall {
  float inward = 0.0f, outward = 0.0f;  ///< facing into the bounds, and out of them
  float covered() const { return inward + outward; }
};

void add_to_wall(const Corners& corners, const Bounds& bounds, int axis, int end, Wall& wall) {
  const glm::vec3 size = bounds.size();
  const float side = size[(axis + 1) % 3] * size[(axis + 2) % 3];
  if (!(side > 0.0f) || !is_in_side(corners, bounds, axis, end)) return;
  const float area =  // positive for a triangle that faces along the axis
      0.5f * glm::cross(corners[1] - corners[0], corners[2] - corners[0])[axis];
  ((area > 0.0f) == (end == 1) ? wall.outward : wall.inward) += std::abs(area) / side;
}

/// The walls of a scene: two along each axis, the one at the minimum first.
class Walls {
 public:
  Walls(const HostScene& scene, const Bounds& bounds) {
    // In most scenes nearly all triangles lie in no side; their first corner shows this.
    const glm::vec3 margin = kThickness * bounds.size();
    for (glm::uvec3 triangle : scene.triangles) {
      const glm::vec3 first = scene.positions[triangle.x];
      const glm::vec3 above = glm::abs(first - bounds.min), below = glm::abs(first - bounds.max);
      if (glm::all(glm::greaterThan(glm::min(above, below), margin))) continue;
      const Corners corners = triangle_corners(scene, triangle);
      for (int side = 0; side < kBoxSides; ++side)
        add_to_wall(corners, bounds, side / 2, side % 2, walls_[size_t(side)]);
    }
  }

  const Wall& at(int axis, int end) const { return walls_[size_t(2 * axis + end)]; }

 private:
  std::array<Wall, kBoxSides> walls_;
};

/// Whether there are objects and lamps inside of the walls.
struct Contents {
  bool has_any = false, has_lamp = false;
};

Contents contents_of(const HostScene& scene, const Bounds& bounds) {
  Contents contents{.has_any = !scene.spheres.empty() || !scene.instances.empty()};
  for (const DeltaLight& light : scene.delta_lights)
    contents.has_lamp |= light.type != DeltaLightType::kDirectional &&
                         glm::all(glm::lessThanEqual(bounds.min, light.position)) &&
                         glm::all(glm::lessThanEqual(light.position, bounds.max));
  for (const Sphere& sphere : scene.spheres)
    contents.has_lamp |= emits(scene.materials[sphere.material]);
  for (size_t i = 0; i < scene.triangles.size(); ++i) {
    const Corners corners = triangle_corners(scene, scene.triangles[i]);
    bool is_wall = false;
    for (int side = 0; side < kBoxSides && !is_wall; ++side)
      is_wall = is_in_side(corners, bounds, side / 2, side % 2);
    if (is_wall) continue;
    contents.has_any = true;
    const uint32_t material = scene.triangle_materials[i];
    contents.has_lamp |= material < scene.materials.size() && emits(scene.materials[material]);
  }
  return contents;
}

/// Returns the direction out of the open side of a room with three walls and a floor or a ceiling.
std::optional<glm::vec3> open_side(const HostScene& scene, const Bounds& bounds) {
  constexpr float kWall = 0.6f, kOpen = 0.2f;
  const Walls walls(scene, bounds);
  bool floor = walls.at(1, 0).covered() >= kWall;
  bool ceiling = walls.at(1, 1).covered() >= kWall;
  if (!floor && !ceiling) return std::nullopt;

  std::optional<glm::vec3> out;
  for (int axis : {0, 2})
    for (int end : {0, 1}) {
      float covered = walls.at(axis, end).covered();
      if (covered >= kWall) continue;
      if (covered > kOpen || out) return std::nullopt;
      out = glm::vec3(0.0f);
      (*out)[axis] = end ? 1.0f : -1.0f;
    }
  return out;
}

/// True for a room with walls on all six sides that is worth seeing from inside: its walls face
/// inwards and it is not empty, or there is a lamp inside. An empty box is no room.
bool is_closed_room(const HostScene& scene, const Bounds& bounds) {
  constexpr float kWall = 0.6f;    // least share of a side; the rest may be windows and doors
  constexpr float kSealed = 0.9f;  // share that hides the inside from a viewer outside
  const Walls walls(scene, bounds);
  bool faces_inward = true, is_sealed = true;
  for (int side = 0; side < kBoxSides; ++side) {
    const Wall& wall = walls.at(side / 2, side % 2);
    faces_inward = faces_inward && wall.inward >= kWall;
    is_sealed = is_sealed && wall.covered() >= kSealed;
  }
  if (!faces_inward && !is_sealed) return false;
  const Contents contents = contents_of(scene, bounds);
  return contents.has_lamp || (faces_inward && contents.has_any);
}

/// Returns +1 or -1, the end of the z axis from which an object is seen: +z, except for a long body
/// whose upper part is towards -z, such as an animal that faces -z.
float front(const HostScene& scene, const Bounds& bounds) {
  constexpr float kLong = 1.5f, kUpperPart = 0.75f, kLean = 0.1f;
  glm::vec3 size = bounds.size();
  if (size.z < kLong * size.x) return 1.0f;

  double area = 0.0, moment = 0.0;
  for (glm::uvec3 triangle : scene.triangles) {
    const auto [a, b, c] = triangle_corners(scene, triangle);
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

  // A point p is visible from a camera at c if |dot(p - c, right)| <= slope.x * depth, where depth
  // = dot(c - p, back), and likewise along `up`. `high` and `low` are the tightest such bounds.
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
float hit_distance(const Corners& corners, glm::vec3 origin, glm::vec3 direction) {
  const auto& [a, b, c] = corners;
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
      for (size_t i = 0; i < scene.triangles.size(); i += step)
        nearest = std::min(
            nearest, hit_distance(triangle_corners(scene, scene.triangles[i]), eye, direction));
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

/// Returns rings about the vertical axis through the middle of the scene, relative to the middle.
/// Their convex hull contains the scene however it is turned about the axis.
std::vector<glm::vec3> turned_outline(const HostScene& scene, const Bounds& bounds) {
  constexpr size_t kSlabs = 64, kCorners = 32;
  const glm::vec3 center = bounds.center(), size = bounds.size();
  std::array<float, kSlabs> radii{};  // m, largest distance from the axis
  auto slab_of = [&](float y) {
    const float part = size.y > 0.0f ? (y - bounds.min.y) / size.y : 0.0f;
    return std::min(size_t(std::max(part, 0.0f) * float(kSlabs)), kSlabs - 1);
  };
  for_each_outline_point(scene, [&](glm::vec3 p) {
    float& radius = radii[slab_of(p.y)];
    radius = std::max(radius, std::hypot(p.x - center.x, p.z - center.z));
  });
  std::vector<glm::vec3> rings;
  for (size_t slab = 0; slab < kSlabs; ++slab) {
    if (radii[slab] == 0.0f) continue;
    const float around = radii[slab] / std::cos(kPi / float(kCorners));  // its sides touch the ring
    for (size_t end : {slab, slab + 1})
      for (size_t corner = 0; corner < kCorners; ++corner) {
        const float angle = 2.0f * kPi * float(corner) / float(kCorners);
        const float y = (float(end) / float(kSlabs) - 0.5f) * size.y;
        rings.emplace_back(around * std::cos(angle), y, around * std::sin(angle));
      }
  }
  return rings;
}

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
    scene.camera_origin = CameraOrigin::kDirection;
    return;
  }
  scene.camera_origin = CameraOrigin::kFramed;
  // Points are relative to the centre, so that no digits are lost far from the origin.
  for (glm::vec3& p : points) p -= bounds.center();
  float aspect = float(scene.width) / float(scene.height);

  if (std::optional<glm::vec3> out = open_side(scene, bounds)) {
    constexpr float kFov = 40.0f, kFill = 0.99f;
    scene.camera = fit_camera(points, *out, kFov, aspect, kFill);
  } else {
    const float kAzimuth = glm::radians(30.0f), kElevation = glm::radians(20.0f);
    glm::vec3 back(std::sin(kAzimuth) * std::cos(kElevation), std::sin(kElevation),
                   std::cos(kAzimuth) * std::cos(kElevation));
    if (front(scene, bounds) < 0.0f) back *= glm::vec3(-1.0f, 1.0f, -1.0f);
    scene.camera = fit_camera(points, back, kObjectFov, aspect, kObjectFill);
  }
  scene.camera.position += bounds.center();
  scene.camera.look_at += bounds.center();
}

glm::vec3 camera_target(const HostScene& scene) {
  return scene.camera_origin == CameraOrigin::kTarget ? scene.camera.look_at
                                                      : scene_bounds(scene).center();
}

CameraDescription frame_turn(const HostScene& scene) {
  const Bounds bounds = scene_bounds(scene);
  const glm::vec3 center = bounds.center();
  const std::vector<glm::vec3> rings = turned_outline(scene, bounds);
  const glm::vec3 back = glm::normalize(scene.camera.position - scene.camera.look_at);
  const float aspect = float(scene.width) / float(scene.height);
  CameraDescription camera = fit_camera(rings, back, kObjectFov, aspect, kObjectFill);
  camera.position += center;
  camera.look_at += center;
  return camera;
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
  if (std::ranges::none_of(scene.materials, emits)) light_scene(scene);
}

}  // namespace winnow
