#pragma once

#include <vector>

#include "math/alias_table.h"
#include "scene/host_scene.h"
#include "shading/light/light.h"

namespace winnow {

/// What `Lights` reads, in host memory. Its fields are those of `Lights`.
struct LightTable {
  std::vector<EmissiveShape> shapes;  ///< [shape]
  std::vector<AliasEntry> table;      ///< [shape]
  float total_power = 0.0f;           ///< W, of luminance
  float shape_probability = 0.0f;     ///< 1, 0.5 or 0
};

/// Gathers all triangles and spheres that emit. Those without an area are left out.
LightTable build_light_table(const HostScene& scene);

}  // namespace winnow
