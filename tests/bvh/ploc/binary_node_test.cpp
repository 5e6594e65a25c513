// SPDX-License-Identifier: MIT
#include "bvh/ploc/binary_node.h"

#include <gtest/gtest.h>

#include <vector>

#include "bvh/build/collapse_bvh.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

/// A binary tree of random shape over random boxes.
class RandomTree {
 public:
  BvhTree tree;

  RandomTree(RandomScene& random, uint32_t leaves) : random_(random) { add(leaves); }

 private:
  uint32_t add(uint32_t leaves) {
    const auto index = uint32_t(tree.size());
    tree.emplace_back();
    if (leaves == 1) {
      const glm::vec3 center = random_.point(1.0f);
      for (int i = 0; i < 2; ++i) tree[index].box.extend(center + random_.point(0.1f));
      tree[index].primitive = index;
      return index;
    }
    const uint32_t share = 1 + uint32_t(random_.uniform(0.0f, 0.999f) * float(leaves - 1));
    const uint32_t children[2] = {add(share), add(leaves - share)};
    for (int i = 0; i < 2; ++i) {
      tree[index].children[i] = children[i];
      tree[children[i]].parent = index;
    }
    refit(tree, index);
    return index;
  }

  RandomScene& random_;
};

TEST(BinaryNode, ChoosesTheCollapseThatTheQualityBuildChooses) {
  RandomScene random(1);
  for (uint32_t leaves : {2u, 3u, 4u, 5u, 8u, 9u, 30u, 300u}) {
    SCOPED_TRACE(leaves);
    const BvhTree tree = RandomTree(random, leaves).tree;
    const BvhCollapse collapse(tree);
    std::vector<BinaryNode> nodes(tree.size());
    for (auto i = uint32_t(tree.size()); i-- > 0;) {  // children follow their parents
      const BvhTreeNode& node = tree[i];
      const uint32_t a = node.children[0], b = node.children[1];
      nodes[i] = node.is_leaf() ? leaf_node(node.box, node.primitive)
                                : join_nodes(nodes[a], a, nodes[b], b);
      ASSERT_EQ(nodes[i].box.min, node.box.min);
      ASSERT_EQ(nodes[i].box.max, node.box.max);
      ASSERT_EQ(nodes[i].height(), node.height);
      ASSERT_EQ(nodes[i].is_leaf(), node.is_leaf());
      ASSERT_EQ(nodes[i].becomes_leaf(), collapse[i].becomes_leaf);
      const uint32_t below = collapse[i].reference_count;
      ASSERT_EQ(nodes[i].leaf_count(), below <= WideBvhNode::kMaxLeafSize ? below : 0);
      for (uint32_t roots = 1; roots < WideBvhNode::kWidth; ++roots)
        ASSERT_EQ(nodes[i].cost[roots - 1], collapse[i].cost[roots]) << roots;
      if (node.is_leaf()) continue;
      for (uint32_t roots = 2; roots <= WideBvhNode::kWidth; ++roots)
        ASSERT_EQ(nodes[i].first_roots(roots), collapse[i].first_roots[roots]) << roots;
    }
  }
}

TEST(BinaryNode, CountsLevelsUpToTheMaximum) {
  const Bounds box{glm::vec3(0.0f), glm::vec3(1.0f)};
  const BinaryNode leaf = leaf_node(box, 0);
  BinaryNode chain = leaf;
  for (uint32_t height = 1; height < 300; ++height) {
    chain = join_nodes(chain, 0, leaf, 1);
    ASSERT_EQ(chain.height(), std::min(height, BinaryNode::kMaxHeight));
  }
}

}  // namespace
}  // namespace winnow
