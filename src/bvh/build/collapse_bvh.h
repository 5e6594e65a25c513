#pragma once

#include "bvh/build/bvh_tree.h"
#include "bvh/wide_bvh.h"

namespace winnow {

/// The children of one wide node.
struct WideChildren {
  uint32_t nodes[WideBvhNode::kWidth];
  uint32_t count = 0;

  void add(uint32_t node) { nodes[count++] = node; }
};

/// How a binary tree becomes an 8-wide one at the least expected cost. Ylitie, Karras & Laine 2017,
/// section 3: dynamic programming over how many subtrees a node becomes.
class BvhCollapse {
 public:
  struct Choice {
    uint32_t reference_count = 1;  ///< primitives below; one that was split counts for each part
    /// [roots], how dear the rays of a random direction are below this node, if it becomes so many
    /// subtrees of wide nodes or fewer, at least 1.
    float cost[WideBvhNode::kWidth] = {};
    /// [roots], at least 2: how many of them come from the first child; 0 if one root fewer is no
    /// dearer.
    uint8_t first_roots[WideBvhNode::kWidth + 1] = {};
    bool becomes_leaf = true;  ///< as one subtree
  };

  /// Chooses for all nodes of a tree that is not empty, in parallel. The tree must outlive this.
  explicit BvhCollapse(const BvhTree& tree);

  const Choice& operator[](uint32_t node) const { return choices_[node]; }

  /// The children that the wide node made from `node` gets on level `depth`, the root's being 0: as
  /// chosen, but where that might not end at WideBvh::kMaxDepth, the tree's next three levels.
  WideChildren children(uint32_t node, uint32_t depth) const;

 private:
  void choose_below(uint32_t node);
  void choose(uint32_t node);
  void add_subtrees(uint32_t node, uint32_t roots, WideChildren& children) const;
  void add_levels(uint32_t node, uint32_t levels, WideChildren& children) const;

  const BvhTree& tree_;
  std::vector<Choice> choices_;  ///< [node]
};

/// Levels of wide nodes that suffice below and with a node of this height.
constexpr uint32_t wide_levels(uint32_t height) {
  return (height + 2) / 3;
}

}  // namespace winnow
