// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "bvh/build/bvh_tree.h"
#include "tests/bvh/support/bvh_trees.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

uint32_t join_all(TreeMaker& maker, RandomScene& random, uint32_t first, uint32_t count) {
  if (count == 1) {
    const glm::vec3 corner = random.point(1.0f);
    return maker.leaf({corner, corner + 0.05f}, first);
  }
  const uint32_t a = join_all(maker, random, first, count / 2);
  return maker.join(a, join_all(maker, random, first + count / 2, count - count / 2));
}

/// A very poor tree over small boxes in random order.
BvhTree random_tree(uint32_t leaves, uint64_t seed) {
  RandomScene random(seed);
  TreeMaker maker;
  return maker.tree(join_all(maker, random, 0, leaves));
}

/// The number of leaves of each primitive.
std::vector<uint32_t> leaves_of(const BvhTree& tree, uint32_t primitives) {
  std::vector<uint32_t> leaves(primitives);
  for (uint32_t leaf : check_tree(tree).leaves) ++leaves.at(tree[leaf].primitive);
  return leaves;
}

TEST(OptimizeBvh, KeepsAllLeavesAndShrinksTheBoxes) {
  constexpr uint32_t kEnough = 1000;
  for (uint32_t count : {1u, 2u, 3u, 4u, 7u, 1000u, 5000u}) {
    SCOPED_TRACE(count);
    BvhTree tree = random_tree(count, 1);
    const double area = check_tree(tree).area;
    optimize_bvh(tree, kEnough);
    EXPECT_LE(check_tree(tree).area, count < 100 ? area * 1.0001 : area * 0.8);
    EXPECT_EQ(leaves_of(tree, count), std::vector<uint32_t>(count, 1));
  }
}

TEST(OptimizeBvh, PutsABoxBesideTheOneThatContainsIt) {
  // Four leaves, two of which coincide but are in different subtrees.
  TreeMaker maker;
  const glm::vec3 size(1.0f), away(100.0f, 0.0f, 0.0f);
  const Bounds here{glm::vec3(0.0f), size}, there{away, away + size};
  const uint32_t left = maker.join(maker.leaf(here, 0), maker.leaf(there, 1));
  const uint32_t right = maker.join(maker.leaf(here, 2), maker.leaf(there, 3));
  BvhTree tree = maker.tree(maker.join(left, right));
  optimize_bvh(tree, 10);
  for (uint32_t child : tree[0].children)
    EXPECT_FLOAT_EQ(tree[child].box.half_area(), here.half_area());
  EXPECT_EQ(leaves_of(tree, 4), std::vector<uint32_t>(4, 1));
}

TEST(OptimizeBvh, PutsABoxBesideAnAncestor) {
  // A leaf far away deep in a chain of small ones belongs directly below the root.
  TreeMaker maker;
  const glm::vec3 size(1.0f), away(1000.0f);
  uint32_t chain = maker.leaf({away, away + size}, 0);
  constexpr uint32_t kLeaves = 12;
  for (uint32_t i = 1; i < kLeaves; ++i) {
    const glm::vec3 corner(float(i), 0.0f, 0.0f);
    chain = maker.join(chain, maker.leaf({corner, corner + size}, i));
  }
  BvhTree tree = maker.tree(chain);
  optimize_bvh(tree, 100);
  const auto is_far = [&](uint32_t child) { return tree[child].primitive == 0; };
  EXPECT_TRUE(std::any_of(tree[0].children, tree[0].children + 2, is_far));
  EXPECT_EQ(leaves_of(tree, kLeaves), std::vector<uint32_t>(kLeaves, 1));
}

TEST(OptimizeBvh, RespectsTheMaximumHeight) {
  constexpr uint32_t kLeaves = 3000;
  BvhTree low = random_tree(kLeaves, 2), high = low;
  const uint32_t height = low[0].height;
  optimize_bvh(low, height);
  optimize_bvh(high, 1000);
  EXPECT_LE(low[0].height, height);
  EXPECT_GT(high[0].height, height);  // the limit has an effect
  EXPECT_EQ(leaves_of(low, kLeaves), std::vector<uint32_t>(kLeaves, 1));
}

TEST(OptimizeBvh, MakesTheSameTreeWithAnyNumberOfThreads) {
  BvhTree many = random_tree(5000, 3), one = many;
  optimize_bvh(many, 1000);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  optimize_bvh(one, 1000);
  EXPECT_TRUE(many == one);
}

}  // namespace
}  // namespace winnow
