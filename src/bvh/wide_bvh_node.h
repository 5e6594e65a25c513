// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/vec3.hpp>

#include "bvh/bvh_intrinsics.h"
#include "bvh/offset_origin.h"
#include "math/ray.h"
#include "math/rounded.h"

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
  /// Margin around the content of a box, in steps; rounding is at most a quarter of it.
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

  SIMT_HOST_DEVICE uint32_t reference(uint32_t bit) const {
    return first + simt::popcount(slots & simt::lanes_below(bit));
  }

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

/// A ray prepared for box tests.
struct BoxRay {
  glm::vec3 origin, inverse;  ///< inverse of the direction
  /// Slots on the side that the ray comes from, for front-to-back order: a byte per axis, the most
  /// significant axis highest.
  uint32_t near_slots;

  BoxRay() = default;
  SIMT_HOST_DEVICE explicit BoxRay(const Ray& ray, bool for_any_hit = false) : origin(ray.origin) {
    // A direction of 0 would give 0 times infinity. The minimum displaces a ray by less than the
    // padding of boxes up to a length of 2^40 times the size of what it hits; its product with the
    // size of a scene stays finite below 0.99 * 2^49 m.
    constexpr float kMinDirection = 0x1p-70f;
    for (int axis = 0; axis < 3; ++axis) {
      float d = ray.direction[axis];
      inverse[axis] =
          rounded_reciprocal(std::abs(d) > kMinDirection ? d : std::copysign(kMinDirection, d));
    }
    // The slots that lie low, or high, along each axis.
    const uint32_t x = inverse.x > 0.0f ? 0x55 : 0xaa, y = inverse.y > 0.0f ? 0x33 : 0xcc;
    const uint32_t z = inverse.z > 0.0f ? 0x0f : 0xf0;
    const glm::vec3 size = glm::abs(ray.direction);
    uint32_t first = z, second = y, third = x;
    near_slots = first << 24 | second << 16 | third << 8;
    // For any hit, the fixed order of axes, as in the bits of slots, visits 0 to 5 % fewer nodes
    // than the longest axis first.
    if (for_any_hit) return;
    if (size.y > size.z) swap(first, second);
    if (size.x > std::fmin(size.y, size.z)) swap(second, third);
    if (size.x > std::fmax(size.y, size.z)) swap(first, second);
    near_slots = first << 24 | second << 16 | third << 8;
  }

  /// Removes the first node along the ray, according to the slots, and returns it.
  SIMT_HOST_DEVICE uint32_t take_nearest(NodeGroup& group) const {
    constexpr uint32_t kByte = 8;
    uint32_t nearest = group.bits & NodeGroup::kNodeBits;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const uint32_t near_side = nearest & near_slots << (kByte * axis);
      if (near_side != 0) nearest = near_side;
    }
    const uint32_t bit = highest_set(nearest);
    group.bits &= ~(1u << bit);
    const uint32_t slot = bit - NodeGroup::kFirstNodeBit;
    return group.first + simt::popcount(group.bits & simt::lanes_below(slot));
  }

 private:
  SIMT_HOST_DEVICE static void swap(uint32_t& a, uint32_t& b) {
    const uint32_t c = a;
    a = b;
    b = c;
  }
};

/// Planes that bound four children, in steps, a byte per child.
struct ChildPlanes {
  uint32_t x, y, z;
};

/// Maps a plane to its distance along a ray, per axis: q scale + shift, where the plane at `step`
/// is q = 128 + step / 512.
struct PlaneDistance {
  glm::vec3 scale, shift;
};

/// Tests four boxes against the slabs of a ray. Returns the node bits and primitive bits of the
/// children that are hit.
///
/// @tparam kFirstSlot   slot of the first child
/// @param  first, last  the planes that the ray crosses first and last along each axis
/// @param  t            m, distance of the nearest hit so far
template <unsigned kFirstSlot>
SIMT_HOST_DEVICE uint32_t intersect_4_boxes(const PlaneDistance& near, const ChildPlanes& first,
                                            const PlaneDistance& far, const ChildPlanes& last,
                                            float t) {
  // Tests both of two coincident surfaces, in either order.
  constexpr float kTolerance = 1.0f + 0x1p-20f;
  const float limit = t * kTolerance;
  uint32_t hits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const float enter = max3_or_0(std::fma(byte_above_128(first.x, i), near.scale.x, near.shift.x),
                                  std::fma(byte_above_128(first.y, i), near.scale.y, near.shift.y),
                                  std::fma(byte_above_128(first.z, i), near.scale.z, near.shift.z));
    const float leave =
        min3_or_negative(std::fma(byte_above_128(last.x, i), far.scale.x, far.shift.x),
                         std::fma(byte_above_128(last.y, i), far.scale.y, far.shift.y),
                         std::fma(byte_above_128(last.z, i), far.scale.z, far.shift.z));
    constexpr uint32_t kLeaf = (1u << WideBvhNode::kMaxLeafSize) - 1;
    const unsigned slot = kFirstSlot + i;
    if (enter <= std::fmin(leave, limit))
      hits |= 1u << (NodeGroup::kFirstNodeBit + slot) | kLeaf << (WideBvhNode::kMaxLeafSize * slot);
  }
  return hits;
}

/// Finds the children of a node whose boxes a ray intersects before `t`, m. Reads the node as 20
/// words and tests four children at a time.
SIMT_HOST_DEVICE inline void intersect_children(const WideBvhNode& node, const BoxRay& ray, float t,
                                                NodeGroup& nodes, PrimitiveGroup& primitives) {
  const glm::uvec4* words = reinterpret_cast<const glm::uvec4*>(&node);
  const glm::uvec4 frame = load_16_bytes(words), content = load_16_bytes(words + 1);
  const glm::uvec4 lower_xy = load_16_bytes(words + 2), middle = load_16_bytes(words + 3);
  const glm::uvec4 upper_yz = load_16_bytes(words + 4);

  const glm::vec3 corner = xyz_as_floats(frame);
  // The far planes move outwards by the part of the rounding error that grows with distance: Ize,
  // "Robust BVH Ray Traversal", 2013. The padding of boxes covers the rest.
  constexpr float kOutward = 2.0f * error_bound(8);
  PlaneDistance near, far;
  for (int axis = 0; axis < 3; ++axis) {
    constexpr uint32_t kMantissaBits = 23;
    const uint32_t exponent = frame.w >> (8 * axis) & 0xff;
    const float scale = 2.0f * std::bit_cast<float>(exponent << kMantissaBits) * ray.inverse[axis];
    const float shift =
        std::fma(-128.0f, scale, (corner[axis] - ray.origin[axis]) * ray.inverse[axis]);
    near.scale[axis] = far.scale[axis] = scale;
    near.shift[axis] = shift;
    far.shift[axis] = std::fma(std::abs(shift), kOutward, shift);
  }

  const bool up_x = ray.inverse.x > 0.0f, up_y = ray.inverse.y > 0.0f;
  const bool up_z = ray.inverse.z > 0.0f;
  const uint32_t hits =
      intersect_4_boxes<0>(near,
                           {up_x ? lower_xy.x : middle.z, up_y ? lower_xy.z : upper_yz.x,
                            up_z ? middle.x : upper_yz.z},
                           far,
                           {up_x ? middle.z : lower_xy.x, up_y ? upper_yz.x : lower_xy.z,
                            up_z ? upper_yz.z : middle.x},
                           t) |
      intersect_4_boxes<4>(near,
                           {up_x ? lower_xy.y : middle.w, up_y ? lower_xy.w : upper_yz.y,
                            up_z ? middle.y : upper_yz.w},
                           far,
                           {up_x ? middle.w : lower_xy.y, up_y ? upper_yz.y : lower_xy.w,
                            up_z ? upper_yz.w : middle.y},
                           t);
  nodes = {content.x,
           (hits & frame.w & NodeGroup::kNodeBits) | frame.w >> NodeGroup::kFirstNodeBit};
  primitives = {content.y, hits & content.z, content.z};
}

}  // namespace winnow
