// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "scene/host_scene.h"

namespace winnow {

struct SceneSummary {
  uint64_t vertices = 0;  ///< including those of shared meshes
  uint64_t triangles = 0;
  uint64_t spheres = 0;
  uint64_t materials = 0;
  uint64_t instances = 0;
  uint64_t shared_meshes = 0;
  uint64_t shared_triangles = 0;     ///< triangles of the meshes that instances share
  uint64_t instanced_triangles = 0;  ///< triangles of all instances
  uint64_t emissive_triangles = 0;
  uint64_t emissive_spheres = 0;
  uint64_t delta_lights = 0;
  bool has_emissive_media = false;
  bool has_sky = false;  ///< a gradient or an environment map
  uint64_t bytes = 0;    ///< bytes of geometry and materials, without the BVH
  bool has_geometry() const { return triangles + spheres + instances > 0; }
  bool has_light() const {
    return has_sky || has_emissive_media ||
           emissive_triangles + emissive_spheres + delta_lights > 0;
  }
};

SceneSummary summarize(const HostScene& scene);

/// Returns the summary of `scene` and its settings for printing, as lines of "key  value".
std::string summary_text(const HostScene& scene);

}  // namespace winnow
