// SPDX-License-Identifier: MIT
#include "device_scene/medium_grids.h"

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

namespace winnow {

glm::mat4x3 world_to_grid(glm::uvec3 size, const glm::mat4x3& to_world) {
  // The box begins half a cell before the first sample, whose coordinate is 1.
  constexpr double kBoxBegin = 0.5;
  const glm::dmat3 turn = glm::inverse(glm::dmat3(glm::dmat4x3(to_world)));
  const glm::dvec3 shift = -(turn * glm::dvec3(to_world[3]));
  const glm::dvec3 scale(size);
  glm::mat4x3 to_grid;
  for (int column = 0; column < 3; ++column) to_grid[column] = scale * turn[column];
  to_grid[3] = scale * shift + kBoxBegin;
  return to_grid;
}

float least_bound_of(const Medium& medium, const PlacedGrid& grid) {
  constexpr float kCollisions = 16.0f;  // expected on a way through the box
  const glm::vec3 per_meter = medium.absorption + medium.scattering;
  const float largest = glm::max(per_meter.x, glm::max(per_meter.y, per_meter.z));
  if (largest == 0.0f) return 0.0f;
  const glm::mat3 to_world = glm::inverse(glm::mat3(grid.to_grid));
  const glm::vec3 size = grid.high - grid.low;
  float way = 0.0f;  // m, along the longest side of the box
  for (int axis = 0; axis < 3; ++axis)
    way = glm::max(way, glm::length(to_world[axis]) * size[axis]);
  return kCollisions / (largest * way);
}

}  // namespace winnow
