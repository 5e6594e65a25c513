// SPDX-License-Identifier: MIT
#include "bvh/ploc/reinsert_subtrees.h"

#include <gtest/gtest.h>

#include <vector>

#include "bvh/ploc/build_fast_bvh.h"
#include "tests/bvh/ploc/support/host_bvh_backend.h"
#include "tests/bvh/support/random_scene.h"

namespace winnow {
namespace {

std::vector<Bounds> random_boxes(uint32_t count, uint64_t seed) {
  RandomScene random(seed);
  std::vector<Bounds> boxes(count);
  for (Bounds& box : boxes) box = random.box(1.0f, 0.05f);
  return boxes;
}

/// A poor tree of unsorted clusters. All of it is its top.
struct PoorTree : Growing {
  Span<Cluster> bottom;
  TreeTop top;
  ReinsertionStage stage;

  PoorTree(uint32_t count, uint64_t seed, const simt::host::Schedule& schedule)
      : Growing(random_boxes(count, seed), schedule), bottom(backend.allocate<Cluster>(count)) {
    std::copy(clusters.begin(), clusters.end(), bottom.begin());
    finish_merging();
    top = {tree.nodes, {tree.parents}, bottom, clusters, count};
    for_items(backend.launcher(), count + 1, MarkTreeTop{top});
    stage = {top, backend.allocate<Reinsertion>(top.size()),
             backend.allocate<ReinsertionMarks>(tree.nodes.size)};
    backend.clear(stage.marks);
  }

  uint32_t root() const { return clusters[0].node; }

  /// The sum of the recomputed half areas of the boxes of all nodes below.
  double area(uint32_t node, Bounds* around = nullptr) const {
    const BinaryNode& n = tree.nodes[node];
    Bounds box = n.box;
    double sum = 0.0;
    if (!n.is_leaf()) {
      box = {};
      for (uint32_t child : n.children) {
        Bounds below;
        sum += area(child, &below);
        box.extend(below);
      }
    }
    if (around) *around = box;
    return sum + box.half_area();
  }

  void collect_below(uint32_t node, std::vector<uint32_t>& nodes) const {
    nodes.push_back(node);
    if (tree.nodes[node].is_leaf()) return;
    for (uint32_t child : tree.nodes[node].children) {
      ASSERT_EQ(top.parents[child], node);
      collect_below(child, nodes);
    }
  }

  /// The sum of half areas after `node` becomes the sibling of `neighbour`.
  double area_after(uint32_t node, uint32_t neighbour) {
    const std::vector<BinaryNode> nodes(tree.nodes.begin(), tree.nodes.end());
    const std::vector<uint32_t> parents(tree.parents.begin(), tree.parents.end());
    Reinsertion move{.gain = 1.0f, .node = node, .neighbour = neighbour, .pivot = root()};
    MakeReinsertions{{top, {&move, 1}, stage.marks}}(0);
    const double sum = area(root());
    std::copy(nodes.begin(), nodes.end(), tree.nodes.begin());
    std::copy(parents.begin(), parents.end(), tree.parents.begin());
    return sum;
  }
};

bool is_below(const PoorTree& poor, uint32_t node, uint32_t above) {
  for (; node != TreeParents::kNone; node = poor.top.parents[node])
    if (node == above) return true;
  return false;
}

TEST(FindReinsertions, FindsTheMoveOfLargestGain) {
  constexpr uint32_t kCount = 24;
  for (uint64_t seed = 3; seed < 6; ++seed) {
    PoorTree poor(kCount, seed, {});
    const auto& [top, moves, marks] = poor.stage;
    for_items(poor.backend.launcher(), poor.top.size(), FindReinsertions{poor.stage});
    const double before = poor.area(poor.root());
    int found = 0;
    for (uint32_t i = 0; i < poor.top.size(); ++i) {
      const uint32_t node = poor.top.node(i);
      if (node == TreeParents::kNone) continue;
      const uint32_t parent = poor.top.parents[node];
      if (parent == TreeParents::kNone || poor.top.parents[parent] == TreeParents::kNone) {
        EXPECT_EQ(moves[i].gain, 0.0f);
        continue;
      }
      // Every node that is neither in the subtree nor above it.
      double most = 0.0;
      for (uint32_t k = 0; k < poor.top.size(); ++k) {
        const uint32_t neighbour = poor.top.node(k);
        if (neighbour == TreeParents::kNone || is_below(poor, neighbour, node) ||
            is_below(poor, node, neighbour) || neighbour == poor.top.sibling(node))
          continue;
        most = std::max(most, before - poor.area_after(node, neighbour));
      }
      EXPECT_NEAR(moves[i].gain, most, 1e-4) << "node " << node;
      if (!(moves[i].gain > 1e-4f)) continue;
      ++found;
      EXPECT_NEAR(before - poor.area_after(node, moves[i].neighbour), moves[i].gain, 1e-4);
    }
    EXPECT_GT(found, 5);
  }
}

TEST(KeepTreeReinsertions, RejectsTheLesserOfTwoMovesIntoEachOther) {
  PoorTree poor(200, 1, {});
  const BinaryNode& root = poor.tree.nodes[poor.root()];
  auto first_leaf = [&](uint32_t node) {
    while (!poor.tree.nodes[node].is_leaf()) node = poor.tree.nodes[node].children[0];
    return node;
  };
  // Two subtrees and a leaf below each.
  const uint32_t a = poor.tree.nodes[root.children[0]].children[0];
  const uint32_t b = poor.tree.nodes[root.children[1]].children[0];
  const uint32_t in_a = first_leaf(a), in_b = first_leaf(b);
  ASSERT_TRUE(in_a != a && in_b != b);
  Reinsertion moves[] = {
      {.gain = 1.0f, .node = a, .neighbour = in_b, .pivot = poor.root()},
      {.gain = 2.0f, .node = b, .neighbour = in_a, .pivot = poor.root()},
      {.gain = 0.5f, .node = in_b, .neighbour = root.children[0], .pivot = poor.root()}};
  for (uint32_t i = 0; i < 3; ++i) poor.stage.marks[moves[i].node].moved = moves[i].key(i);
  const KeepTreeReinsertions keep{{poor.top, {moves, 3}, poor.stage.marks}};
  for (uint32_t i = 0; i < 3; ++i) keep(i);
  EXPECT_EQ(moves[0].gain, 0.0f);  // below b, which gains more by its own move
  EXPECT_EQ(moves[1].gain, 2.0f);
  EXPECT_EQ(moves[2].gain, 0.5f);  // not into a subtree that moves
}

class Reinsertions : public testing::TestWithParam<NamedSchedule> {};

TEST_P(Reinsertions, PreserveTheTreeAndShrinkItsBoxes) {
  for (uint32_t count : {2u, 3u, 4u, 10u, 100u, 1000u}) {
    SCOPED_TRACE(count);
    PoorTree poor(count, count, GetParam().schedule);
    const double before = poor.area(poor.root());
    const auto& [top, moves, marks] = poor.stage;
    auto& launcher = poor.backend.launcher();
    for (int iteration = 0; iteration < 5; ++iteration) {
      for_items(launcher, poor.top.size(), FindReinsertions{poor.stage});
      for_items(launcher, poor.top.size(), KeepLockedReinsertions{poor.stage});
      for_items(launcher, poor.top.size(), KeepTreeReinsertions{poor.stage});
      for_items(launcher, poor.top.size(), MakeReinsertions{poor.stage});
      for_items(launcher, count, RefitBoxes{poor.stage});

      // Each node occurs once, with the bounds of its children.
      std::vector<uint32_t> nodes;
      poor.collect_below(poor.root(), nodes);
      ASSERT_EQ(nodes.size(), 2 * size_t(count) - 1);
      std::sort(nodes.begin(), nodes.end());
      EXPECT_EQ(std::adjacent_find(nodes.begin(), nodes.end()), nodes.end());
      for (uint32_t node : nodes) {
        Bounds box;
        poor.area(node, &box);
        ASSERT_EQ(poor.tree.nodes[node].box, box);
        ASSERT_EQ(marks[node].arrivals, 0u);
        ASSERT_EQ(marks[node].lock, 0u);
      }
    }
    const double after = poor.area(poor.root());
    EXPECT_LE(after, before * (count >= 100 ? 0.9 : 1.0 + 1e-6));
    for_items(launcher, count, RefitNodes{poor.stage});
    EXPECT_EQ(poor.tree.nodes[poor.root()].leaf_count(), count > 3 ? 0 : count);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedules, Reinsertions, testing::ValuesIn(kBvhSchedules),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace winnow
