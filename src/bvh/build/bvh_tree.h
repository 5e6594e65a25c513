#pragma once

#include <cstdint>
#include <vector>

#include "bvh/bvh_box.h"

namespace winnow {

/// A node of the binary tree that a wide one is made from. Nodes are named by their numbers.
struct BvhTreeNode {
  static constexpr uint32_t kNone = ~0u;

  BvhBox box;
  uint32_t parent = kNone;
  uint32_t children[2] = {kNone, kNone};
  uint32_t primitive = kNone;  ///< of a leaf, which has one
  uint32_t height = 0;         ///< levels below

  bool is_leaf() const { return children[0] == kNone; }
};

/// [node], the root first; empty without geometry. Some nodes may be part of nothing.
using BvhTree = std::vector<BvhTreeNode>;

/// Sets what a node knows of its children. Returns whether that changed.
bool refit(BvhTree& tree, uint32_t node);

}  // namespace winnow
