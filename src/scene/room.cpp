// SPDX-License-Identifier: MIT
#include "scene/room.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

namespace winnow {
namespace {

constexpr int kBoxSides = 6;
constexpr float kThickness = 0.03f;  // over the extent: walls are seldom exactly planar

using Corners = std::array<glm::vec3, 3>;

Corners triangle_corners(const HostScene& scene, glm::uvec3 triangle) {
  return {scene.positions[triangle.x], scene.positions[triangle.y], scene.positions[triangle.z]};
}

/// True if a triangle lies in the plane of a side of the bounds.
/// @param axis  x, y or z
/// @param end   0 for the side at the minimum, 1 for the one at the maximum
bool is_in_side(const Corners& corners, const Bounds& bounds, int axis, int end) {
  const float plane = end ? bounds.max[axis] : bounds.min[axis];
  return std::all_of(corners.begin(), corners.end(), [&](glm::vec3 corner) {
    return std::abs(corner[axis] - plane) <= kThickness * bounds.size()[axis];
  });
}

/// The triangles in the plane of a side, as fractions of its area.
struct Wall {
  float inward = 0.0f, outward = 0.0f;  ///< facing into the bounds, and out of them

  float covered() const { return inward + outward; }
};

/// Adds a triangle to the wall if it lies in that side.
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

}  // namespace

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

}  // namespace winnow
