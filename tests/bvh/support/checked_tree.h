// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "bvh/build/bvh_tree.h"

namespace winnow {

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
  EXPECT_EQ(node.box.min, box.min);
  EXPECT_EQ(node.box.max, box.max);
  EXPECT_EQ(node.height, height);
}

inline CheckedTree check_tree(const BvhTree& tree) {
  CheckedTree checked;
  EXPECT_EQ(tree.at(0).parent, BvhTreeNode::kNone);
  check_tree(tree, 0, checked);
  return checked;
}

}  // namespace winnow
