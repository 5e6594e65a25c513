#include "geometry/collapse_bvh.h"

#include <tbb/parallel_invoke.h>

#include <algorithm>

namespace winnow {
namespace {

/// A test of one primitive against a visit to one node. By instructions it is nearer to a half, but
/// between 0.3 and 0.7 rays take the same time, and 0.3 takes the least memory.
constexpr float kPrimitiveCost = 0.3f;
constexpr uint32_t kWidth = WideBvhNode::kWidth;

/// The least cost of `roots` subtrees that are shared out between the children.
struct Share {
  float cost;
  uint8_t first_roots;
};

Share best_share(const BvhTreeNode& node, uint32_t roots) {
  const float *first = node.children[0]->cost, *second = node.children[1]->cost;
  Share best{first[1] + second[roots - 1], 1};
  for (uint32_t k = 2; k < roots; ++k) {
    const float cost = first[k] + second[roots - k];
    if (cost < best.cost) best = {cost, uint8_t(k)};
  }
  return best;
}

void add_subtrees(const BvhTreeNode& node, uint32_t roots, WideChildren& children) {
  while (roots > 1 && node.first_roots[roots] == 0) --roots;
  if (roots == 1) return children.add(&node);
  const uint32_t first = node.first_roots[roots];
  add_subtrees(*node.children[0], first, children);
  add_subtrees(*node.children[1], roots - first, children);
}

/// All nodes `levels` below, and the leaves above them.
void add_levels(const BvhTreeNode& node, uint32_t levels, WideChildren& children) {
  if (levels == 0 || node.becomes_leaf) return children.add(&node);
  for (const BvhTreeNode* child : node.children) add_levels(*child, levels - 1, children);
}

}  // namespace

void choose_collapse(BvhTreeNode& node) {
  const float area = node.box.surface_area();
  const bool may_be_leaf = node.reference_count <= WideBvhNode::kMaxLeafSize;
  const float leaf = may_be_leaf ? area * float(node.reference_count) * kPrimitiveCost : INFINITY;
  if (node.is_leaf()) {
    std::fill(node.cost + 1, node.cost + kWidth, leaf);
    return;
  }
  const Share inside = best_share(node, kWidth);
  node.first_roots[kWidth] = inside.first_roots;
  node.becomes_leaf = may_be_leaf && leaf <= inside.cost + area;
  node.cost[1] = std::min(leaf, inside.cost + area);
  for (uint32_t roots = 2; roots < kWidth; ++roots) {
    const Share share = best_share(node, roots);
    const bool pays = share.cost < node.cost[roots - 1];
    node.cost[roots] = pays ? share.cost : node.cost[roots - 1];
    node.first_roots[roots] = pays ? share.first_roots : 0;
  }
}

void choose_collapses(BvhTreeNode& node) {
  if (!node.is_leaf()) {
    constexpr uint32_t kFewLevels = 10;  // below which a second thread is not worth its start
    BvhTreeNode &a = *node.children[0], &b = *node.children[1];
    if (std::min(a.height, b.height) >= kFewLevels) {
      tbb::parallel_invoke([&] { choose_collapses(a); }, [&] { choose_collapses(b); });
    } else {
      choose_collapses(a);
      choose_collapses(b);
    }
    node.reference_count = a.reference_count + b.reference_count;
  }
  choose_collapse(node);
}

WideChildren wide_children(const BvhTreeNode& node, uint32_t depth) {
  WideChildren children;
  if (node.is_leaf()) {  // the root of a tree of one primitive
    children.add(&node);
    return children;
  }
  const uint32_t first = node.first_roots[kWidth];
  add_subtrees(*node.children[0], first, children);
  add_subtrees(*node.children[1], kWidth - first, children);
  const bool ends =
      std::all_of(children.nodes, children.nodes + children.count, [&](const BvhTreeNode* child) {
        return child->becomes_leaf || depth + 1 + wide_levels(child->height) <= WideBvh::kMaxDepth;
      });
  if (ends) return children;
  constexpr uint32_t kLevels = 3;  // 2^3 children
  children.count = 0;
  for (const BvhTreeNode* child : node.children) add_levels(*child, kLevels - 1, children);
  return children;
}

}  // namespace winnow
