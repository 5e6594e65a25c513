// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/binary_node.h"
#include "bvh/build/bvh_tree.h"
#include "bvh/encode_bvh_node.h"

namespace winnow {

/// The children of one wide node.
struct WideChildren {
  uint32_t nodes[WideBvhNode::kWidth];
  uint32_t count = 0;

  void add(uint32_t node) { nodes[count++] = node; }
};

/// A binary tree that is to be collapsed to an 8-wide one of least expected cost.
class BvhCollapse {
 public:
  /// Makes the choices of all nodes of a tree that is not empty, in parallel.
  explicit BvhCollapse(const BvhTree& tree) : nodes_(tree.size()) { choose_below(tree, 0); }

  /// Returns the node of the same index.
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
};

/// Reassigns slots so that rays visit more child nodes in front-to-back order. Leaves are ignored:
/// they are tested before any child node is visited.
///
/// @param children  at most 8; sorted by slot, before and after
void order_slots(Span<WideBvhChild> children);

}  // namespace winnow
