#include "bvh/instance_table.h"

#include <glm/matrix.hpp>

namespace winnow {

InstanceTable build_instance_table(const HostScene& scene) {
  InstanceTable table;
  table.instances.reserve(scene.instances.size());
  table.first_primitives.reserve(scene.instances.size());
  auto next = uint32_t(scene.triangles.size() + scene.spheres.size());
  for (const MeshInstance& placed : scene.instances) {
    const SharedMesh& mesh = scene.meshes[placed.mesh];
    const glm::mat3 linear(placed.to_world);
    table.instances.push_back({.linear = linear,
                               .to_object = {.inverse = glm::mat3(glm::inverse(glm::dmat3(linear))),
                                             .translation = placed.to_world[3]},
                               .first_triangle = mesh.first_triangle,
                               .material = placed.material});
    table.first_primitives.push_back(next);
    next += mesh.triangle_count;
  }
  return table;
}

}  // namespace winnow
