#pragma once

#include "geometry/bvh_box.h"
#include "geometry/bvh_steps.h"
#include "geometry/wide_bvh.h"

namespace winnow {

/// What a slot of a wide node is to hold.
struct WideBvhChild {
  BvhBox box;
  uint32_t leaf_size = 0;  ///< primitives; 0 is a node
  uint32_t number = 0;     ///< for the caller
  uint32_t slot = 0;
};

SIMT_HOST_DEVICE inline BvhBox box_around(Span<const WideBvhChild> children) {
  BvhBox box;
  for (const WideBvhChild& child : children) box.add(child.box);
  return box;
}

/// Gives each child a slot of its own, so that rays meet them about in the order of their slots:
/// the pairs of child and slot that fit best first. Ylitie, Karras & Laine 2017, section 3.
///
/// @param children  at most 8; sorted by their slots afterwards
SIMT_HOST_DEVICE inline void assign_slots(Span<WideBvhChild> children) {
  constexpr uint32_t kWidth = WideBvhNode::kWidth, kNone = kWidth;
  const BvhBox box = box_around(children);
  WideBvhChild in_slot[kWidth];
  uint32_t taken = 0;  // a bit for each slot
  for (WideBvhChild& child : children) child.slot = kNone;
  for (size_t assigned = 0; assigned < children.size; ++assigned) {
    const WideBvhChild* best = nullptr;
    uint32_t best_slot = 0;
    float best_fit = 0.0f;
    for (const WideBvhChild& child : children) {
      if (child.slot != kNone) continue;
      // Twice the way from the middle of the node; the sum of halves cannot overflow.
      const glm::vec3 away = (child.box.lower - box.lower) - (box.upper - child.box.upper);
      for (uint32_t slot = 0; slot < kWidth; ++slot) {
        if (taken >> slot & 1) continue;
        float fit = 0.0f;
        for (int axis = 0; axis < 3; ++axis) fit += slot >> axis & 1 ? away[axis] : -away[axis];
        if (!best || fit > best_fit) best = &child, best_slot = slot, best_fit = fit;
      }
    }
    taken |= 1u << best_slot;
    WideBvhChild& child = children[size_t(best - children.data)];
    child.slot = best_slot;
    in_slot[best_slot] = child;
  }
  size_t next = 0;
  for (uint32_t slot = 0; slot < kWidth; ++slot)
    if (taken >> slot & 1) children[next++] = in_slot[slot];
}

/// Compresses the boxes: none becomes smaller.
///
/// @param children         at most 8, sorted by their slots
/// @param first_node       of those that are nodes; the others follow
/// @param first_primitive  of those in leaves; the others follow
SIMT_HOST_DEVICE inline WideBvhNode encode_node(Span<const WideBvhChild> children,
                                                uint32_t first_node, uint32_t first_primitive) {
  WideBvhNode node{};
  node.first_node = first_node;
  node.first_primitive = first_primitive;
  for (const WideBvhChild& child : children) {
    if (child.leaf_size > 0)
      node.primitive_slots |= ((1u << child.leaf_size) - 1)
                              << (WideBvhNode::kMaxLeafSize * child.slot);
    else
      node.node_slots |= uint8_t(1u << child.slot);
  }

  const BvhBox box = box_around(children);
  const glm::vec3 largest = glm::max(glm::abs(box.lower), glm::abs(box.upper));
  const float magnitude = glm::max(largest.x, glm::max(largest.y, largest.z));
  auto to_byte = [](double steps) {
    return uint8_t(steps < 0.0 ? 0.0 : steps > BvhSteps::kMost ? double(BvhSteps::kMost) : steps);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const BvhSteps steps = choose_steps(box.lower[axis], box.upper[axis], magnitude);
    node.corner[axis] = steps.corner;
    node.exponents[axis] = uint8_t(steps.exponent + BvhSteps::kBias);
    // Empty slots are met nowhere.
    for (uint8_t& lower : node.lower[axis]) lower = uint8_t(BvhSteps::kMost);
    for (const WideBvhChild& child : children) {
      node.lower[axis][child.slot] = to_byte(steps.lower(child.box.lower[axis]));
      node.upper[axis][child.slot] = to_byte(steps.upper(child.box.upper[axis]));
    }
  }
  return node;
}

}  // namespace winnow
