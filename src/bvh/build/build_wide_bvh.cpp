// SPDX-License-Identifier: MIT
#include "bvh/build/build_wide_bvh.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "bvh/build/bvh_tree.h"
#include "bvh/bvh_geometry.h"

namespace winnow {
namespace {

/// The primitives of a leaf, without duplicates.
struct Leaf {
  uint32_t primitives[WideBvhNode::kMaxLeafSize];
  uint32_t size = 0;

  void add(const BvhCollapse& tree, uint32_t node) {
    if (!tree[node].is_leaf()) {
      for (uint32_t child : tree[node].children) add(tree, child);
      return;
    }
    const uint32_t primitive = tree[node].children[0];
    if (std::find(primitives, primitives + size, primitive) == primitives + size)
      primitives[size++] = primitive;
  }
};

/// The children of a wide node, with the primitives of those that are leaves.
struct WideNode {
  WideChildren children;
  Leaf leaves[WideBvhNode::kWidth];

  WideNode(const BvhCollapse& tree, uint32_t node, uint32_t depth)
      : children(tree.children(node, depth)) {
    for (uint32_t i = 0; i < children.count; ++i)
      if (tree[children.nodes[i]].becomes_leaf()) leaves[i].add(tree, children.nodes[i]);
  }

  bool is_leaf(uint32_t child) const { return leaves[child].size > 0; }
};

/// Lays out the wide tree: the children of a node are contiguous, and everything below the first
/// child precedes everything below the second. Counts first, so that both passes run in parallel.
class Layout {
 public:
  std::vector<WideBvhNode> nodes;
  std::vector<uint32_t> references;  ///< primitives, node by node

  explicit Layout(BvhCollapse tree) : tree_(std::move(tree)), below_(tree_.size()) {
    const Count all = count(0, 0);
    nodes.resize(1 + all.nodes);
    references.resize(all.references);
    fill(0, {1, 0}, 0, 0);
  }

 private:
  /// Wide nodes and references in a subtree, or before it.
  struct Count {
    uint32_t nodes = 0, references = 0;

    void add(Count other) {
      nodes += other.nodes;
      references += other.references;
    }
  };

  /// Calls `visit(child)` for the children that are nodes, in parallel if the subtree is large.
  template <class Visit>
  void for_each_node(const WideNode& wide, uint32_t tree_node, Visit visit) const {
    constexpr uint32_t kManyLevels = 12;  // levels of the binary tree that are worth a task
    auto visit_node = [&](uint32_t child) {
      if (!wide.is_leaf(child)) visit(child);
    };
    if (tree_[tree_node].height() >= kManyLevels) {
      tbb::parallel_for(0u, wide.children.count, visit_node);
    } else {
      for (uint32_t child = 0; child < wide.children.count; ++child) visit_node(child);
    }
  }

  Count count(uint32_t tree_node, uint32_t depth) {
    const WideNode wide(tree_, tree_node, depth);
    for_each_node(wide, tree_node,
                  [&](uint32_t child) { count(wide.children.nodes[child], depth + 1); });
    Count below;
    for (uint32_t child = 0; child < wide.children.count; ++child) {
      below.references += wide.leaves[child].size;
      if (wide.is_leaf(child)) continue;
      ++below.nodes;
      below.add(below_[wide.children.nodes[child]]);
    }
    return below_[tree_node] = below;
  }

  /// Writes node `index`, and everything below it from `first` on.
  void fill(uint32_t index, Count first, uint32_t tree_node, uint32_t depth) {
    const WideNode wide(tree_, tree_node, depth);
    WideBvhChild slots[WideBvhNode::kWidth];
    const Span<WideBvhChild> children(slots, wide.children.count);
    for (uint32_t i = 0; i < children.size; ++i)
      children[i] = {
          .box = tree_[wide.children.nodes[i]].box, .leaf_size = wide.leaves[i].size, .index = i};
    assign_slots(children);
    order_slots(children);
    nodes[index] = encode_node({children.data, children.size}, first.nodes, first.references);

    uint32_t indices[WideBvhNode::kWidth];  // [child], indices of child nodes
    Count next = first;
    for (const WideBvhChild& child : children) {
      const Leaf& leaf = wide.leaves[child.index];
      std::copy_n(leaf.primitives, leaf.size, references.begin() + next.references);
      next.references += leaf.size;
      if (child.leaf_size == 0) indices[child.index] = next.nodes++;
    }
    Count firsts[WideBvhNode::kWidth];  // [child]
    for (const WideBvhChild& child : children) {
      firsts[child.index] = next;
      if (child.leaf_size == 0) next.add(below_[wide.children.nodes[child.index]]);
    }
    for_each_node(wide, tree_node, [&](uint32_t child) {
      fill(indices[child], firsts[child], wide.children.nodes[child], depth + 1);
    });
  }

  const BvhCollapse tree_;
  std::vector<Count> below_;  ///< [tree node], counts below those that become wide nodes
};

}  // namespace

WideBvhArrays build_wide_bvh(const HostScene& scene) {
  const size_t count = scene.triangles.size() + scene.spheres.size();
  if (count > WideBvh::kMaxPrimitives)
    throw Error("the scene has " + std::to_string(count) + " primitives; this BVH holds at most " +
                std::to_string(WideBvh::kMaxPrimitives));
  BvhTree tree = build_split_bvh(scene, WideBvh::kMaxBinaryHeight);
  WideBvhArrays arrays;
  if (tree.empty()) return arrays;
  optimize_bvh(tree, WideBvh::kMaxBinaryHeight);
  Layout layout{BvhCollapse(tree)};
  arrays.nodes = std::move(layout.nodes);
  arrays.primitives.resize(layout.references.size());
  const BvhGeometry geometry = geometry_of(scene);
  tbb::parallel_for(size_t(0), layout.references.size(), [&](size_t i) {
    arrays.primitives[i] = geometry.bvh_primitive(layout.references[i]);
  });
  return arrays;
}

InstanceTree build_instance_tree(const std::vector<Bounds>& boxes) {
  const BvhTree tree = build_box_bvh(boxes, WideBvh::kMaxBinaryHeight);
  if (tree.empty()) return {};
  Layout layout(BvhCollapse(tree, WideBvhNode::kMaxLeafSize));
  return {std::move(layout.nodes), std::move(layout.references)};
}

}  // namespace winnow
