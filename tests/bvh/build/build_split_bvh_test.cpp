// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "bvh/build/bvh_tree.h"
#include "tests/bvh/support/bvh_trees.h"
#include "tests/bvh/support/nasty_scenes.h"

namespace winnow {
namespace {

constexpr uint32_t kEnough = 100;

TEST(BuildSplitBvh, HoldsEveryPrimitiveAndAFewDuplicates) {
  for (const NastyScene& nasty : nasty_scenes()) {
    SCOPED_TRACE(nasty.name);
    const BvhTree tree = build_split_bvh(nasty.scene, kEnough);
    const CheckedTree checked = check_tree(tree);
    const size_t primitives = nasty.scene.triangles.size() + nasty.scene.spheres.size();
    std::vector<bool> held(primitives);
    for (uint32_t leaf : checked.leaves) held.at(tree[leaf].primitive) = true;
    EXPECT_EQ(std::count(held.begin(), held.end(), false), 0);
    EXPECT_LE(checked.leaves.size(), primitives * 11 / 10);
    EXPECT_LE(tree[0].height, kEnough);
  }
}

TEST(BuildSplitBvh, CutsLongTriangles) {
  RandomScene random(1);
  const HostScene scene = slivers(random, 4000);
  const BvhTree tree = build_split_bvh(scene, kEnough);
  EXPECT_GT(check_tree(tree).leaves.size(), scene.triangles.size() * 21 / 20);
}

TEST(BuildSplitBvh, RespectsTheMaximumHeight) {
  RandomScene random(2);
  for (const HostScene& scene :
       {random.scene(1000, 0), slivers(random, 1000), bumpy_sphere(20, 20), exponential_chain()}) {
    uint32_t least = 0;
    while (1u << least < scene.triangles.size() * 11 / 10) ++least;
    for (uint32_t height : {least, least + 1, least + 3})
      EXPECT_LE(build_split_bvh(scene, height)[0].height, height);
  }
}

TEST(BuildSplitBvh, MakesTheSameTreeWithAnyNumberOfThreads) {
  RandomScene random(3);
  for (const HostScene& scene : {random.scene(40'000, 20), slivers(random, 5000)}) {
    const BvhTree many = build_split_bvh(scene, kEnough);
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
    const BvhTree one = build_split_bvh(scene, kEnough);
    EXPECT_TRUE(many == one);
  }
}

TEST(BuildSplitBvh, IsEmptyWithoutGeometry) {
  EXPECT_TRUE(build_split_bvh(HostScene{}, kEnough).empty());
  HostScene infinite = flat_grid(1);
  for (glm::vec3& p : infinite.positions) p.x = INFINITY;
  EXPECT_TRUE(build_split_bvh(infinite, kEnough).empty());
}

TEST(BuildSplitBvh, EndsWithTheLargestFloats) {
  RandomScene random(4);
  HostScene scene = random.scene(3000, 0);
  for (glm::vec3& p : scene.positions) p *= 2.8e38f;
  EXPECT_EQ(check_tree(build_split_bvh(scene, kEnough)).leaves.size(), 3000);
}

}  // namespace
}  // namespace winnow
