#include "geometry/build_wide_bvh.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <string>

#include "geometry/bvh_tree.h"
#include "geometry/collapse_bvh.h"
#include "geometry/encode_bvh_node.h"

namespace winnow {
namespace {

/// The primitives of a leaf, each once.
struct Leaf {
  uint32_t primitives[WideBvhNode::kMaxLeafSize];
  uint32_t size = 0;

  void add(const BvhTreeNode& node) {
    if (!node.is_leaf()) {
      for (const BvhTreeNode* child : node.children) add(*child);
    } else if (std::find(primitives, primitives + size, node.primitive) == primitives + size) {
      primitives[size++] = node.primitive;
    }
  }
};

/// Lays the wide tree out: a node's children side by side, and all that is below the first of them
/// before what is below the second.
class Layout {
 public:
  std::vector<WideBvhNode> nodes;
  std::vector<uint32_t> references;  ///< primitives, node by node

  explicit Layout(const BvhTreeNode& root) {
    references.reserve(root.reference_count);
    nodes.emplace_back();
    fill(0, root, 0);
  }

 private:
  void fill(uint32_t index, const BvhTreeNode& tree_node, uint32_t depth) {
    const WideChildren wide = wide_children(tree_node, depth);
    Leaf leaves[WideBvhNode::kWidth];
    WideBvhChild slots[WideBvhNode::kWidth];
    const Span<WideBvhChild> children(slots, wide.count);
    for (uint32_t i = 0; i < wide.count; ++i) {
      if (wide.nodes[i]->becomes_leaf) leaves[i].add(*wide.nodes[i]);
      children[i] = {.box = wide.nodes[i]->box, .leaf_size = leaves[i].size, .number = i};
    }
    assign_slots(children);

    const auto first_node = uint32_t(nodes.size());
    nodes[index] = encode_node(children, first_node, uint32_t(references.size()));
    for (const WideBvhChild& child : children) {
      const Leaf& leaf = leaves[child.number];
      references.insert(references.end(), leaf.primitives, leaf.primitives + leaf.size);
      if (child.leaf_size == 0) nodes.emplace_back();
    }
    uint32_t next = first_node;
    for (const WideBvhChild& child : children)
      if (child.leaf_size == 0) fill(next++, *wide.nodes[child.number], depth + 1);
  }
};

BvhPrimitive traversal_primitive(const HostScene& scene, uint32_t primitive) {
  if (primitive < scene.triangles.size()) {
    const glm::uvec3 t = scene.triangles[primitive];
    return BvhPrimitive::triangle(scene.positions[t.x], scene.positions[t.y], scene.positions[t.z],
                                  primitive);
  }
  const Sphere& sphere = scene.spheres[primitive - scene.triangles.size()];
  return BvhPrimitive::sphere(sphere.center, sphere.radius, primitive);
}

}  // namespace

WideBvhArrays build_wide_bvh(const HostScene& scene) {
  const size_t count = scene.triangles.size() + scene.spheres.size();
  if (count > WideBvh::kMaxPrimitives)
    throw Error("the scene has " + std::to_string(count) + " primitives; this BVH holds at most " +
                std::to_string(WideBvh::kMaxPrimitives));
  const BvhTree tree(scene);
  WideBvhArrays arrays;
  if (!tree.root()) return arrays;
  Layout layout(*tree.root());
  arrays.nodes = std::move(layout.nodes);
  arrays.primitives.resize(layout.references.size());
  tbb::parallel_for(size_t(0), layout.references.size(), [&](size_t i) {
    arrays.primitives[i] = traversal_primitive(scene, layout.references[i]);
  });
  return arrays;
}

}  // namespace winnow
