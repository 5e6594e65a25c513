#include "load/winnow/read_instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/nearest_name.h"
#include "base/one_line.h"
#include "load/winnow/read_shapes.h"
#include "load/winnow/read_transform.h"
#include "load/winnow/scene_keys.h"
#include "math/ray.h"
#include "scene/mesh.h"

namespace winnow {
namespace {

NamedMesh& find_mesh(const JsonReader& name, NamedMeshes& meshes) {
  auto mesh = meshes.find(name.text());
  if (mesh != meshes.end()) return mesh->second;
  std::vector<std::string> names;
  for (const auto& [known, named] : meshes) names.push_back(known);
  name.fail(
      fmt::format("unknown mesh {}; {}", in_quotes(name.text()), suggest_name(name.text(), names)));
}

bool any_emits(const HostScene& scene, const Mesh& mesh) {
  return std::any_of(mesh.triangle_materials.begin(), mesh.triangle_materials.end(),
                     [&](uint32_t material) { return emits(scene.materials[material]); });
}

/// Returns how many triangles were left out.
size_t copy_into_world(const Mesh& mesh, const NamedMesh::Placement& placement, HostScene& scene) {
  const size_t first = scene.triangles.size();
  const size_t left_out = add_mesh(scene, mesh, placement.to_world, placement.material);
  if (placement.material != MeshInstance::kOwnMaterials)
    std::fill(scene.triangle_materials.begin() + ptrdiff_t(first), scene.triangle_materials.end(),
              placement.material);
  return left_out;
}

void share(const Mesh& mesh, const std::vector<NamedMesh::Placement>& placements,
           HostScene& scene) {
  const auto number = uint32_t(scene.meshes.size());
  const auto first_triangle = uint32_t(scene.shared.triangles.size());
  const auto first_vertex = uint32_t(scene.shared.positions.size());
  add_mesh(scene.shared, mesh, glm::mat4(1.0f), 0);
  scene.meshes.push_back(
      {.first_triangle = first_triangle,
       .triangle_count = uint32_t(scene.shared.triangles.size()) - first_triangle,
       .first_vertex = first_vertex,
       .vertex_count = uint32_t(scene.shared.positions.size()) - first_vertex});
  for (const NamedMesh::Placement& placement : placements)
    scene.instances.push_back({.mesh = number,
                               .to_world = glm::mat4x3(placement.to_world),
                               .material = placement.material});
}

}  // namespace

bool is_within_reach(const Bounds& bounds, const glm::mat4& to_world) {
  constexpr float kFar = float(kMaxSceneValue);  // false for NaN, too
  for (glm::vec3 p : placed_corners(bounds, glm::mat4x3(to_world)))
    if (!(std::abs(p.x) <= kFar && std::abs(p.y) <= kFar && std::abs(p.z) <= kFar)) return false;
  return true;
}

NamedMeshes read_meshes(const JsonReader& json, const MaterialIds& materials,
                        const std::filesystem::path& folder, HostScene& scene) {
  NamedMeshes meshes;
  for (const std::string& name : json.keys()) {
    const JsonReader shape = json.at(name);
    const std::string& type =
        scene_keys::kMeshTypes[shape.at("type").choice(scene_keys::kMeshTypes)];
    const ShapeMesh read = read_shape_mesh(shape, type, materials, folder, scene);
    NamedMesh& named = meshes[name];
    const size_t left_out = add_mesh(named.mesh, read.mesh, read_transform(shape), read.material);
    check_left_out(shape, left_out, read.mesh.triangles.size(), scene);
    named.bounds = mesh_bounds(named.mesh);
  }
  return meshes;
}

void read_instances(const JsonReader& shape, const MaterialIds& materials, NamedMeshes& meshes) {
  shape.expect_keys(scene_keys::kInstances);
  NamedMesh& named = find_mesh(shape.at("mesh"), meshes);
  uint32_t material = MeshInstance::kOwnMaterials;
  if (auto name = shape.find("material")) material = read_material_name(*name, materials);
  const glm::mat4 all = read_transform(shape);
  const JsonReader transforms = shape.at("transforms");
  const size_t count = transforms.size("a list of transforms");
  if (count == 0) transforms.fail("expected at least one transform");
  for (size_t i = 0; i < count; ++i) {
    const JsonReader steps = transforms[i];
    const glm::mat4 to_world = all * read_transform_steps(steps);
    if (!is_within_reach(named.bounds, to_world))
      steps.fail("the instance reaches farther than 1e9 m; expected one to see");
    named.placements.push_back({to_world, material});
  }
}

void place_meshes(const std::string& file, const NamedMeshes& meshes, HostScene& scene) {
  for (const auto& [name, named] : meshes) {
    const bool mesh_emits = any_emits(scene, named.mesh);
    std::vector<NamedMesh::Placement> copied, shared;
    for (const NamedMesh::Placement& placement : named.placements) {
      const bool own = placement.material == MeshInstance::kOwnMaterials;
      const bool shines = own ? mesh_emits : emits(scene.materials[placement.material]);
      (shines ? copied : shared).push_back(placement);
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
          fmt::format("{}: /meshes/{}: {} triangles of its copies have no "
                      "area and are left out",
                      file, one_line(name), left_out));
    if (!shared.empty()) share(named.mesh, shared, scene);
  }

  uint64_t primitives = scene.triangles.size() + scene.spheres.size();
  for (const MeshInstance& instance : scene.instances)
    primitives += scene.meshes[instance.mesh].triangle_count;
  if (primitives > kNoPrimitive)
    throw Error(
        fmt::format("{}: the scene has {} primitives, those of all instances counted; expected "
                    "at most {}, which 32 bits count",
                    file, primitives, kNoPrimitive));
}

}  // namespace winnow
