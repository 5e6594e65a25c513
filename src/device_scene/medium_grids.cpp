// SPDX-License-Identifier: MIT
#include "device_scene/medium_grids.h"

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

}  // namespace winnow
