// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "math/alias_table.h"
#include "scene/host_scene.h"
#include "shading/light/environment.h"

namespace winnow {

/// The sampling table of an environment map in host memory, with the names of Environment.
struct EnvironmentTable {
  std::vector<AliasEntry> cells;  ///< [height + 1][width]
  std::vector<float> edge_sines;  ///< [height + 2]
  double total = 0.0;             ///< as Environment::total
};

/// Builds the sampling table of a map; empty if that has no texels. Order of texels.
EnvironmentTable build_environment_table(const EnvironmentMap& map);

/// Describes the map with every array passed through `upload`, see make_lights().
template <class Upload>
Environment make_environment(const EnvironmentMap& map, const EnvironmentTable& table,
                             Upload upload) {
  if (table.cells.empty()) return {};
  return {.texels = upload(map.image.pixels),
          .cells = upload(table.cells),
          .edge_sines = upload(table.edge_sines),
          .width = map.image.width,
          .height = map.image.height,
          .to_map = glm::transpose(map.to_world),
          .scale = map.scale,
          .total = float(table.total)};
}

}  // namespace winnow
