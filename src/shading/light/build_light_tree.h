#pragma once

#include <vector>

#include "scene/scene_bounds.h"
#include "shading/light/full_lights.h"
#include "shading/light/light_choice.h"
#include "shading/light/light_tree.h"

namespace winnow {

/// Where some lights are, and where they shine.
struct LightBounds {
  Bounds box;
  glm::vec3 axis{0.0f, 0.0f, 1.0f};  ///< unit length
  float spread = kPi;                ///< radians, of the normals about the axis
  float emission = 0.5f * kPi;       ///< radians, about each normal
  float intensity = 0.0f;            ///< W sr^-1 of luminance
  bool two_sided = false;            ///< the same about -axis
};

/// Builds the tree over lights, and writes each one's trail to it. Order n log n.
///
/// @param bounds  [light]
std::vector<LightNode> build_light_tree(const std::vector<LightBounds>& bounds,
                                        std::vector<LocalLight>& lights);

}  // namespace winnow
