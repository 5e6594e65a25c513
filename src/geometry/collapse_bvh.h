#pragma once

#include "geometry/bvh_tree.h"

namespace winnow {

/// Chooses how the subtree below `node` becomes 8-wide at the least expected cost; the children
/// have theirs chosen. Ylitie, Karras & Laine 2017, section 3: dynamic programming over how many
/// subtrees a node becomes.
void choose_collapse(BvhTreeNode& node);

/// The same for all nodes of a tree, in parallel.
void choose_collapses(BvhTreeNode& root);

/// The children of one wide node.
struct WideChildren {
  const BvhTreeNode* nodes[WideBvhNode::kWidth];
  uint32_t count = 0;

  void add(const BvhTreeNode* node) { nodes[count++] = node; }
};

/// The children that the wide node made from `node` gets on level `depth`, the root's being 0: as
/// chosen, but where that might not end at WideBvh::kMaxDepth, the tree's next three levels.
WideChildren wide_children(const BvhTreeNode& node, uint32_t depth);

/// Levels of wide nodes that suffice below and with a node of this height.
constexpr uint32_t wide_levels(uint32_t height) {
  return (height + 2) / 3;
}

}  // namespace winnow
