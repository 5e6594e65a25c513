// SPDX-License-Identifier: MIT
#include "bvh/build/build_instanced_bvh.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/bvh/support/decoded_bvh.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

/// Each box is in exactly one leaf, and in all boxes from the root to it.
void expect_all_within(const std::vector<Bounds>& boxes) {
  const InstanceTree tree = build_instance_tree(boxes);
  WideBvhArrays arrays;
  arrays.nodes = tree.nodes;
  std::vector<int> reached(boxes.size());
  ASSERT_EQ(tree.references.size(), boxes.size());
  const uint32_t levels =
      visit_leaves(arrays, [&](uint32_t reference, const std::vector<DecodedBox>& around) {
        const uint32_t item = tree.references.at(reference);
        ++reached.at(item);
        for (const DecodedBox& box : around)
          for (glm::vec3 corner : {boxes[item].min, boxes[item].max})
            ASSERT_TRUE(contains(box, corner)) << "box " << item;
      });
  EXPECT_EQ(std::count(reached.begin(), reached.end(), 1), std::ptrdiff_t(boxes.size()));
  EXPECT_LE(levels, uint32_t(WideBvh::kMaxDepth));
}

TEST(InstanceTree, HoldsEveryBoxOnce) {
  RandomScene random(61);
  for (uint32_t count : {0u, 1u, 2u, 7u, 8u, 9u, 64u, 65u, 5000u}) {
    SCOPED_TRACE(count);
    std::vector<Bounds> boxes(count);
    for (Bounds& box : boxes) box = random.box(0.0f, 1.0f);
    expect_all_within(boxes);
  }
}

TEST(InstanceTree, RespectsTheMaximumDepth) {
  const std::vector<Bounds> in_one_place(5000, Bounds{{1, 2, 3}, {2, 3, 4}});
  expect_all_within(in_one_place);
  std::vector<Bounds> chain;  // each twice as large and as far away as the previous one
  for (int again = 0; again < 40; ++again)
    for (int i = -60; i < 60; ++i)
      chain.push_back({glm::vec3(std::ldexp(1.0f, i)), glm::vec3(std::ldexp(1.5f, i))});
  expect_all_within(chain);
}

TEST(InstanceTree, SeparatesWhatLiesApart) {
  // Two far heaps: no node below the root has boxes of both.
  RandomScene random(62);
  std::vector<Bounds> boxes(1000);
  for (size_t i = 0; i < boxes.size(); ++i) {
    boxes[i].extend(random.point(1.0f) + glm::vec3(i % 2 ? 100.0f : -100.0f, 0.0f, 0.0f));
    boxes[i].extend(boxes[i].min + 0.1f);
  }
  WideBvhArrays arrays;
  arrays.nodes = build_instance_tree(boxes).nodes;
  visit_leaves(arrays, [&](uint32_t, const std::vector<DecodedBox>& around) {
    const glm::dvec3 left(-100, 0, 0), right(100, 0, 0);
    for (const DecodedBox& box : around) EXPECT_FALSE(contains(box, left) && contains(box, right));
  });
}

}  // namespace
}  // namespace winnow
