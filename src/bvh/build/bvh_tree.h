// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bvh/binary_node.h"
#include "bvh/encode_bvh_node.h"
#include "math/bounds.h"
#include "scene/host_scene.h"

namespace winnow {

/// A node of the binary tree from which the quality build makes a wide one.
struct BvhTreeNode {
  static constexpr uint32_t kNone = ~0u;

  Bounds box;
  uint32_t parent = kNone;
  uint32_t children[2] = {kNone, kNone};
  uint32_t primitive = kNone;  ///< primitive of a leaf, which has exactly one
  uint32_t height = 0;         ///< levels below
  bool is_leaf() const { return children[0] == kNone; }
  bool operator==(const BvhTreeNode&) const = default;
};

/// [node], root first; empty without geometry. May contain nodes that are not part of the tree.
using BvhTree = std::vector<BvhTreeNode>;

/// Updates the box and height of an inner node from its children. Returns whether they changed.
inline bool refit(BvhTree& tree, uint32_t index) {
  BvhTreeNode& node = tree[index];
  const BvhTreeNode &a = tree[node.children[0]], &b = tree[node.children[1]];
  const Bounds box = join(a.box, b.box);
  const uint32_t height = std::max(a.height, b.height) + 1;
  if (box == node.box && height == node.height) return false;
  node.box = box;
  node.height = height;
  return true;
}

/// Builds a tree top-down by the surface area heuristic, with spatial splits where the boxes of
/// children would overlap. Omits primitives that are not finite. Uses all threads of oneTBB; the
/// result does not depend on their number. Stich, Friedrich & Dietrich, "Spatial Splits in Bounding
/// Volume Hierarchies", HPG 2009.
///
/// @param max_height  levels below the root; more than the binary logarithm of the reference count
BvhTree build_split_bvh(const HostScene& scene, uint32_t max_height);

/// Builds a tree of boxes as build_split_bvh() does, but without spatial splits.
BvhTree build_box_bvh(const std::vector<Bounds>& boxes, uint32_t max_height);

/// Reinserts subtrees where they enlarge the boxes above them least. Uses all threads of oneTBB;
/// the result does not depend on their number. Meister & Bittner, "Parallel Reinsertion for
/// Bounding Volume Hierarchy Optimization", 2018.
///
/// @param max_height  upper limit of the height; at least that of `tree`
void optimize_bvh(BvhTree& tree, uint32_t max_height);

struct WideChildren {
  uint32_t nodes[WideBvhNode::kWidth];
  uint32_t count = 0;
  void add(uint32_t node) { nodes[count++] = node; }
};

/// A binary tree that is to be collapsed to an 8-wide one of least expected cost.
class BvhCollapse {
 public:
  /// Makes the choices of all nodes of a tree that is not empty, in parallel.
  explicit BvhCollapse(const BvhTree& tree, uint32_t leaf_count = 1)
      : nodes_(tree.size()), leaf_count_(leaf_count) {
    choose_below(tree, 0);
  }

  size_t size() const { return nodes_.size(); }
  const BinaryNode& operator[](uint32_t node) const { return nodes_[node]; }

  /// Returns the children of the wide node made from `node` on level `depth`; the root is on level
  /// 0. They are those of least cost, or the next three levels of the tree if the former could
  /// exceed WideBvh::kMaxDepth.
  WideChildren children(uint32_t node, uint32_t depth) const;

 private:
  void choose_below(const BvhTree& tree, uint32_t node);
  void add_subtrees(uint32_t node, uint32_t roots, WideChildren& children) const;
  void add_levels(uint32_t node, uint32_t levels, WideChildren& children) const;

  std::vector<BinaryNode> nodes_;  ///< [node]
  uint32_t leaf_count_;
};

/// Reassigns slots so that rays visit more child nodes in front-to-back order. Leaves are ignored:
/// they are tested before any child node is visited.
///
/// @param children  at most 8; sorted by slot, before and after
void order_slots(Span<WideBvhChild> children);

}  // namespace winnow
