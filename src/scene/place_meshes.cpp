// SPDX-License-Identifier: MIT
#include "scene/place_meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "base/error.h"
#include "math/ray.h"

namespace winnow {
namespace {

bool any_emits(const HostScene& scene, const Mesh& mesh) {
  return std::ranges::any_of(mesh.triangle_materials,
                             [&](uint32_t material) { return emits(scene.materials[material]); });
}

/// Adds a placed mesh to the triangles in world space.
/// @return  number of triangles without area, which are left out
size_t copy_into_world(const Mesh& mesh, const NamedMesh::Placement& placement, HostScene& scene) {
  const size_t first = scene.triangles.size();
  scene.object_starts.push_back(uint32_t(first));
  const size_t left_out = add_mesh(scene, mesh, placement.to_world, placement.material);
  if (placement.material != MeshInstance::kOwnMaterials)
    std::fill(scene.triangle_materials.begin() + ptrdiff_t(first), scene.triangle_materials.end(),
              placement.material);
  return left_out;
}

void share(const Mesh& mesh, const std::vector<NamedMesh::Placement>& placements,
           HostScene& scene) {
  const auto index = uint32_t(scene.meshes.size());
  const auto first_triangle = uint32_t(scene.shared.triangles.size());
  const auto first_vertex = uint32_t(scene.shared.positions.size());
  add_mesh(scene.shared, mesh, glm::mat4(1.0f), 0);
  scene.meshes.push_back(
      {.first_triangle = first_triangle,
       .triangle_count = uint32_t(scene.shared.triangles.size()) - first_triangle,
       .first_vertex = first_vertex,
       .vertex_count = uint32_t(scene.shared.positions.size()) - first_vertex});
  for (const NamedMesh::Placement& placement : placements)
    scene.instances.push_back({.mesh = index,
                               .to_world = glm::mat4x3(placement.to_world),
                               .material = placement.material});
}

}  // namespace

bool is_within_reach(const Bounds& bounds, const glm::mat4& to_world) {
  const std::array<glm::vec3, 8> corners = placed_corners(bounds, glm::mat4x3(to_world));
  return std::ranges::all_of(corners, is_near);
}

bool can_place(const Bounds& bounds, const glm::mat4& to_world) {
  constexpr float kFlat = 1e-30f;
  return std::abs(glm::determinant(glm::mat3(to_world))) > kFlat &&
         is_within_reach(bounds, to_world);
}

void place_meshes(const std::string& file, const NamedMeshes& meshes, HostScene& scene) {
  for (const auto& [name, named] : meshes) {
    const bool mesh_emits = any_emits(scene, named.mesh);
    std::vector<NamedMesh::Placement> copied, shared;
    for (const NamedMesh::Placement& placement : named.placements) {
      const bool own = placement.material == MeshInstance::kOwnMaterials;
      const bool is_emissive = own ? mesh_emits : emits(scene.materials[placement.material]);
      (is_emissive ? copied : shared).push_back(placement);
    }
    if (shared.size() == 1) {
      copied.push_back(shared[0]);
      shared.clear();
    }
    size_t left_out = 0;
    for (const NamedMesh::Placement& placement : copied)
      left_out += copy_into_world(named.mesh, placement, scene);
    if (left_out > 0)
      scene.warnings.push_back(
          fmt::format("{}: /meshes/{}: {} triangles of its copies have no area and are left out",
                      file, one_line(name), left_out));
    if (!shared.empty()) share(named.mesh, shared, scene);
  }

  uint64_t primitives = scene.triangles.size() + scene.spheres.size();
  for (const MeshInstance& instance : scene.instances)
    primitives += scene.meshes[instance.mesh].triangle_count;
  if (primitives > kNoPrimitive)
    throw Error(
        fmt::format("{}: the scene has {} primitives, including those of all instances; "
                    "expected at most {}",
                    file, primitives, kNoPrimitive));
}

}  // namespace winnow
