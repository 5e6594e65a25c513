// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "bvh/wide_bvh_node.h"
#include "math/bounds.h"
#include "math/rounded.h"

namespace winnow {

/// Returns 2^exponent; the result must be a normal double.
SIMT_HOST_DEVICE inline double power_of_two(int exponent) {
  constexpr int kBias = 1023, kMantissaBits = 52;
  return std::bit_cast<double>(uint64_t(exponent + kBias) << kMantissaBits);
}

/// Returns the largest e with 2^e <= x, for a normal x above 0.
SIMT_HOST_DEVICE inline int exponent_of(double x) {
  constexpr int kBias = 1023, kMantissaBits = 52;
  return int(std::bit_cast<uint64_t>(x) >> kMantissaBits) - kBias;
}

/// Quantization along one axis of a WideBvhNode.
struct BvhSteps {
  static constexpr int kMaxStep = 255;
  // Exponents are those of floats, for 256 steps; the exponent of one step is smaller by 8.
  static constexpr int kBias = 127, kCountBits = 8, kMinExponent = 1 - kBias, kMaxExponent = kBias;

  float corner;  ///< m
  int exponent;  ///< exponent of the length of 256 steps

  SIMT_HOST_DEVICE double length() const { return power_of_two(exponent - kCountBits); }
  SIMT_HOST_DEVICE double step_of(float x) const {
    return (double(x) - double(corner)) * power_of_two(kCountBits - exponent);
  }
  /// Returns the quantized plane below `x` minus the padding, and in upper() above `x` plus it.
  SIMT_HOST_DEVICE double lower(float x) const {
    return std::floor(step_of(x) - WideBvhNode::kPadding);
  }
  SIMT_HOST_DEVICE double upper(float x) const {
    return std::ceil(step_of(x) + WideBvhNode::kPadding);
  }
};

/// Returns the shortest steps that cover [lower, upper]. They are not much below the spacing of
/// floats of size `magnitude`, so a flat box has a width that rounding does not cancel.
SIMT_HOST_DEVICE inline BvhSteps choose_steps(float lower, float upper, float magnitude) {
  constexpr double kMinRelativeStep = 0x1p-24;
  const double size = double(upper) - double(lower);
  const double length = std::fmax(size / BvhSteps::kMaxStep, double(magnitude) * kMinRelativeStep);
  BvhSteps steps{lower, BvhSteps::kMinExponent};
  if (length > 0.0) {
    const int exponent = exponent_of(length) + BvhSteps::kCountBits;
    if (exponent > steps.exponent) steps.exponent = exponent;
  }
  for (;; ++steps.exponent) {
    constexpr double kMargin = 2.0 * WideBvhNode::kPadding;
    steps.corner = float_at_most(double(lower) - kMargin * steps.length());
    if (steps.upper(upper) <= BvhSteps::kMaxStep || steps.exponent == BvhSteps::kMaxExponent)
      return steps;
  }
}

struct WideBvhChild {
  Bounds box;
  uint32_t leaf_size = 0;  ///< number of primitives; 0 for a node
  uint32_t index = 0;      ///< for use by the caller
  uint32_t slot = 0;
};

SIMT_HOST_DEVICE inline Bounds bounds_of(Span<const WideBvhChild> children) {
  Bounds bounds;
  for (const WideBvhChild& child : children) bounds.extend(child.box);
  return bounds;
}

/// The position of a child in its node, and the free slot that fits it best.
struct WideBvhFit {
  glm::vec3 offset{0.0f};  ///< m, twice the offset from the center of the node
  float fit = 0.0f;
  uint32_t slot = 0;

  /// Chooses the free slot that fits best.
  ///
  /// @param taken  bit s: slot s is taken; at least one is free
  SIMT_HOST_DEVICE void choose(uint32_t taken) {
    bool none = true;
    for (uint32_t free = 0; free < WideBvhNode::kWidth; ++free) {
      if (taken >> free & 1) continue;
      const float fits = (free & 1 ? offset.x : -offset.x) + (free & 2 ? offset.y : -offset.y) +
                         (free & 4 ? offset.z : -offset.z);
      if (none || fits > fit) fit = fits, slot = free, none = false;
    }
  }
};

/// Assigns a slot to each child such that the order of slots approximates the order along rays:
/// greedily, the best pair of child and slot first. Ylitie, Karras & Laine 2017, section 3.
///
/// @param children  at most 8; sorted by slot on return
SIMT_HOST_DEVICE inline void assign_slots(Span<WideBvhChild> children) {
  constexpr uint32_t kWidth = WideBvhNode::kWidth;
  const Bounds box = bounds_of(children);
  WideBvhFit fits[kWidth];
  for (uint32_t i = 0; i < children.size; ++i) {
    // The sum of differences cannot overflow.
    fits[i].offset = (children[i].box.min - box.min) - (box.max - children[i].box.max);
    fits[i].choose(0);
  }
  WideBvhChild in_slot[kWidth];
  uint32_t taken = 0, assigned = 0;  // a bit per slot, and per child
  for (size_t count = 0; count < children.size; ++count) {
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

/// Encodes a node. Quantization never shrinks a box.
///
/// @param children         at most 8, sorted by slot
/// @param first_node       index of the first child node; the others follow
/// @param first_primitive  index of the first primitive of leaves; the others follow
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

  const Bounds box = bounds_of(children);
  const glm::vec3 largest = glm::max(glm::abs(box.min), glm::abs(box.max));
  const float magnitude = glm::max(largest.x, glm::max(largest.y, largest.z));
  auto to_byte = [](double steps) {
    return uint8_t(steps < 0.0                  ? 0.0
                   : steps > BvhSteps::kMaxStep ? double(BvhSteps::kMaxStep)
                                                : steps);
  };
  for (int axis = 0; axis < 3; ++axis) {
    const BvhSteps steps = choose_steps(box.min[axis], box.max[axis], magnitude);
    node.corner[axis] = steps.corner;
    node.exponents[axis] = uint8_t(steps.exponent + BvhSteps::kBias);
    // The boxes of empty slots are inverted: no ray intersects them.
    for (uint8_t& lower : node.lower[axis]) lower = uint8_t(BvhSteps::kMaxStep);
    for (const WideBvhChild& child : children) {
      node.lower[axis][child.slot] = to_byte(steps.lower(child.box.min[axis]));
      node.upper[axis][child.slot] = to_byte(steps.upper(child.box.max[axis]));
    }
  }
  return node;
}

}  // namespace winnow
