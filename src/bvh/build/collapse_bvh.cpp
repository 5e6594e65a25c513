// SPDX-License-Identifier: MIT
#include "bvh/build/collapse_bvh.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <cmath>

namespace winnow {
namespace {

constexpr uint32_t kWidth = WideBvhNode::kWidth;

/// The distribution of `roots` subtrees over the two children of least cost.
struct Share {
  float cost;
  uint8_t first_roots;
};

Share best_share(const BvhCollapse::Choice& a, const BvhCollapse::Choice& b, uint32_t roots) {
  Share best{a.cost[1] + b.cost[roots - 1], 1};
  for (uint32_t k = 2; k < roots; ++k) {
    const float cost = a.cost[k] + b.cost[roots - k];
    if (cost < best.cost) best = {cost, uint8_t(k)};
  }
  return best;
}

}  // namespace

BvhCollapse::BvhCollapse(const BvhTree& tree) : tree_(tree), choices_(tree.size()) {
  choose_below(0);
}

void BvhCollapse::choose_below(uint32_t node) {
  if (!tree_[node].is_leaf()) {
    constexpr uint32_t kFewLevels = 10;  // not worth a task
    const auto [a, b] = tree_[node].children;
    if (std::min(tree_[a].height, tree_[b].height) >= kFewLevels) {
      tbb::parallel_invoke([&, a = a] { choose_below(a); }, [&, b = b] { choose_below(b); });
    } else {
      choose_below(a);
      choose_below(b);
    }
    choices_[node].reference_count = choices_[a].reference_count + choices_[b].reference_count;
  }
  choose(node);
}

void BvhCollapse::choose(uint32_t node) {
  Choice& choice = choices_[node];
  const float area = tree_[node].box.half_area();
  const bool may_be_leaf = choice.reference_count <= WideBvhNode::kMaxLeafSize;
  const float leaf =
      may_be_leaf ? area * float(choice.reference_count) * WideBvh::kPrimitiveCost : INFINITY;
  if (tree_[node].is_leaf()) {
    std::fill(choice.cost + 1, choice.cost + kWidth, leaf);
    return;
  }
  const Choice &a = choices_[tree_[node].children[0]], &b = choices_[tree_[node].children[1]];
  const Share inside = best_share(a, b, kWidth);
  choice.first_roots[kWidth] = inside.first_roots;
  choice.becomes_leaf = may_be_leaf && leaf <= inside.cost + area;
  choice.cost[1] = std::min(leaf, inside.cost + area);
  for (uint32_t roots = 2; roots < kWidth; ++roots) {
    const Share share = best_share(a, b, roots);
    const bool pays = share.cost < choice.cost[roots - 1];
    choice.cost[roots] = pays ? share.cost : choice.cost[roots - 1];
    choice.first_roots[roots] = pays ? share.first_roots : 0;
  }
}

void BvhCollapse::add_subtrees(uint32_t node, uint32_t roots, WideChildren& children) const {
  while (roots > 1 && choices_[node].first_roots[roots] == 0) --roots;
  if (roots == 1) return children.add(node);
  const uint32_t first = choices_[node].first_roots[roots];
  add_subtrees(tree_[node].children[0], first, children);
  add_subtrees(tree_[node].children[1], roots - first, children);
}

/// Adds all nodes `levels` below, and the leaves above them.
void BvhCollapse::add_levels(uint32_t node, uint32_t levels, WideChildren& children) const {
  if (levels == 0 || choices_[node].becomes_leaf) return children.add(node);
  for (uint32_t child : tree_[node].children) add_levels(child, levels - 1, children);
}

WideChildren BvhCollapse::children(uint32_t node, uint32_t depth) const {
  WideChildren children;
  if (tree_[node].is_leaf()) {  // the root of a tree of one primitive
    children.add(node);
    return children;
  }
  const uint32_t first = choices_[node].first_roots[kWidth];
  add_subtrees(tree_[node].children[0], first, children);
  add_subtrees(tree_[node].children[1], kWidth - first, children);
  const bool fits =
      std::all_of(children.nodes, children.nodes + children.count, [&](uint32_t child) {
        return choices_[child].becomes_leaf ||
               depth + 1 + WideBvh::levels_for(tree_[child].height) <= WideBvh::kMaxDepth;
      });
  if (fits) return children;
  children.count = 0;
  for (uint32_t child : tree_[node].children)
    add_levels(child, WideBvh::kBinaryLevels - 1, children);
  return children;
}

}  // namespace winnow
