// SPDX-License-Identifier: MIT
#include "bvh/ploc/merge_clusters.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "tests/bvh/ploc/support/host_bvh_backend.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

enum class Boxes { kRandom, kAlike, kGrid };

std::vector<Bounds> make_boxes(uint32_t count, Boxes kind) {
  RandomScene random(count);
  std::vector<Bounds> boxes(count);
  for (uint32_t i = 0; i < count; ++i) {
    if (kind == Boxes::kAlike) boxes[i] = {glm::vec3(0.0f), glm::vec3(1.0f)};
    if (kind == Boxes::kGrid)  // many pairs of one size
      boxes[i] = {glm::vec3(float(i / 3), 0, 0), glm::vec3(float(i / 3) + 1.0f, 1, 1)};
    if (kind == Boxes::kRandom) boxes[i] = random.box(1.0f, 0.2f);
  }
  return boxes;
}

/// The neighbour that a cluster chooses: by least area, then the other half of its even-odd pair,
/// then the nearest, then the first.
uint32_t plain_nearest(const std::vector<Bounds>& boxes, uint32_t i) {
  const auto count = uint32_t(boxes.size());
  std::tuple<float, uint32_t, uint32_t> best;
  uint32_t nearest = i;
  for (uint32_t j = i > kMergeRadius ? i - kMergeRadius : 0; j < count && j <= i + kMergeRadius;
       ++j) {
    if (j == i) continue;
    Bounds both = boxes[i];
    both.extend(boxes[j]);
    const uint32_t distance = (i ^ j) == 1 ? 0 : i > j ? i - j : j - i;
    const std::tuple rank(both.half_area(), distance, j);
    if (nearest == i || rank < best) best = rank, nearest = j;
  }
  return nearest;
}

TEST(MergeClusters, MergesClustersThatChooseEachOther) {
  for (const auto& [name, schedule] : kBvhSchedules)
    for (Boxes kind : {Boxes::kRandom, Boxes::kAlike, Boxes::kGrid})
      for (uint32_t count : {1u, 2u, 3u, 17u, 239u, 240u, 241u, 481u, 1000u}) {
        SCOPED_TRACE(testing::Message() << count << " boxes of kind " << int(kind) << ", " << name);
        const std::vector<Bounds> boxes = make_boxes(count, kind);
        Growing growing(boxes, schedule);
        auto merged = growing.backend.allocate<Cluster>(count);
        auto kept = growing.backend.allocate<uint8_t>(count);
        constexpr uint32_t kMore = 300;  // blocks without work
        growing.backend.launcher().launch(
            simt::ceil_div(count + kMore, MergeClusters::kOwned),
            MergeClusters{{count}, growing.tree, growing.clusters, merged, kept});
        uint32_t merges = 0;
        for (uint32_t i = 0; i < count; ++i) {
          const uint32_t other = plain_nearest(boxes, i);
          const bool merges_here = other != i && plain_nearest(boxes, other) == i;
          ASSERT_EQ(kept[i], !merges_here || i < other) << i;
          if (!kept[i]) continue;
          if (!merges_here) {
            EXPECT_EQ(merged[i].node, i);
            continue;
          }
          ++merges;
          const BinaryNode& node = growing.tree.nodes[merged[i].node];
          EXPECT_EQ(node.children[0], i);
          EXPECT_EQ(node.children[1], other);
          EXPECT_EQ(growing.tree.parents[i], merged[i].node);
          EXPECT_EQ(growing.tree.parents[other], merged[i].node);
          EXPECT_GE(merged[i].node, count);
        }
        EXPECT_GE(merges, kind == Boxes::kAlike ? count / 2 : std::min(count - 1, 1u));
      }
}

/// Calls `visit` for each leaf below a node.
template <class Visit>
void visit_leaves_below(const GrowingTree& tree, uint32_t node, Visit visit) {
  if (tree.nodes[node].is_leaf()) return visit(tree.nodes[node].children[0]);
  for (uint32_t child : tree.nodes[node].children) {
    EXPECT_EQ(tree.parents[child], node);
    visit_leaves_below(tree, child, visit);
  }
}

TEST(FinishMerging, LeavesOneClusterWithEveryLeafBelow) {
  for (const auto& [name, schedule] : kBvhSchedules)
    for (Boxes kind : {Boxes::kRandom, Boxes::kAlike, Boxes::kGrid})
      for (uint32_t count : {1u, 2u, 3u, 31u, 1000u, FinishMerging::kMaxClusters}) {
        SCOPED_TRACE(testing::Message() << count << " boxes of kind " << int(kind) << ", " << name);
        Growing growing(make_boxes(count, kind), schedule);
        growing.finish_merging();
        std::vector<int> seen(count);
        visit_leaves_below(growing.tree, growing.clusters[0].node,
                           [&](uint32_t leaf) { ++seen.at(leaf); });
        EXPECT_EQ(seen, std::vector<int>(count, 1));
      }
}

TEST(FinishMerging, AgreesWithSingleIterations) {
  constexpr uint32_t kCount = 700;
  const std::vector<Bounds> boxes = make_boxes(kCount, Boxes::kRandom);
  Growing at_once(boxes, {}), single(boxes, {});
  at_once.finish_merging();
  auto merged = single.backend.allocate<Cluster>(kCount);
  auto kept = single.backend.allocate<uint8_t>(kCount);
  for (uint32_t left = kCount; left > 1;) {
    single.backend.launcher().launch(
        simt::ceil_div(left, MergeClusters::kOwned),
        MergeClusters{{left}, single.tree, single.clusters, merged, kept});
    uint32_t next = 0;
    for (uint32_t i = 0; i < left; ++i)
      if (kept[i]) single.clusters[next++] = merged[i];
    left = next;
  }
  const uint32_t root = at_once.clusters[0].node;
  ASSERT_EQ(single.clusters[0].node, root);
  EXPECT_EQ(at_once.tree.nodes[root].cost[0], single.tree.nodes[root].cost[0]);
  for (uint32_t leaf = 0; leaf < kCount; ++leaf)
    EXPECT_EQ(at_once.tree.parents[leaf], single.tree.parents[leaf]);
}

}  // namespace
}  // namespace winnow
