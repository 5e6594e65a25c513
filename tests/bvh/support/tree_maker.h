// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "bvh/build/bvh_tree.h"

namespace winnow {

/// Makes binary trees bottom-up, for tests.
class TreeMaker {
 public:
  uint32_t leaf(const Bounds& box, uint32_t primitive) {
    tree_.push_back({.box = box, .primitive = primitive});
    return uint32_t(tree_.size() - 1);
  }

  uint32_t join(uint32_t first, uint32_t second) {
    tree_.push_back({.box = {}, .children = {first, second}});
    const auto node = uint32_t(tree_.size() - 1);
    tree_[first].parent = tree_[second].parent = node;
    refit(tree_, node);
    return node;
  }

  const BvhTreeNode& operator[](uint32_t node) const { return tree_[node]; }

  BvhTree tree(uint32_t root) {
    BvhTree tree = tree_;
    tree[0] = tree[root];
    if (!tree[0].is_leaf())
      for (uint32_t child : tree[0].children) tree[child].parent = 0;
    if (root != 0) tree[root] = {};  // not part of the tree
    return tree;
  }

 private:
  BvhTree tree_ = BvhTree(1);
};

}  // namespace winnow
