// SPDX-License-Identifier: MIT
#include "load/gltf/gltf.h"

#include <fmt/format.h>

#include <cmath>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "load/gltf/convert.h"
#include "scene/frame_scene.h"
#include "scene/place_meshes.h"
#include "scene/scene_summary.h"

namespace winnow {
namespace {

/// Adds a placement of the node's mesh, which is read at its first use. A mesh with a skin is in
/// world space already, and has only this placement.
void place_mesh(GltfDocument& document, const PlacedNode& node,
                const std::vector<PlacedNode>& nodes, GltfMaterials& materials,
                NamedMeshes& meshes) {
  const uint32_t index = document.index("meshes", node.json.at("mesh"));
  const bool has_skin = node.json.has("skin");
  const std::string name =
      has_skin ? fmt::format("{} of {}", index, node.json.pointer()) : std::to_string(index);
  const auto [known, is_new] = meshes.try_emplace(name);
  NamedMesh& named = known->second;
  if (is_new) {
    GltfMesh read = read_gltf_mesh(document, index, has_skin, materials);
    if (has_skin) apply_gltf_skin(document, node, nodes, read);
    named.mesh = std::move(read.mesh);
    named.bounds = mesh_bounds(named.mesh);
  }
  if (named.mesh.triangles.empty()) return;
  constexpr float kFlat = 1e-30f;
  const glm::mat4 to_world(has_skin ? glm::dmat4(1.0) : node.to_world);
  if (!(std::abs(glm::determinant(glm::mat3(to_world))) > kFlat) ||
      !is_within_reach(named.bounds, to_world))
    return document.warn(node.json.pointer(),
                         "a mesh that is flat or farther away than 1e9 m is left out");
  named.placements.push_back({to_world, MeshInstance::kOwnMaterials});
}

}  // namespace

HostScene load_gltf(const std::filesystem::path& file) {
  return parse_gltf(read_file(file), file);
}

HostScene parse_gltf(std::string_view bytes, const std::filesystem::path& file) {
  GltfDocument document(bytes, file);
  HostScene scene;
  GltfMaterials materials(document, scene);
  const std::vector<PlacedNode> nodes = place_gltf_nodes(document);
  NamedMeshes meshes;
  for (const PlacedNode& node : nodes)
    if (node.json.has("mesh")) place_mesh(document, node, nodes, materials, meshes);
  place_meshes(document.name(), meshes, scene);
  if (scene.triangles.empty() && scene.instances.empty())
    throw Error(
        fmt::format("{}: has no geometry; expected at least one node of its scene with a "
                    "mesh of triangles",
                    document.name()));

  for (const PlacedNode& node : nodes) add_gltf_light(document, node, scene);
  bool has_camera = false;
  for (const PlacedNode& node : nodes) {
    if (!node.json.has("camera") || has_camera) continue;
    read_gltf_camera(document, node, scene);
    has_camera = true;
  }
  if (!has_camera) {
    constexpr uint32_t kSize = 768;  // pixels
    scene.width = scene.height = kSize;
    frame_scene(scene);
  }
  if (!summarize(scene).has_light()) scene.sky = soft_sky();
  const std::vector<std::string> warnings = document.warnings();
  scene.warnings.insert(scene.warnings.end(), warnings.begin(), warnings.end());
  return scene;
}

}  // namespace winnow
