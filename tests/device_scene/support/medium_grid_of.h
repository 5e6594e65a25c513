// SPDX-License-Identifier: MIT
#pragma once

#include <glm/gtc/matrix_transform.hpp>
#include <vector>

#include "device_scene/medium_grids.h"

namespace winnow {

/// A turned and mirrored box of unequal sides, away from the origin.
inline glm::mat4 skew_placement() {
  glm::mat4 m = glm::translate(glm::mat4(1.0f), {3.0f, -2.0f, 5.0f});
  m = glm::rotate(m, 0.7f, glm::normalize(glm::vec3(1, 2, -1)));
  return glm::scale(m, {2.0f, -0.5f, 4.0f});
}

/// A medium with a grid.
class MediumGridOf {
 public:
  MediumGridOf(const DensityGrid& grid, const glm::mat4& to_world,
               std::vector<EmissionPart> emission = {}) {
    scene_.media = {{.absorption = glm::vec3(1.0f), .scattering = glm::vec3(1.0f)}};
    scene_.camera_medium = 0;
    scene_.grids = {grid};
    scene_.grid_placements = {{.grid = 0, .to_world = glm::mat4x3(to_world)}};
    scene_.emission = std::move(emission);
    grids_ = make_medium_grids(scene_);
  }
  MediumGridOf(const MediumGridOf&) = delete;  // grids_ views scene_
  const MediumGrid& operator*() const { return grids_.media.at(0); }

 private:
  HostScene scene_;
  MediumGridTables grids_;
};

}  // namespace winnow
