// SPDX-License-Identifier: MIT
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <bit>

#include "bvh/build/bvh_tree.h"

namespace winnow {
namespace {

constexpr uint32_t kSlots = WideBvhNode::kWidth;
constexpr uint32_t kOctants = 8;

/// Expected cost of visiting two children back to front, by the difference of their slots. Assumes
/// that the highest axis in which the slots differ determines the order.
struct PairCost {
  float cost[3][2] = {};  ///< [axis][the first child is in the upper slot]
};

/// Estimates the order in which rays of an octant hit two boxes: 1 if always `a` first, -1 if
/// always `b` first; 0 if both orders are equally likely or no ray hits both.
float comes_first(const Bounds& a, const Bounds& b, uint32_t octant) {
  float ahead = 0.0f, most = 0.0f;
  bool a_first = false, b_first = false;
  for (int axis = 0; axis < 3; ++axis) {
    // Twice the distance of the centers, and twice the distance at which the boxes touch.
    const float up = (b.min[axis] - a.min[axis]) + (b.max[axis] - a.max[axis]);
    const float along = octant >> axis & 1 ? up : -up;
    const float touch = (a.max[axis] - a.min[axis]) + (b.max[axis] - b.min[axis]);
    a_first |= along >= touch;
    b_first |= -along >= touch;
    ahead += along;
    most += touch;
  }
  if (a_first != b_first) return a_first ? 1.0f : -1.0f;
  if (a_first || !(most > 0.0f)) return 0.0f;
  return std::clamp(ahead / most, -1.0f, 1.0f);
}

PairCost pair_cost(const WideBvhChild& a, const WideBvhChild& b) {
  PairCost pair;
  if (a.leaf_size > 0 || b.leaf_size > 0) return pair;
  const float rays = std::min(a.box.half_area(), b.box.half_area());
  for (uint32_t octant = 0; octant < kOctants; ++octant) {
    const float first = comes_first(a.box, b.box, octant);
    const float a_before_b = rays * std::max(0.0f, -first);
    const float b_before_a = rays * std::max(0.0f, first);
    for (int axis = 0; axis < 3; ++axis) {
      const bool up = octant >> axis & 1;
      pair.cost[axis][0] += up ? a_before_b : b_before_a;
      pair.cost[axis][1] += up ? b_before_a : a_before_b;
    }
  }
  return pair;
}

class Order {
 public:
  explicit Order(Span<const WideBvhChild> children) {
    for (uint32_t i = 0; i < children.size; ++i) {
      in_slot_[children[i].slot] = i;
      for (uint32_t j = 0; j < children.size; ++j)
        if (i != j) pairs_[i][j] = pair_cost(children[i], children[j]);
    }
  }

  /// Swaps the contents of two slots as long as that lowers the cost.
  void improve() {
    float best = cost();
    for (bool better = true; better;) {
      better = false;
      for (uint32_t a = 0; a < kSlots; ++a)
        for (uint32_t b = a + 1; b < kSlots; ++b) {
          std::swap(in_slot_[a], in_slot_[b]);
          const float now = cost();
          constexpr float kLess = 0.9999f;  // more than a rounding error
          if (now < best * kLess) {
            best = now;
            better = true;
          } else {
            std::swap(in_slot_[a], in_slot_[b]);
          }
        }
    }
  }

  /// Returns the child in a slot, or kNone.
  uint32_t operator[](uint32_t slot) const { return in_slot_[slot]; }
  static constexpr uint32_t kNone = kSlots;

 private:
  float cost() const {
    float sum = 0.0f;
    for (uint32_t a = 0; a < kSlots; ++a)
      for (uint32_t b = a + 1; b < kSlots; ++b) {
        const int axis = std::bit_width(a ^ b) - 1;
        sum += pairs_[in_slot_[a]][in_slot_[b]].cost[axis][0];
      }
    return sum;
  }

  uint32_t in_slot_[kSlots] = {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone};
  PairCost pairs_[kSlots + 1][kSlots + 1];  ///< [child][child], kNone last
};

}  // namespace

void BvhCollapse::choose_below(const BvhTree& tree, uint32_t node) {
  if (tree[node].is_leaf()) {
    nodes_[node] = leaf_node(tree[node].box, tree[node].primitive, leaf_count_);
    return;
  }
  constexpr uint32_t kFewLevels = 10;  // levels that are not worth a task
  const auto [a, b] = tree[node].children;
  if (std::min(tree[a].height, tree[b].height) >= kFewLevels) {
    tbb::parallel_invoke([&, a = a] { choose_below(tree, a); },
                         [&, b = b] { choose_below(tree, b); });
  } else {
    choose_below(tree, a);
    choose_below(tree, b);
  }
  nodes_[node] = join_nodes(nodes_[a], a, nodes_[b], b);
}

void BvhCollapse::add_subtrees(uint32_t node, uint32_t roots, WideChildren& children) const {
  while (roots > 1 && nodes_[node].first_roots(roots) == 0) --roots;
  if (roots == 1) return children.add(node);
  const uint32_t first = nodes_[node].first_roots(roots);
  add_subtrees(nodes_[node].children[0], first, children);
  add_subtrees(nodes_[node].children[1], roots - first, children);
}

/// Adds all nodes `levels` below, and the leaves above them.
void BvhCollapse::add_levels(uint32_t node, uint32_t levels, WideChildren& children) const {
  if (levels == 0 || nodes_[node].becomes_leaf()) return children.add(node);
  for (uint32_t child : nodes_[node].children) add_levels(child, levels - 1, children);
}

WideChildren BvhCollapse::children(uint32_t node, uint32_t depth) const {
  WideChildren children;
  // The root of a tree of one primitive is its own child.
  add_subtrees(node, nodes_[node].is_leaf() ? 1 : WideBvhNode::kWidth, children);
  const bool fits =
      std::none_of(children.nodes, children.nodes + children.count,
                   [&](uint32_t child) { return nodes_[child].is_too_deep_below(depth); });
  if (fits) return children;
  children.count = 0;
  for (uint32_t child : nodes_[node].children)
    add_levels(child, WideBvh::kBinaryLevels - 1, children);
  return children;
}

void order_slots(Span<WideBvhChild> children) {
  Order order({children.data, children.size});
  order.improve();
  for (uint32_t slot = 0; slot < kSlots; ++slot)
    if (order[slot] != Order::kNone) children[order[slot]].slot = slot;
  std::ranges::sort(children, {}, &WideBvhChild::slot);
}

}  // namespace winnow
