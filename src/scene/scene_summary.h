#pragma once

#include <cstdint>
#include <string>

#include "scene/host_scene.h"
#include "scene/scene_bounds.h"

namespace winnow {

/// What there is in a scene, counted.
struct SceneSummary {
  Bounds bounds;
  uint64_t vertices = 0;  ///< with those of shared meshes
  uint64_t triangles = 0;
  uint64_t spheres = 0;
  uint64_t materials = 0;
  uint64_t instances = 0;
  uint64_t shared_meshes = 0;
  uint64_t shared_triangles = 0;     ///< of the meshes that instances share
  uint64_t instanced_triangles = 0;  ///< of all instances
  uint64_t emissive_triangles = 0;
  uint64_t emissive_spheres = 0;
  uint64_t delta_lights = 0;
  bool has_sky = false;  ///< or an environment map
  uint64_t bytes = 0;    ///< of geometry and materials; an acceleration structure comes on top

  bool has_light() const {
    return has_sky || emissive_triangles + emissive_spheres + delta_lights > 0;
  }
};

SceneSummary summarize(const HostScene& scene);

/// The summary of `scene` and its settings for a person: lines "key  value", each with its newline.
std::string summary_text(const HostScene& scene);

}  // namespace winnow
