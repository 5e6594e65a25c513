// SPDX-License-Identifier: MIT
#pragma once

#include "bvh/build/bvh_tree.h"
#include "bvh/encode_bvh_node.h"
#include "bvh/wide_bvh.h"

namespace winnow {

/// The children of one wide node.
struct WideChildren {
  uint32_t nodes[WideBvhNode::kWidth];
  uint32_t count = 0;

  void add(uint32_t node) { nodes[count++] = node; }
};

/// Collapses a binary tree to an 8-wide one of least expected cost, by dynamic programming over the
/// number of subtrees that a node becomes. Ylitie, Karras & Laine 2017, section 3.
class BvhCollapse {
 public:
  struct Choice {
    uint32_t reference_count = 1;  ///< references below; each part of a split primitive counts
    /// [roots], expected cost of random rays below this node, m^2, if it becomes at most this many
    /// subtrees of wide nodes, at least 1.
    float cost[WideBvhNode::kWidth] = {};
    /// [roots], at least 2: how many of them come from the first child; 0 if one root fewer costs
    /// no more.
    uint8_t first_roots[WideBvhNode::kWidth + 1] = {};
    bool becomes_leaf = true;  ///< as one subtree
  };

  /// Chooses for all nodes of a tree that is not empty, in parallel. The tree must outlive this.
  explicit BvhCollapse(const BvhTree& tree);

  const Choice& operator[](uint32_t node) const { return choices_[node]; }

  /// The children of the wide node made from `node` on level `depth`; the root is on level 0. They
  /// are the ones of least cost, or the next three levels of the tree if the former could exceed
  /// WideBvh::kMaxDepth.
  WideChildren children(uint32_t node, uint32_t depth) const;

 private:
  void choose_below(uint32_t node);
  void choose(uint32_t node);
  void add_subtrees(uint32_t node, uint32_t roots, WideChildren& children) const;
  void add_levels(uint32_t node, uint32_t levels, WideChildren& children) const;

  const BvhTree& tree_;
  std::vector<Choice> choices_;  ///< [node]
};

/// Reassigns slots so that rays visit more child nodes in front-to-back order. Leaves are ignored:
/// they are tested before any child node is visited.
///
/// @param children  at most 8; sorted by slot, before and after
void order_slots(Span<WideBvhChild> children);

}  // namespace winnow
