// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>

#include "bvh/build/bvh_tree.h"
#include "tests/bvh/support/bvh_trees.h"
#include "tests/bvh/support/nasty_scenes.h"

namespace winnow {
namespace {

constexpr uint32_t kMaxTreeHeight = WideBvh::kMaxBinaryHeight;

uint32_t count_leaves(const BvhTree& tree, uint32_t node) {
  if (tree[node].is_leaf()) return 1;
  return count_leaves(tree, tree[node].children[0]) + count_leaves(tree, tree[node].children[1]);
}

/// Returns the cost of the resulting wide tree, summed over its nodes.
double cost_of(const BvhTree& tree, const BvhCollapse& collapse, uint32_t node,
               uint32_t depth = 0) {
  const double area = tree[node].box.half_area();
  EXPECT_EQ(collapse[node].height(), tree[node].height);
  if (depth > 0 && collapse[node].becomes_leaf()) {
    const uint32_t leaves = count_leaves(tree, node);
    EXPECT_LE(leaves, WideBvhNode::kMaxLeafSize);
    EXPECT_EQ(leaves, collapse[node].wide_leaf_size());
    return WideBvh::kPrimitiveCost * leaves * area;
  }
  double cost = area;
  const WideChildren children = collapse.children(node, depth);
  EXPECT_LE(children.count, WideBvhNode::kWidth);
  for (uint32_t i = 0; i < children.count; ++i)
    cost += cost_of(tree, collapse, children.nodes[i], depth + 1);
  return cost;
}

/// Returns the least cost of at most `roots` subtrees, by exhaustive search.
double least_cost(const BvhTree& tree, uint32_t node, uint32_t roots) {
  double least = INFINITY;
  const double area = tree[node].box.half_area();
  if (const uint32_t leaves = count_leaves(tree, node); leaves <= WideBvhNode::kMaxLeafSize)
    least = WideBvh::kPrimitiveCost * leaves * area;
  if (tree[node].is_leaf()) return least;
  auto shared = [&](uint32_t all) {
    double best = INFINITY;
    for (uint32_t k = 1; k < all; ++k)
      best = std::min(best, least_cost(tree, tree[node].children[0], k) +
                                least_cost(tree, tree[node].children[1], all - k));
    return best;
  };
  least = std::min(least, area + shared(WideBvhNode::kWidth));
  for (uint32_t all = 2; all <= roots; ++all) least = std::min(least, shared(all));
  return least;
}

TEST(CollapseBvh, CostsTheEstimate) {
  for (const NastyScene& nasty : nasty_scenes()) {
    if (nasty.name == "exponential chain") continue;  // the sum rounds small terms away
    SCOPED_TRACE(nasty.name);
    const BvhTree tree = build_split_bvh(nasty.scene, kMaxTreeHeight);
    const BvhCollapse collapse(tree);
    if (count_leaves(tree, 0) <= WideBvhNode::kMaxLeafSize) continue;
    EXPECT_NEAR(cost_of(tree, collapse, 0) / collapse[0].cost[0], 1.0, 1e-4);
  }
}

TEST(CollapseBvh, HasTheLeastCost) {
  RandomScene random(1);
  for (uint32_t triangles : {4u, 5u, 7u}) {
    const BvhTree tree = build_split_bvh(random.scene(triangles, 0), kMaxTreeHeight);
    const BvhCollapse collapse(tree);
    for (uint32_t roots = 1; roots < WideBvhNode::kWidth; ++roots)
      EXPECT_NEAR(collapse[0].cost[roots - 1] / least_cost(tree, 0, roots), 1.0, 1e-5) << roots;
  }
}

/// Levels of wide nodes.
uint32_t wide_depth(const BvhCollapse& collapse, uint32_t node, uint32_t depth) {
  if (collapse[node].becomes_leaf()) return 0;
  const WideChildren children = collapse.children(node, depth);
  uint32_t levels = 0;
  for (uint32_t i = 0; i < children.count; ++i)
    levels = std::max(levels, wide_depth(collapse, children.nodes[i], depth + 1));
  return levels + 1;
}

/// A chain for which the least expected cost uses a wide node per link: the subtree of a link is
/// larger than all following links and takes seven of eight slots.
BvhTree heavy_chain(int links) {
  constexpr uint32_t kSubtrees = WideBvhNode::kWidth - 1, kLeaves = 4;
  TreeMaker maker;
  auto joined = [&](uint32_t count, auto make) {
    uint32_t node = make();
    for (uint32_t i = 1; i < count; ++i) node = maker.join(node, make());
    return node;
  };
  uint32_t chain = maker.leaf({glm::vec3(0.0f), glm::vec3(std::ldexp(1.0f, -links / 2))}, 0);
  for (int link = 1; link <= links; ++link) {
    const Bounds box{glm::vec3(0.0f), glm::vec3(std::ldexp(1.0f, link - links / 2))};
    chain = maker.join(chain, joined(kSubtrees, [&] {
                         return joined(kLeaves, [&] { return maker.leaf(box, 0); });
                       }));
  }
  return maker.tree(chain);
}

TEST(CollapseBvh, RespectsTheMaximumDepth) {
  constexpr int kSubtreeHeight = 9;  // the subtree of one link
  for (int links : {20, 30, 50, int(kMaxTreeHeight) - kSubtreeHeight}) {
    const BvhTree tree = heavy_chain(links);
    ASSERT_LE(tree[0].height, kMaxTreeHeight);
    const uint32_t depth = wide_depth(BvhCollapse(tree), 0, 0);
    EXPECT_LE(depth, uint32_t(WideBvh::kMaxDepth)) << links << " links";
    EXPECT_GE(depth, uint32_t(std::min(links, WideBvh::kMaxDepth - 5))) << "not as chosen";
  }
}

TEST(BinaryNode, CountsLevelsUpToTheMaximumAndThoseOfTheWideTree) {
  const Bounds box{glm::vec3(0.0f), glm::vec3(1.0f)};
  const BinaryNode leaf = leaf_node(box, 0);
  BinaryNode chain = leaf;
  for (uint32_t height = 1; height < 300; ++height) {
    chain = join_nodes(chain, 0, leaf, 1);
    ASSERT_EQ(chain.height(), std::min(height, BinaryNode::kMaxHeight));
    if (height <= WideBvhNode::kMaxLeafSize || height > kMaxTreeHeight) continue;
    const uint32_t levels = (height + 2) / 3;  // below `chain` and including it
    EXPECT_FALSE(chain.is_too_deep_below(WideBvh::kMaxDepth - levels - 1)) << height;
    EXPECT_TRUE(chain.is_too_deep_below(WideBvh::kMaxDepth - levels)) << height;
  }
}

std::vector<WideBvhChild> children_with(const std::vector<Bounds>& boxes) {
  std::vector<WideBvhChild> children(boxes.size());
  for (uint32_t i = 0; i < boxes.size(); ++i) children[i] = {.box = boxes[i], .index = i};
  assign_slots({children.data(), children.size()});
  return children;
}

void order(std::vector<WideBvhChild>& children) {
  order_slots({children.data(), children.size()});
}

/// The indices of the children in the order in which a ray of an octant visits them.
std::vector<uint32_t> visited(const std::vector<WideBvhChild>& children, uint32_t octant) {
  std::vector<uint32_t> indices;
  for (uint32_t i = 0; i < WideBvhNode::kWidth; ++i)
    for (const WideBvhChild& child : children)
      if (child.slot == (i ^ ~octant) % WideBvhNode::kWidth) indices.push_back(child.index);
  return indices;
}

TEST(OrderSlots, OrdersTwoNodesBySeparationWhereverLeavesLie) {
  RandomScene random(3);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Bounds> boxes(8);
    for (uint32_t i = 0; i < 8; ++i) {
      const glm::vec3 lower = i < 2 ? glm::vec3(0.0f) : random.point(3.0f);
      boxes[i] = {lower, lower + 1.0f};
    }
    boxes[1].min[axis] += 2.0f;
    boxes[1].max[axis] += 2.0f;
    std::vector<WideBvhChild> children = children_with(boxes);
    for (WideBvhChild& child : children) child.leaf_size = child.index < 2 ? 0 : 1;
    order(children);
    for (uint32_t octant = 0; octant < 8; ++octant) {
      std::vector<uint32_t> nodes = visited(children, octant);
      std::erase_if(nodes, [](uint32_t index) { return index >= 2; });
      EXPECT_EQ(nodes[0], octant >> axis & 1 ? 0 : 1) << "axis " << axis << " octant " << octant;
    }
  }
}

TEST(OrderSlots, KeepsTheOrderOfTheChildrenOfACube) {
  std::vector<Bounds> cube(8);
  for (uint32_t i = 0; i < 8; ++i) {
    const glm::vec3 lower(i & 1, i >> 1 & 1, i >> 2);
    cube[i] = {lower, lower + 1.0f};
  }
  std::vector<WideBvhChild> children = children_with(cube);
  order(children);
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(children[i].index, i);
}

/// Pairs of disjoint boxes that rays of an octant can both hit but visit back to front.
int wrong_pairs(const std::vector<WideBvhChild>& children) {
  int wrong = 0;
  for (uint32_t octant = 0; octant < 8; ++octant) {
    const std::vector<uint32_t> order = visited(children, octant);
    std::vector<Bounds> boxes(children.size());
    for (const WideBvhChild& child : children) boxes[child.index] = child.box;
    for (size_t i = 0; i < order.size(); ++i)
      for (size_t j = i + 1; j < order.size(); ++j) {
        const Bounds &early = boxes[order[i]], &late = boxes[order[j]];
        bool early_first = false, late_first = false;
        for (int axis = 0; axis < 3; ++axis) {
          const bool up = octant >> axis & 1;
          const bool late_above = late.min[axis] >= early.max[axis];
          const bool early_above = early.min[axis] >= late.max[axis];
          early_first |= up ? late_above : early_above;
          late_first |= up ? early_above : late_above;
        }
        wrong += late_first && !early_first;
      }
  }
  return wrong;
}

TEST(OrderSlots, VisitsFewerPairsInTheWrongOrder) {
  RandomScene random(1);
  int before = 0, after = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<Bounds> boxes(8);
    for (Bounds& box : boxes) {
      const glm::vec3 center = glm::vec3(4, 2, 1) * random.point(1.0f);
      box = {center - 0.3f, center + 0.3f};
    }
    std::vector<WideBvhChild> children = children_with(boxes);
    before += wrong_pairs(children);
    order(children);
    after += wrong_pairs(children);
  }
  EXPECT_LT(after, before * 3 / 4);
}

TEST(OrderSlots, GivesEachChildASlotOfItsOwn) {
  RandomScene random(2);
  for (uint32_t i = 0; i < 1000; ++i) {
    std::vector<Bounds> boxes(i % 8 + 1);
    for (Bounds& box : boxes) box = random.box(0.0f, 1.0f);
    std::vector<WideBvhChild> children = children_with(boxes);
    for (WideBvhChild& child : children) child.leaf_size = child.index % 3;
    order(children);
    std::vector<bool> there(children.size());
    for (size_t k = 0; k < children.size(); ++k) {
      ASSERT_LT(children[k].slot, 8);
      ASSERT_TRUE(k == 0 || children[k - 1].slot < children[k].slot);
      there[children[k].index] = true;
    }
    ASSERT_EQ(std::count(there.begin(), there.end(), false), 0);
  }
}

}  // namespace
}  // namespace winnow
