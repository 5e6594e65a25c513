// SPDX-License-Identifier: MIT
#include "bvh/build/build_instanced_bvh.h"

#include <limits>

#include "base/error.h"
#include "scene/scene_bounds.h"

namespace winnow {
namespace {

HostScene without_instances(const HostScene& scene) {
  HostScene own;
  static_cast<Mesh&>(own) = scene;
  own.spheres = scene.spheres;
  return own;
}

/// Appends a tree. Returns the index of its root.
uint32_t append(const WideBvhArrays& tree, InstancedBvhArrays& arrays) {
  if (arrays.nodes.size() + tree.nodes.size() > std::numeric_limits<uint32_t>::max() ||
      arrays.primitives.size() + tree.primitives.size() > std::numeric_limits<uint32_t>::max())
    throw Error("the meshes of the scene have too many triangles for 32-bit indices");
  const auto first_node = uint32_t(arrays.nodes.size());
  const auto first_primitive = uint32_t(arrays.primitives.size());
  for (WideBvhNode node : tree.nodes) {
    node.first_node += first_node;
    node.first_primitive += first_primitive;
    arrays.nodes.push_back(node);
  }
  arrays.primitives.insert(arrays.primitives.end(), tree.primitives.begin(), tree.primitives.end());
  return first_node;
}

}  // namespace

HostScene scene_of(const Mesh& shared, const SharedMesh& mesh) {
  HostScene scene;
  auto part = [](const auto& items, uint32_t first, uint32_t count) {
    return std::vector(items.begin() + first, items.begin() + first + count);
  };
  scene.positions = part(shared.positions, mesh.first_vertex, mesh.vertex_count);
  scene.normals = part(shared.normals, mesh.first_vertex, mesh.vertex_count);
  scene.triangles = part(shared.triangles, mesh.first_triangle, mesh.triangle_count);
  scene.triangle_materials =
      part(shared.triangle_materials, mesh.first_triangle, mesh.triangle_count);
  for (glm::uvec3& triangle : scene.triangles) triangle -= mesh.first_vertex;
  return scene;
}

InstancedBvhArrays build_instanced_bvh(const HostScene& scene, const InstanceTable& table,
                                       const BuildWideBvh& build) {
  std::vector<Bounds> boxes = instance_bounds(scene, table);
  const HostScene own = without_instances(scene);
  const bool has_own = !own.triangles.empty() || !own.spheres.empty();
  if (has_own) boxes.push_back(scene_bounds(own));
  const InstanceTree top = build_instance_tree(boxes);

  InstancedBvhArrays arrays;
  arrays.nodes = top.nodes;
  std::vector<uint32_t> roots;  // [mesh]
  for (const SharedMesh& mesh : scene.meshes)
    roots.push_back(append(build(scene_of(scene.shared, mesh)), arrays));
  const uint32_t own_root = has_own ? append(build(own), arrays) : 0;

  for (uint32_t reference : top.references) {
    const bool is_own = reference == table.instances.size();
    arrays.instances.push_back(
        is_own ? BvhInstance{.root = own_root}
               : BvhInstance{.to_object = table.instances[reference].to_object,
                             .root = roots[scene.instances[reference].mesh],
                             .first_primitive = table.first_primitives[reference]});
  }
  return arrays;
}

}  // namespace winnow
