// SPDX-License-Identifier: MIT

#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <utility>

#include "base/error.h"
#include "base/limits.h"
#include "load/gltf/convert.h"
#include "load/gltf/values.h"

namespace winnow {
namespace {

/// Returns the member `key` of a node, `count` numbers; empty if there is none.
std::vector<double> node_numbers(const JsonReader& node, const char* key, size_t count) {
  const std::optional<JsonReader> array = node.find(key);
  if (!array) return {};
  if (array->size() != count) array->fail("expected {} numbers, found {}", count, array->size());
  std::vector<double> numbers;
  for (const JsonReader& item : items_of(array)) numbers.push_back(item.any_number());
  return numbers;
}

glm::dquat read_quaternion(const JsonReader& node, const std::vector<double>& numbers) {
  const glm::dquat rotation(numbers[3], numbers[0], numbers[1], numbers[2]);  // glTF has w last
  const double length = glm::length(rotation);
  if (!(length > 0.0)) node.at("rotation").fail("expected a quaternion, found zero");
  return rotation / length;
}

/// Returns the transform of a node to its parent.
glm::dmat4 transform_of(const JsonReader& node) {
  constexpr size_t kMatrix = 16, kVector = 3, kQuaternion = 4;  // numbers
  glm::dmat4 transform(1.0);
  if (const std::vector<double> m = node_numbers(node, "matrix", kMatrix); !m.empty()) {
    for (int i = 0; i < 16; ++i) transform[i / 4][i % 4] = m[size_t(i)];
    return transform;
  }
  glm::dvec3 translation(0.0), scale(1.0);
  glm::dquat rotation(1.0, 0.0, 0.0, 0.0);  // w first
  if (const auto t = node_numbers(node, "translation", kVector); !t.empty())
    translation = {t[0], t[1], t[2]};
  if (const auto r = node_numbers(node, "rotation", kQuaternion); !r.empty())
    rotation = read_quaternion(node, r);
  if (const auto s = node_numbers(node, "scale", kVector); !s.empty()) scale = {s[0], s[1], s[2]};
  transform = glm::translate(transform, translation) * glm::mat4_cast(rotation);
  return glm::scale(transform, scale);
}

struct NodeReference {
  uint32_t index;
  JsonReader reference;          ///< item of a list that names the node, or the node itself
  std::optional<size_t> parent;  ///< item of the placed nodes; nothing for a root
};

/// True unless the node itself is hidden by KHR_node_visibility.
bool is_shown(GltfDocument& document, const JsonReader& node) {
  bool is_shown = true;
  if (const auto visible = find_member(find_extension(node, "KHR_node_visibility"), "visible"))
    document.attempt("the node is visible", [&] { is_shown = visible->boolean(); });
  return is_shown;
}

/// Adds the nodes of a list. Nodes that the file lacks are left out with a warning.
void add_references(GltfDocument& document, const JsonReader& node_or_scene, const char* key,
                    std::optional<size_t> parent, std::vector<NodeReference>& to) {
  for (const JsonReader& reference : items_of(node_or_scene.find(key))) {
    try {
      to.push_back({document.index("nodes", reference), reference, parent});
    } catch (const Error& error) {
      document.leave_out(error, "the node is left out");
    }
  }
}

/// Returns the root nodes of the default scene, or of the first one.
std::vector<NodeReference> roots_of_scene(GltfDocument& document) {
  uint32_t index = 0;
  if (const std::optional<JsonReader> scene = document.root().find("scene"))
    document.attempt("the first scene is shown", [&] {
      document.item("scenes", *scene);
      index = document.index("scenes", *scene);
    });
  std::vector<NodeReference> roots;
  add_references(document, document.item("scenes", index), "nodes", {}, roots);
  return roots;
}

/// Returns the nodes of the file that are no child of another node.
std::vector<NodeReference> roots_of_file(GltfDocument& document) {
  std::vector<NodeReference> roots, children;
  for (size_t i = 0; i < document.count("nodes"); ++i)
    add_references(document, document.item("nodes", uint32_t(i)), "children", {}, children);
  std::vector<bool> has_parent(document.count("nodes"), false);
  for (const NodeReference& child : children) has_parent[child.index] = true;
  for (size_t i = 0; i < has_parent.size(); ++i)
    if (!has_parent[i]) roots.push_back({uint32_t(i), document.item("nodes", uint32_t(i)), {}});
  return roots;
}

/// Returns the vectors of an attribute of EXT_mesh_gpu_instancing; empty if there is none.
std::vector<float> instance_numbers(const GltfDocument& document, const JsonReader& attributes,
                                    const char* name, const char* type) {
  const std::optional<JsonReader> accessor = find_member(attributes, name);
  return accessor ? read_gltf_floats(document, *accessor, type) : std::vector<float>{};
}

}  // namespace

std::vector<PlacedNode> place_gltf_nodes(GltfDocument& document, GltfNodes nodes) {
  // An explicit stack, as hierarchies may have any depth.
  const bool has_scene = nodes == GltfNodes::kOfScene && document.count("scenes") > 0;
  std::vector<NodeReference> pending =
      has_scene ? roots_of_scene(document) : roots_of_file(document);
  std::reverse(pending.begin(), pending.end());
  std::vector<bool> is_placed(document.count("nodes"), false);
  std::vector<PlacedNode> placed;
  while (!pending.empty()) {
    const NodeReference next = std::move(pending.back());
    pending.pop_back();
    if (is_placed[next.index]) {
      document.leave_out(next.reference.pointer(),
                         "a node that is placed already is left out; expected a tree of nodes");
      continue;
    }
    is_placed[next.index] = true;
    const JsonReader node = document.item("nodes", next.index);
    PlacedNode here{.index = next.index,
                    .json = node,
                    .to_world = transform_of(node),
                    .parent = next.parent,
                    .is_visible = is_shown(document, node)};
    if (here.parent) {
      const PlacedNode& parent = placed[*here.parent];
      here.to_world = parent.to_world * here.to_world;
      here.is_visible &= parent.is_visible;
    }
    placed.push_back(here);
    const size_t first = pending.size();
    add_references(document, node, "children", placed.size() - 1, pending);
    std::reverse(pending.begin() + ptrdiff_t(first), pending.end());
  }
  return placed;
}

std::vector<glm::dmat4> place_gltf_copies(const GltfDocument& document, const PlacedNode& node) {
  constexpr size_t kVector = 3, kQuaternion = 4;  // numbers
  const auto attributes =
      find_member(find_extension(node.json, "EXT_mesh_gpu_instancing"), "attributes");
  if (!attributes) return {node.to_world};
  const std::vector<float> t = instance_numbers(document, *attributes, "TRANSLATION", "VEC3"),
                           r = instance_numbers(document, *attributes, "ROTATION", "VEC4"),
                           s = instance_numbers(document, *attributes, "SCALE", "VEC3");
  const size_t count = std::max({t.size() / kVector, r.size() / kQuaternion, s.size() / kVector});
  auto fits = [&](size_t size, size_t numbers) { return size == 0 || size == count * numbers; };
  if (!fits(t.size(), kVector) || !fits(r.size(), kQuaternion) || !fits(s.size(), kVector))
    attributes->fail("expected as many translations as rotations and scales");
  if (count > kMaxNodeCopies)
    attributes->fail("found {} copies; expected at most {}", count, kMaxNodeCopies);
  if (count == 0) return {node.to_world};

  std::vector<glm::dmat4> copies(count, node.to_world);
  for (size_t i = 0; i < count; ++i) {
    glm::dmat4& to_world = copies[i];
    if (!t.empty()) to_world = glm::translate(to_world, {t[3 * i], t[3 * i + 1], t[3 * i + 2]});
    if (!r.empty()) {
      const glm::dquat rotation(r[4 * i + 3], r[4 * i], r[4 * i + 1], r[4 * i + 2]);
      const double length = glm::length(rotation);
      if (length > 0.0) to_world = to_world * glm::mat4_cast(rotation / length);
    }
    if (!s.empty()) to_world = glm::scale(to_world, {s[3 * i], s[3 * i + 1], s[3 * i + 2]});
  }
  return copies;
}

}  // namespace winnow
