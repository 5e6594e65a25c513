// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "bvh/wide_bvh.h"
#include "math/bounds.h"

namespace winnow {

/// A node of the binary tree from which a build makes a wide one: a box, two children, and how the
/// subtree collapses to 8-wide nodes at least expected cost, by dynamic programming over the number
/// of subtrees that a node becomes. Ylitie, Karras & Laine 2017, section 3.
struct alignas(16) BinaryNode {
  static constexpr uint32_t kWidth = WideBvhNode::kWidth;
  static constexpr uint32_t kNone = ~0u;

  Bounds box;
  uint32_t children[2];  ///< nodes; for a leaf the primitive and kNone
  /// [roots - 1], m^2, expected cost of random rays below this node if it becomes at most `roots`
  /// subtrees of wide nodes.
  float cost[kWidth - 1];
  uint32_t choices;  ///< packed, see below

  // The layout of `choices`, from the lowest bit on.
  static constexpr uint32_t kRootBits = 3, kLeafBit = 7 * kRootBits, kCountBit = kLeafBit + 1,
                            kCountBits = 2, kHeightBit = kCountBit + kCountBits;
  static constexpr uint32_t kMaxHeight = (1u << (32 - kHeightBit)) - 1;

  /// Returns how many of `roots` subtrees, at least 2, come from the first child; 0 if one root
  /// fewer costs no more.
  SIMT_HOST_DEVICE uint32_t first_roots(uint32_t roots) const {
    return choices >> ((roots - 2) * kRootBits) & ((1u << kRootBits) - 1);
  }
  /// Returns whether the node becomes a leaf if it becomes one subtree.
  SIMT_HOST_DEVICE bool becomes_leaf() const { return choices >> kLeafBit & 1; }
  /// Returns the number of leaves below; 0 if they are too many for a leaf of the wide tree.
  SIMT_HOST_DEVICE uint32_t leaf_count() const {
    return choices >> kCountBit & ((1u << kCountBits) - 1);
  }
  /// Returns the number of primitives of the leaf that it becomes; 0 if it becomes a node.
  SIMT_HOST_DEVICE uint32_t wide_leaf_size() const { return becomes_leaf() ? leaf_count() : 0; }
  /// Returns the number of levels below, kMaxHeight at most.
  SIMT_HOST_DEVICE uint32_t height() const { return choices >> kHeightBit; }
  SIMT_HOST_DEVICE bool is_leaf() const { return children[1] == kNone; }
  /// Returns whether the node could exceed the maximum depth as a child of a wide node on `level`.
  SIMT_HOST_DEVICE bool is_too_deep_below(uint32_t level) const {
    return !becomes_leaf() &&
           level + 1 + WideBvh::levels_for(height()) > uint32_t(WideBvh::kMaxDepth);
  }
};
static_assert(sizeof(BinaryNode) == 64);

/// @param leaf_count  1, or WideBvhNode::kMaxLeafSize for a leaf that shares no leaf of the wide
/// tree
SIMT_HOST_DEVICE inline BinaryNode leaf_node(const Bounds& box, uint32_t primitive,
                                             uint32_t leaf_count = 1) {
  BinaryNode node;
  node.box = box;
  node.children[0] = primitive;
  node.children[1] = BinaryNode::kNone;
  for (float& cost : node.cost) cost = box.half_area() * WideBvh::kPrimitiveCost;
  node.choices = 1u << BinaryNode::kLeafBit | leaf_count << BinaryNode::kCountBit;
  return node;
}

SIMT_HOST_DEVICE inline BinaryNode join_nodes(const BinaryNode& a, uint32_t a_index,
                                              const BinaryNode& b, uint32_t b_index) {
  constexpr uint32_t kWidth = BinaryNode::kWidth;
  BinaryNode node;
  node.box = join(a.box, b.box);
  node.children[0] = a_index;
  node.children[1] = b_index;

  // [roots - 2], least cost over all divisions among the children, and the first child's roots.
  float shared_cost[kWidth - 1];
  uint32_t shared_first[kWidth - 1];
  for (uint32_t roots = 2; roots <= kWidth; ++roots) {
    float least = a.cost[0] + b.cost[roots - 2];
    uint32_t first = 1;
    for (uint32_t k = 2; k < roots; ++k) {
      const float cost = a.cost[k - 1] + b.cost[roots - k - 1];
      first = cost < least ? k : first;
      least = cost < least ? cost : least;
    }
    shared_cost[roots - 2] = least;
    shared_first[roots - 2] = first;
  }

  const uint32_t a_count = a.leaf_count(), b_count = b.leaf_count();
  const uint32_t sum = a_count == 0 || b_count == 0 ? 0 : a_count + b_count;
  const uint32_t count = sum > WideBvhNode::kMaxLeafSize ? 0 : sum;
  const float area = node.box.half_area();
  const float as_leaf = count == 0 ? INFINITY : area * float(count) * WideBvh::kPrimitiveCost;
  const float as_node = shared_cost[kWidth - 2] + area;
  const bool becomes_leaf = count != 0 && as_leaf <= as_node;
  node.cost[0] = becomes_leaf ? as_leaf : as_node;
  uint32_t choices = shared_first[kWidth - 2] << ((kWidth - 2) * BinaryNode::kRootBits);
  for (uint32_t roots = 2; roots < kWidth; ++roots) {
    const bool pays = shared_cost[roots - 2] < node.cost[roots - 2];
    node.cost[roots - 1] = pays ? shared_cost[roots - 2] : node.cost[roots - 2];
    choices |= (pays ? shared_first[roots - 2] : 0) << ((roots - 2) * BinaryNode::kRootBits);
  }
  const uint32_t below = a.height() > b.height() ? a.height() : b.height();
  const uint32_t height = below < BinaryNode::kMaxHeight ? below + 1 : below;
  node.choices = choices | uint32_t(becomes_leaf) << BinaryNode::kLeafBit |
                 count << BinaryNode::kCountBit | height << BinaryNode::kHeightBit;
  return node;
}

}  // namespace winnow
