#pragma once

#include <vector>

#include "bvh/instance.h"
#include "scene/host_scene.h"

namespace winnow {

/// The instances of a scene, ready for rays and surfaces, in host memory.
struct InstanceTable {
  std::vector<Instance> instances;  ///< [instance]
  /// [instance], number in the scene of its first triangle, the others follow. The numbers of
  /// instances follow those of the scene's own triangles and spheres.
  std::vector<uint32_t> first_primitives;
};

InstanceTable build_instance_table(const HostScene& scene);

}  // namespace winnow
