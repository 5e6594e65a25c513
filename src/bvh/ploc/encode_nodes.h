#pragma once

#include <cstdint>

#include "bvh/encode_bvh_node.h"
#include "bvh/ploc/binary_node.h"
#include "bvh/ploc/bvh_geometry.h"
#include "bvh/ploc/widen_level.h"

namespace winnow {

/// Writes the wide nodes that were planned, and the primitives of their leaves.
struct EncodeNodes {
  BvhGeometry geometry;
  Span<const BinaryNode> tree;
  Span<const WideNodePlan> plans;  ///< [node]
  Span<WideBvhNode> nodes;         ///< [node]
  Span<BvhPrimitive> primitives;   ///< [place]

  SIMT_HOST_DEVICE void operator()(uint32_t i) const {
    const WideNodePlan plan = plans[i];
    WideBvhChild children[WideBvhNode::kWidth];
    uint32_t count = 0, next_primitive = plan.first_primitive;
    for (uint32_t slot = 0; slot < WideBvhNode::kWidth; ++slot) {
      if (plan.children[slot] == WideNodePlan::kNone) continue;
      const BinaryNode& child = tree[plan.children[slot]];
      const uint32_t leaf_size = child.wide_leaf_size();
      children[count++] = {.box = child.box, .leaf_size = leaf_size, .slot = slot};
      if (leaf_size > 0) write_leaf(plan.children[slot], next_primitive);
    }
    nodes[i] = encode_node({children, count}, plan.first_node, plan.first_primitive);
  }

 private:
  /// Writes the primitives below a node of the binary tree that becomes a leaf.
  SIMT_HOST_DEVICE void write_leaf(uint32_t root, uint32_t& next) const {
    uint32_t stack[WideBvhNode::kMaxLeafSize];
    uint32_t depth = 0;
    stack[depth++] = root;
    while (depth > 0) {
      const BinaryNode& node = tree[stack[--depth]];
      if (node.is_leaf()) {
        primitives[next++] = geometry.traversal_primitive(node.children[0]);
      } else {
        stack[depth++] = node.children[1];
        stack[depth++] = node.children[0];
      }
    }
  }
};

}  // namespace winnow
