// SPDX-License-Identifier: MIT
#include "load/gltf/gltf.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
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
  const glm::mat4 to_world(has_skin ? glm::dmat4(1.0) : node.to_world);
  if (!can_place(named.bounds, to_world))
    return document.warn(node.json.pointer(),
                         "a mesh that is flat or farther away than 1e9 m is left out");
  named.placements.push_back({to_world, MeshInstance::kOwnMaterials});
}

/// The member `key` of a node: `count` numbers. Empty where there is none.
std::vector<double> node_numbers(const JsonReader& node, const char* key, size_t count) {
  const std::optional<JsonReader> array = node.find(key);
  if (!array) return {};
  if (array->size() != count)
    array->fail(fmt::format("expected {} numbers, found {}", count, array->size()));
  std::vector<double> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back((*array)[i].any_number());
  return numbers;
}

glm::dmat4 transform_of(const JsonReader& node) {
  constexpr size_t kMatrix = 16, kVector = 3, kQuaternion = 4;  // numbers
  glm::dmat4 transform(1.0);
  if (const std::vector<double> m = node_numbers(node, "matrix", kMatrix); !m.empty()) {
    for (int i = 0; i < 16; ++i) transform[i / 4][i % 4] = m[size_t(i)];
    return transform;
  }
  if (const std::vector<double> t = node_numbers(node, "translation", kVector); !t.empty())
    transform = glm::translate(transform, {t[0], t[1], t[2]});
  if (const std::vector<double> r = node_numbers(node, "rotation", kQuaternion); !r.empty()) {
    const glm::dquat rotation(r[3], r[0], r[1], r[2]);  // glTF has w last
    const double length = glm::length(rotation);
    if (!(length > 0.0)) node.at("rotation").fail("expected a quaternion, found zero");
    transform = transform * glm::mat4_cast(rotation / length);
  }
  if (const std::vector<double> s = node_numbers(node, "scale", kVector); !s.empty())
    transform = glm::scale(transform, {s[0], s[1], s[2]});
  return transform;
}

/// A node to be placed.
struct NodeReference {
  uint32_t index;
  JsonReader reference;    ///< the item of a list that names the node, or the node itself
  glm::dmat4 parent{1.0};  ///< to world
};

void add_references(const GltfDocument& document, const JsonReader& node_or_scene, const char* key,
                    const glm::dmat4& parent, std::vector<NodeReference>& to) {
  const std::optional<JsonReader> indices = node_or_scene.find(key);
  for (size_t i = 0; indices && i < indices->size(); ++i)
    to.push_back({document.index("nodes", (*indices)[i]), (*indices)[i], parent});
}

/// The nodes without a parent in the scene.
std::vector<NodeReference> find_roots(const GltfDocument& document) {
  std::vector<NodeReference> roots;
  if (document.count("scenes") > 0) {
    const std::optional<JsonReader> scene = document.root().find("scene");
    add_references(document, scene ? document.item("scenes", *scene) : document.item("scenes", 0u),
                   "nodes", glm::dmat4(1.0), roots);
    return roots;
  }
  std::vector<NodeReference> children;
  for (size_t i = 0; i < document.count("nodes"); ++i)
    add_references(document, document.item("nodes", uint32_t(i)), "children", glm::dmat4(1.0),
                   children);
  std::vector<bool> has_parent(document.count("nodes"), false);
  for (const NodeReference& child : children) has_parent[child.index] = true;
  for (size_t i = 0; i < has_parent.size(); ++i)
    if (!has_parent[i]) roots.push_back({uint32_t(i), document.item("nodes", uint32_t(i))});
  return roots;
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
  if (!summarize(scene).has_geometry())
    throw Error(
        fmt::format("{}: has no geometry; expected at least one node of its scene with a "
                    "mesh of triangles",
                    document.name()));

  for (const PlacedNode& node : nodes) add_gltf_light(document, node, scene);
  const auto viewer =
      std::ranges::find_if(nodes, [](const PlacedNode& node) { return node.json.has("camera"); });
  if (viewer != nodes.end()) {
    read_gltf_camera(document, *viewer, scene);
  } else {
    constexpr uint32_t kSize = 768;  // pixels
    scene.width = scene.height = kSize;
    frame_scene(scene);
  }
  if (!summarize(scene).has_light()) light_scene(scene);
  const std::vector<std::string> warnings = document.warnings();
  scene.warnings.insert(scene.warnings.end(), warnings.begin(), warnings.end());
  return scene;
}

std::vector<PlacedNode> place_gltf_nodes(const GltfDocument& document) {
  // A stack of our own, as hierarchies may be of any depth.
  std::vector<NodeReference> pending = find_roots(document);
  std::reverse(pending.begin(), pending.end());
  std::vector<bool> is_placed(document.count("nodes"), false);
  std::vector<PlacedNode> placed;
  while (!pending.empty()) {
    const NodeReference next = std::move(pending.back());
    pending.pop_back();
    if (is_placed[next.index])
      next.reference.fail(fmt::format(
          "the node {} has two parents, or is its own ancestor; expected a tree", next.index));
    is_placed[next.index] = true;
    const JsonReader node = document.item("nodes", next.index);
    const glm::dmat4 to_world = next.parent * transform_of(node);
    placed.push_back({next.index, node, to_world});
    const size_t first = pending.size();
    add_references(document, node, "children", to_world, pending);
    std::reverse(pending.begin() + ptrdiff_t(first), pending.end());
  }
  return placed;
}

}  // namespace winnow
