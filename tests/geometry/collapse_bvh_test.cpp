#include "geometry/collapse_bvh.h"

#include <gtest/gtest.h>

#include <deque>

#include "tests/geometry/nasty_scenes.h"

namespace winnow {
namespace {

constexpr float kPrimitiveCost = 0.3f;

/// What the collapse promises, added up over the wide tree that comes out.
double cost_of(const BvhTreeNode& node, uint32_t depth = 0) {
  const double area = node.box.surface_area();
  if (depth > 0 && node.becomes_leaf) {
    EXPECT_LE(node.reference_count, WideBvhNode::kMaxLeafSize);
    return kPrimitiveCost * node.reference_count * area;
  }
  double cost = area;
  const WideChildren children = wide_children(node, depth);
  EXPECT_LE(children.count, WideBvhNode::kWidth);
  for (uint32_t i = 0; i < children.count; ++i) cost += cost_of(*children.nodes[i], depth + 1);
  return cost;
}

/// The least cost of `roots` subtrees or fewer, by trying everything.
double least_cost(const BvhTreeNode& node, uint32_t roots) {
  double least = INFINITY;
  const double area = node.box.surface_area();
  if (node.reference_count <= WideBvhNode::kMaxLeafSize)
    least = kPrimitiveCost * node.reference_count * area;
  if (node.is_leaf()) return least;
  auto shared = [&](uint32_t all) {
    double best = INFINITY;
    for (uint32_t k = 1; k < all; ++k)
      best =
          std::min(best, least_cost(*node.children[0], k) + least_cost(*node.children[1], all - k));
    return best;
  };
  least = std::min(least, area + shared(WideBvhNode::kWidth));
  for (uint32_t all = 2; all <= roots; ++all) least = std::min(least, shared(all));
  return least;
}

TEST(CollapseBvh, CostsWhatItPromises) {
  for (const NastyScene& nasty : nasty_scenes()) {
    if (nasty.name == "exponential chain") continue;  // the sum has no digits for small ones
    SCOPED_TRACE(nasty.name);
    const BvhTree tree(nasty.scene);
    if (tree.root()->reference_count <= WideBvhNode::kMaxLeafSize) continue;
    EXPECT_NEAR(cost_of(*tree.root()) / tree.root()->cost[1], 1.0, 1e-4);
  }
}

TEST(CollapseBvh, CostsNoMoreThanAnyOther) {
  RandomScene random(1);
  for (uint32_t triangles : {4u, 5u, 7u}) {
    const HostScene scene = random.scene(triangles, 0);
    const BvhTree tree(scene);
    EXPECT_NEAR(tree.root()->cost[1] / least_cost(*tree.root(), 1), 1.0, 1e-5);
  }
}

/// Levels of wide nodes.
uint32_t wide_depth(const BvhTreeNode& node, uint32_t depth) {
  if (node.becomes_leaf) return 0;
  const WideChildren children = wide_children(node, depth);
  uint32_t levels = 0;
  for (uint32_t i = 0; i < children.count; ++i)
    levels = std::max(levels, wide_depth(*children.nodes[i], depth + 1));
  return levels + 1;
}

TEST(CollapseBvh, EndsBeforeTheStackDoes) {
  // A chain as deep as can be, each node of which chose to take its two children and no more.
  std::deque<BvhTreeNode> nodes(1);
  BvhTreeNode* below = &nodes[0];
  for (uint32_t height = 1; height <= 3 * uint32_t(WideBvh::kMaxDepth); ++height) {
    nodes.emplace_back();
    BvhTreeNode& leaf = nodes.back();
    nodes.emplace_back();
    BvhTreeNode& node = nodes.back();
    node.children[0] = below;
    node.children[1] = &leaf;
    node.height = height;
    node.becomes_leaf = false;
    node.first_roots[WideBvhNode::kWidth] = 1;
    below = &node;
    EXPECT_LE(wide_depth(node, 0), uint32_t(WideBvh::kMaxDepth)) << "height " << height;
  }
}

}  // namespace
}  // namespace winnow
