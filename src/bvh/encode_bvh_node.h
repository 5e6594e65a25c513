#pragma once

#include "bvh/bvh_box.h"
#include "bvh/bvh_steps.h"
#include "bvh/wide_bvh.h"

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

/// Where a child lies in its node, and the free slot that fits that best.
struct WideBvhFit {
  glm::vec3 away{0.0f};  ///< m, twice the way from the middle of the node
  float fit = 0.0f;
  uint32_t slot = 0;

  /// @param taken  bit s: slot s is not free; not all are
  SIMT_HOST_DEVICE void choose(uint32_t taken) {
    bool none = true;
    for (uint32_t free = 0; free < WideBvhNode::kWidth; ++free) {
      if (taken >> free & 1) continue;
      const float fits = (free & 1 ? away.x : -away.x) + (free & 2 ? away.y : -away.y) +
                         (free & 4 ? away.z : -away.z);
      if (none || fits > fit) fit = fits, slot = free, none = false;
    }
  }
};

/// Gives each child a slot of its own, so that rays meet them about in the order of their slots:
/// the pairs of child and slot that fit best first. Ylitie, Karras & Laine 2017, section 3.
///
/// @param children  at most 8; sorted by their slots afterwards
SIMT_HOST_DEVICE inline void assign_slots(Span<WideBvhChild> children) {
  constexpr uint32_t kWidth = WideBvhNode::kWidth;
  const BvhBox box = box_around(children);
  WideBvhFit fits[kWidth];
  for (uint32_t i = 0; i < children.size; ++i) {
    // The sum of halves cannot overflow.
    fits[i].away = (children[i].box.lower - box.lower) - (box.upper - children[i].box.upper);
    fits[i].choose(0);
  }
  WideBvhChild in_slot[kWidth];
  uint32_t taken = 0, assigned = 0;  // a bit for each slot, and for each child
  for (size_t round = 0; round < children.size; ++round) {
    uint32_t best = kWidth;
    for (uint32_t i = 0; i < children.size; ++i) {
      if (assigned >> i & 1) continue;
      if (taken >> fits[i].slot & 1) fits[i].choose(taken);
      if (best == kWidth || fits[i].fit > fits[best].fit) best = i;
    }
    const uint32_t slot = fits[best].slot;
    assigned |= 1u << best;
    taken |= 1u << slot;
    in_slot[slot] = children[best];
    in_slot[slot].slot = slot;
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
    return uint8_t(steps < 0.0 ? 0.0 : steps > BvhSteps::kMax ? double(BvhSteps::kMax) : steps);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const BvhSteps steps = choose_steps(box.lower[axis], box.upper[axis], magnitude);
    node.corner[axis] = steps.corner;
    node.exponents[axis] = uint8_t(steps.exponent + BvhSteps::kBias);
    // Empty slots are met nowhere.
    for (uint8_t& lower : node.lower[axis]) lower = uint8_t(BvhSteps::kMax);
    for (const WideBvhChild& child : children) {
      node.lower[axis][child.slot] = to_byte(steps.lower(child.box.lower[axis]));
      node.upper[axis][child.slot] = to_byte(steps.upper(child.box.upper[axis]));
    }
  }
  return node;
}

}  // namespace winnow
