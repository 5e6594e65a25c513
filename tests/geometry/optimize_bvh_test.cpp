#include "geometry/optimize_bvh.h"

#include <gtest/gtest.h>

#include <deque>

#include "tests/geometry/random_scene.h"

namespace winnow {
namespace {

/// A tree over small boxes in no order: as bad as can be.
class RandomTree {
 public:
  RandomTree(uint32_t leaves, uint64_t seed) : random_(seed) { root_ = &make(0, leaves); }

  BvhTreeNode& root() { return *root_; }

 private:
  BvhTreeNode& make(uint32_t first, uint32_t count) {
    BvhTreeNode& node = nodes_.emplace_back();
    if (count == 1) {
      const glm::vec3 corner = random_.point(1.0f);
      node.box = {corner, corner + 0.05f};
      node.primitive = first;
      return node;
    }
    const uint32_t half = count / 2;
    node.children[0] = &make(first, half);
    node.children[1] = &make(first + half, count - half);
    for (BvhTreeNode* child : node.children) {
      child->parent = &node;
      node.box.add(child->box);
      node.height = std::max(node.height, child->height + 1);
    }
    return node;
  }

  RandomScene random_;
  std::deque<BvhTreeNode> nodes_;
  BvhTreeNode* root_;
};

/// The sum of the areas of all boxes, and that each node fits its children.
double checked_area(const BvhTreeNode& node, std::vector<uint32_t>& leaves) {
  double area = node.box.surface_area();
  if (node.is_leaf()) {
    ++leaves.at(node.primitive);
    EXPECT_EQ(node.height, 0);
    return area;
  }
  BvhBox box;
  uint32_t height = 0;
  for (const BvhTreeNode* child : node.children) {
    EXPECT_EQ(child->parent, &node);
    box.add(child->box);
    height = std::max(height, child->height + 1);
    area += checked_area(*child, leaves);
  }
  EXPECT_EQ(node.box.lower, box.lower);
  EXPECT_EQ(node.box.upper, box.upper);
  EXPECT_EQ(node.height, height);
  return area;
}

TEST(OptimizeBvh, KeepsAllLeavesAndShrinksTheBoxes) {
  for (uint32_t count : {1u, 2u, 3u, 7u, 1000u, 5000u}) {
    SCOPED_TRACE(count);
    RandomTree tree(count, 1);
    std::vector<uint32_t> before(count), after(count);
    const double area = checked_area(tree.root(), before);
    constexpr uint32_t kEnough = 1000;
    for (int i = 0; i < 5; ++i) optimize_bvh(tree.root(), kEnough);
    EXPECT_LE(checked_area(tree.root(), after), count < 100 ? area * 1.0001 : area * 0.95);
    EXPECT_EQ(after, std::vector<uint32_t>(count, 1));
  }
}

TEST(OptimizeBvh, KeepsTheTreeAsLowAsAsked) {
  constexpr uint32_t kLeaves = 3000;
  RandomTree low(kLeaves, 2), high(kLeaves, 2);
  const uint32_t height = low.root().height;
  optimize_bvh(low.root(), height);
  optimize_bvh(high.root(), 1000);
  EXPECT_LE(low.root().height, height);
  EXPECT_GT(high.root().height, height);  // so there was something to keep low
  std::vector<uint32_t> leaves(kLeaves);
  checked_area(low.root(), leaves);
  EXPECT_EQ(leaves, std::vector<uint32_t>(kLeaves, 1));
}

}  // namespace
}  // namespace winnow
