// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <glm/vec3.hpp>

#include "bvh/bvh_intrinsics.h"

namespace winnow {

using simt::Span;

/// A node of an 8-wide BVH: up to eight children and their quantized boxes, in 80 bytes. The planes
/// of the boxes are integer multiples of a step from the corner of the node; along each axis 256
/// steps are a power of two. Each child has one of eight slots: bit `axis` of a slot is set if its
/// child lies high along that axis, as far as free slots permit. Ylitie, Karras & Laine, "Efficient
/// Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", HPG 2017.
struct alignas(16) WideBvhNode {
  static constexpr uint32_t kWidth = 8;
  static constexpr uint32_t kMaxLeafSize = 3;
  /// Margin of a box around its content on each side, in steps. Rounding in the traversal is at
  /// most a quarter of it.
  static constexpr double kPadding = 1.0 / 64.0;

  glm::vec3 corner;          ///< m
  uint8_t exponents[3];      ///< 256 steps are 2^(exponent - 127) m
  uint8_t node_slots;        ///< bit s: slot s holds a node
  uint32_t first_node;       ///< child nodes are contiguous, in the order of slots
  uint32_t first_primitive;  ///< primitives of all leaves are contiguous, in the order of slots
  /// Bit kMaxLeafSize s + i: slot s holds a leaf of more than i primitives.
  uint32_t primitive_slots;
  uint32_t unused;
  uint8_t lower[3][kWidth];  ///< [axis][slot], steps
  uint8_t upper[3][kWidth];  ///< [axis][slot], steps
};
static_assert(sizeof(WideBvhNode) == 80);

/// Primitives of one node that remain to be tested: the paper's triangle group.
struct PrimitiveGroup {
  uint32_t first;  ///< WideBvhNode::first_primitive
  uint32_t bits;   ///< the bits of `slots` to test
  uint32_t slots;  ///< WideBvhNode::primitive_slots

  /// Returns the primitive reference of a bit.
  SIMT_HOST_DEVICE uint32_t reference(uint32_t bit) const {
    return first + simt::popcount(slots & simt::lanes_below(bit));
  }

  /// Removes one primitive and returns its reference.
  SIMT_HOST_DEVICE uint32_t take() {
    const uint32_t bit = highest_set(bits);
    bits &= ~(1u << bit);
    return reference(bit);
  }
};

/// Children of one node whose boxes a ray intersects and that remain to be visited: a node group
/// or, while `bits` are below kFirstNodeBit, a triangle group.
struct NodeGroup {
  static constexpr uint32_t kFirstNodeBit = 24, kNodeBits = 0xffu << kFirstNodeBit;
  /// A group of one node, which is `first`.
  static constexpr uint32_t kRoot = 1u << 31;

  uint32_t first;  ///< first child node, or first primitive
  uint32_t bits;   ///< kFirstNodeBit and up: slots of the nodes to visit, with
                   ///< WideBvhNode::node_slots lowest; or the primitives to test

  SIMT_HOST_DEVICE bool has_nodes() const { return bits >= 1u << kFirstNodeBit; }
};

}  // namespace winnow
