// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "scene/scene_bounds.h"
#include "shading/light/light.h"

namespace winnow {

/// Bounds of the positions and directions of emission of some lights.
struct LightBounds {
  Bounds box;
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  ///< unit length
  float spread = kPi;                ///< radians, largest angle between axis and normals
  float emission = 0.5f * kPi;       ///< radians, largest angle between a normal and emitted light
  float intensity = 0.0f;            ///< W sr^-1 of luminance
  bool two_sided = false;            ///< whether the lights also emit about -axis
};

/// Builds the tree over lights and writes Light::trail. Order n log n.
///
/// @param bounds  [light]
std::vector<LightNode> build_light_tree(const std::vector<LightBounds>& bounds,
                                        std::vector<Light>& lights);

}  // namespace winnow
