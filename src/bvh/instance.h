#pragma once

#include <cstdint>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "compaction/simt/qualifiers.h"
#include "math/ray.h"

namespace winnow {

/// The way from the world to the space of a mesh. It first goes to the mesh, and then turns and
/// scales: the rounding error of a point near the mesh does not grow with its distance from the
/// origin, as it does where a matrix has its translation behind it.
struct ToObject {
  glm::mat3 inverse{1.0f};      ///< each element at most half an ulp off
  glm::vec3 translation{0.0f};  ///< m, where the mesh's origin is in the world

  /// The ray as the mesh sees it. Its direction has not unit length: distances along the ray stay
  /// those of the world.
  SIMT_HOST_DEVICE Ray ray(const Ray& world) const {
    return {.origin = inverse * (world.origin - translation),
            .direction = inverse * world.direction,
            .t_max = world.t_max};
  }
};

/// Roundings in a row on the way to the space of a mesh: the difference, three products and two
/// sums, and that of the matrix itself.
inline constexpr int kToObjectSteps = 6;

/// A placed mesh, as surfaces need it.
struct Instance {
  glm::mat3 linear{1.0f};  ///< to the world, before the translation
  ToObject to_object;
  uint32_t first_triangle = 0;  ///< of its mesh among the shared ones
  uint32_t material = 0;        ///< of all triangles, or MeshInstance::kOwnMaterials
};

}  // namespace winnow
