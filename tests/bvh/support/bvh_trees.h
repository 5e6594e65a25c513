// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

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

/// The leaves below a node, and the sum of the half areas of all boxes.
struct CheckedTree {
  std::vector<uint32_t> leaves;
  double area = 0.0;
};

/// Expects that the box, height and links of each node are consistent with its children.
inline void check_tree(const BvhTree& tree, uint32_t index, CheckedTree& checked) {
  const BvhTreeNode& node = tree.at(index);
  checked.area += node.box.half_area();
  if (node.is_leaf()) {
    checked.leaves.push_back(index);
    EXPECT_EQ(node.height, 0);
    return;
  }
  Bounds box;
  uint32_t height = 0;
  for (uint32_t child : node.children) {
    EXPECT_EQ(tree.at(child).parent, index);
    box.extend(tree[child].box);
    height = std::max(height, tree[child].height + 1);
    check_tree(tree, child, checked);
  }
  EXPECT_EQ(node.box, box);
  EXPECT_EQ(node.height, height);
}

inline CheckedTree check_tree(const BvhTree& tree) {
  CheckedTree checked;
  EXPECT_EQ(tree.at(0).parent, BvhTreeNode::kNone);
  check_tree(tree, 0, checked);
  return checked;
}

}  // namespace winnow
