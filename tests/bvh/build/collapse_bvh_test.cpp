// SPDX-License-Identifier: MIT
#include "bvh/build/collapse_bvh.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bvh/build/bvh_tree.h"
#include "tests/bvh/support/nasty_scenes.h"
#include "tests/bvh/support/tree_maker.h"

namespace winnow {
namespace {

constexpr uint32_t kMaxTreeHeight = WideBvh::kMaxBinaryHeight;

/// The cost of the resulting wide tree, summed over its nodes.
double cost_of(const BvhTree& tree, const BvhCollapse& collapse, uint32_t node,
               uint32_t depth = 0) {
  const double area = tree[node].box.half_area();
  if (depth > 0 && collapse[node].becomes_leaf) {
    EXPECT_LE(collapse[node].reference_count, WideBvhNode::kMaxLeafSize);
    return WideBvh::kPrimitiveCost * collapse[node].reference_count * area;
  }
  double cost = area;
  const WideChildren children = collapse.children(node, depth);
  EXPECT_LE(children.count, WideBvhNode::kWidth);
  for (uint32_t i = 0; i < children.count; ++i)
    cost += cost_of(tree, collapse, children.nodes[i], depth + 1);
  return cost;
}

/// The least cost of at most `roots` subtrees, by exhaustive search.
double least_cost(const BvhTree& tree, const BvhCollapse& collapse, uint32_t node, uint32_t roots) {
  double least = INFINITY;
  const double area = tree[node].box.half_area();
  if (collapse[node].reference_count <= WideBvhNode::kMaxLeafSize)
    least = WideBvh::kPrimitiveCost * collapse[node].reference_count * area;
  if (tree[node].is_leaf()) return least;
  auto shared = [&](uint32_t all) {
    double best = INFINITY;
    for (uint32_t k = 1; k < all; ++k)
      best = std::min(best, least_cost(tree, collapse, tree[node].children[0], k) +
                                least_cost(tree, collapse, tree[node].children[1], all - k));
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
    if (collapse[0].reference_count <= WideBvhNode::kMaxLeafSize) continue;
    EXPECT_NEAR(cost_of(tree, collapse, 0) / collapse[0].cost[1], 1.0, 1e-4);
  }
}

TEST(CollapseBvh, HasTheLeastCost) {
  RandomScene random(1);
  for (uint32_t triangles : {4u, 5u, 7u}) {
    const BvhTree tree = build_split_bvh(random.scene(triangles, 0), kMaxTreeHeight);
    const BvhCollapse collapse(tree);
    EXPECT_NEAR(collapse[0].cost[1] / least_cost(tree, collapse, 0, 1), 1.0, 1e-5);
  }
}

/// Levels of wide nodes.
uint32_t wide_depth(const BvhCollapse& collapse, uint32_t node, uint32_t depth) {
  if (collapse[node].becomes_leaf) return 0;
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
  constexpr int kSubtreeHeight = 9;  // of a link
  for (int links : {20, 30, 50, int(kMaxTreeHeight) - kSubtreeHeight}) {
    const BvhTree tree = heavy_chain(links);
    ASSERT_LE(tree[0].height, kMaxTreeHeight);
    const uint32_t depth = wide_depth(BvhCollapse(tree), 0, 0);
    EXPECT_LE(depth, uint32_t(WideBvh::kMaxDepth)) << links << " links";
    EXPECT_GE(depth, uint32_t(std::min(links, WideBvh::kMaxDepth - 5))) << "not as chosen";
  }
}

}  // namespace
}  // namespace winnow
