#include "load/gltf/nodes.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>
#include <utility>

namespace winnow {
namespace {

glm::dmat4 transform_of(const GltfDocument& document, const tinygltf::Node& node,
                        const std::string& place) {
  auto expect = [&](const std::vector<double>& numbers, size_t count, const char* key) {
    if (!numbers.empty() && numbers.size() != count)
      document.fail(place + "/" + key,
                    fmt::format("expected {} numbers, found {}", count, numbers.size()));
    return !numbers.empty();
  };
  constexpr size_t kMatrix = 16, kVector = 3, kQuaternion = 4;  // numbers
  glm::dmat4 transform(1.0);
  if (expect(node.matrix, kMatrix, "matrix")) {
    for (int i = 0; i < 16; ++i) transform[i / 4][i % 4] = node.matrix[size_t(i)];
    return transform;
  }
  if (expect(node.translation, kVector, "translation"))
    transform =
        glm::translate(transform, {node.translation[0], node.translation[1], node.translation[2]});
  if (expect(node.rotation, kQuaternion, "rotation")) {
    const std::vector<double>& r = node.rotation;
    const glm::dquat turn(r[3], r[0], r[1], r[2]);  // glTF has w last
    const double length = glm::length(turn);
    if (!(length > 0.0)) document.fail(place + "/rotation", "expected a quaternion, found zero");
    transform = transform * glm::mat4_cast(turn / length);
  }
  if (expect(node.scale, kVector, "scale"))
    transform = glm::scale(transform, {node.scale[0], node.scale[1], node.scale[2]});
  return transform;
}

/// The nodes without a parent in the scene, each with its place.
std::vector<std::pair<int, std::string>> find_roots(const GltfDocument& document) {
  const tinygltf::Model& model = document.model();
  std::vector<std::pair<int, std::string>> roots;
  if (!model.scenes.empty()) {
    const int number = std::max(model.defaultScene, 0);
    const std::vector<int>& nodes = document.item(model.scenes, number, "/scene").nodes;
    for (size_t i = 0; i < nodes.size(); ++i)
      roots.emplace_back(nodes[i], fmt::format("/scenes/{}/nodes/{}", number, i));
    return roots;
  }
  std::vector<bool> has_parent(model.nodes.size(), false);
  for (const tinygltf::Node& node : model.nodes)
    for (int child : node.children)
      if (child >= 0 && size_t(child) < has_parent.size()) has_parent[size_t(child)] = true;
  for (size_t i = 0; i < has_parent.size(); ++i)
    if (!has_parent[i]) roots.emplace_back(int(i), fmt::format("/nodes/{}", i));
  return roots;
}

}  // namespace

std::vector<PlacedNode> place_gltf_nodes(const GltfDocument& document) {
  struct Waiting {
    int number;
    std::string named_at;
    glm::dmat4 parent;
  };
  // Hierarchies may be as deep as they like: those who wait are on a stack of our own.
  std::vector<Waiting> waiting;
  for (auto& [number, place] : find_roots(document))
    waiting.push_back({number, std::move(place), glm::dmat4(1.0)});
  std::reverse(waiting.begin(), waiting.end());

  const std::vector<tinygltf::Node>& nodes = document.model().nodes;
  std::vector<bool> is_placed(nodes.size(), false);
  std::vector<PlacedNode> placed;
  while (!waiting.empty()) {
    const Waiting next = std::move(waiting.back());
    waiting.pop_back();
    const tinygltf::Node& node = document.item(nodes, next.number, next.named_at);
    if (is_placed[size_t(next.number)])
      document.fail(next.named_at, fmt::format("the node {} is there twice, or in a circle; "
                                               "expected a tree",
                                               next.number));
    is_placed[size_t(next.number)] = true;
    const std::string place = fmt::format("/nodes/{}", next.number);
    const glm::dmat4 to_world = next.parent * transform_of(document, node, place);
    placed.push_back({&node, to_world, next.number, place});
    for (size_t i = node.children.size(); i-- > 0;)
      waiting.push_back({node.children[i], fmt::format("{}/children/{}", place, i), to_world});
  }
  return placed;
}

}  // namespace winnow
