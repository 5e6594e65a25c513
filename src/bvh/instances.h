// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>
#include <vector>

#include "compaction/simt/qualifiers.h"
#include "math/bounds.h"
#include "math/ray.h"
#include "scene/host_scene.h"

namespace winnow {

/// The transform from the world to the object space of a mesh: translates, then rotates and scales.
/// In this order the rounding error of a point near the mesh does not grow with its distance from
/// the world's origin, as it does with a matrix whose translation comes last.
struct ToObject {
  glm::mat3 inverse{1.0f};      ///< each element at most half an ulp off
  glm::vec3 translation{0.0f};  ///< m, world position of the origin of object space

  /// Returns the ray in object space, not normalized: distances along it are those in the world.
  SIMT_HOST_DEVICE Ray ray(const Ray& world) const {
    return {.origin = inverse * (world.origin - translation),
            .direction = inverse * world.direction,
            .t_max = world.t_max};
  }
};

/// Number of consecutive roundings in the transform to object space: the difference, three products
/// and two sums, and the rounding of the matrix.
inline constexpr int kToObjectSteps = 6;

/// A placed mesh, for shading.
struct Instance {
  glm::mat3 linear{1.0f};  ///< object to world without the translation
  ToObject to_object;
  uint32_t first_triangle = 0;  ///< first triangle of its mesh, among the shared triangles
  uint32_t material = 0;        ///< material of all triangles, or MeshInstance::kOwnMaterials
};

template <class Matrix>
SIMT_HOST_DEVICE Matrix abs_of(const Matrix& m) {
  return {glm::abs(m[0]), glm::abs(m[1]), glm::abs(m[2])};
}

/// The instances of a scene, prepared for intersection and shading, in host memory.
struct InstanceTable {
  std::vector<Instance> instances;  ///< [instance]
  /// [instance], index in the scene of its first triangle; the others follow. Primitives of
  /// instances come after the scene's own triangles and spheres.
  std::vector<uint32_t> first_primitives;
};

InstanceTable build_instance_table(const HostScene& scene);

/// Returns a box around each instance in the world, [instance]. It includes the largest
/// displacement of a ray by rounding on its way from anywhere in the scene to object space: a ray
/// that hits the mesh there also hits the box.
std::vector<Bounds> instance_bounds(const HostScene& scene, const InstanceTable& table);

}  // namespace winnow
