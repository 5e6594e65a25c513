// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "math/ray.h"
#include "shading/light/cell_grid.h"
#include "shading/light/sky_guide.h"

namespace winnow {

/// What a guide is made from.
struct SkyVisibility {
  /// Returns the direction that the sky's sampling makes of two uniforms, in units of 2^-32; zero
  /// where the sky is black. Called by several threads.
  std::function<glm::vec3(glm::uvec2 u)> direction;
  /// Returns whether the scene hides the sky along a ray. Called by several threads.
  std::function<bool(const Ray& ray)> is_occluded;
};

/// Builds the guide of a scene, by all threads of oneTBB; the result does not depend on their
/// number. Returns an empty one if it would not make samples much more likely to reach the sky: in
/// the open, where the sky is visible in most directions, and in a closed room.
SkyGuideTable build_sky_guide(SceneCells& cells, const SkyVisibility& sky);

}  // namespace winnow
