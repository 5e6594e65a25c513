// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "bvh/instance.h"
#include "math/bounds.h"
#include "scene/host_scene.h"

namespace winnow {

/// The instances of a scene, prepared for intersection and shading, in host memory.
struct InstanceTable {
  std::vector<Instance> instances;  ///< [instance]
  /// [instance], index in the scene of its first triangle; the others follow. Primitives of
  /// instances come after the scene's own triangles and spheres.
  std::vector<uint32_t> first_primitives;
};

InstanceTable build_instance_table(const HostScene& scene);

/// [instance], a box around each in the world. It includes the largest displacement of a ray by
/// rounding on its way from anywhere in the scene to object space: a ray that hits the mesh there
/// also hits the box.
std::vector<Bounds> instance_bounds(const HostScene& scene, const InstanceTable& table);

}  // namespace winnow
